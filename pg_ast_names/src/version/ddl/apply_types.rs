//! Types that are no relations, and extensions.

use pg_ast::QualifiedName;
use pg_ast_catalog::{Extension, extension};

use super::VERSION;
use super::apply_objects::first_of;
use super::drop_parts::{rename_callee, rename_references, rename_uses};
use super::pg::view::{CreateExtensionStmt, DefElem, Node};
use crate::catalog_types::CatalogType;
use crate::ddl_catalog::DdlCatalog;
use crate::extension_contents::CreatedExtension;

/// Takes a type out.
pub(crate) fn take_type(catalog: &mut DdlCatalog, name: &QualifiedName) -> Option<CatalogType> {
    let schemas = match &name.schema {
        Some(schema) => vec![schema.clone()],
        None => {
            core::iter::once("pg_temp".to_owned()).chain(catalog.search_path.to_vec()).collect()
        }
    };
    schemas
        .into_iter()
        .find_map(|schema| catalog.schemas.get_mut(&schema)?.types.remove(&name.name))
}

/// Returns an option of a `CREATE EXTENSION`.
fn option<'a>(create: CreateExtensionStmt<'a>, name: &str) -> Option<DefElem<'a>> {
    let mut options = create.options().iter().filter_map(Node::as_def_elem);
    options.find(|option| option.defname() == name)
}

/// Returns the extension that a statement creates, if it is known, and its schema, if that is written or its own.
pub(crate) fn created_extension(
    create: CreateExtensionStmt<'_>,
) -> Option<(&'static Extension, Option<&str>)> {
    let known = extension(create.extname(), VERSION.major())?;
    let written = option(create, "schema").and_then(|schema| schema.arg()?.as_str());
    Some((known, known.schema.or(written)))
}

/// `CREATE EXTENSION`: adds what it brings.
pub(crate) fn create_extension(catalog: &mut DdlCatalog, create: CreateExtensionStmt<'_>) {
    let schema = option(create, "schema").and_then(|schema| schema.arg()?.as_str());
    let is_cascade = option(create, "cascade").is_some();
    add_extension(catalog, create.extname(), schema, is_cascade);
}

fn add_extension(catalog: &mut DdlCatalog, name: &str, schema: Option<&str>, is_cascade: bool) {
    // An extension that needs itself is in no data; the limit is for what is.
    let mut names = vec![name.to_owned()];
    while let Some(name) = names.pop().filter(|_| names.len() < 100) {
        if catalog.extensions.contains_key(&name) {
            continue;
        }
        let known = extension(&name, VERSION.major());
        let own = known.and_then(|known| known.schema).or(schema);
        let schema = own.map_or_else(|| first_of(&catalog.search_path), str::to_owned);
        catalog.extensions.insert(name, schema.clone());
        match known {
            Some(extension) => {
                add_contents(catalog, CreatedExtension { extension, schema: &schema });
                if is_cascade {
                    names.extend(extension.requires.iter().map(|name| (*name).to_owned()));
                }
            }
            // Some put objects into `pg_catalog` as well.
            None => {
                catalog.has_all_schemas = false;
                for schema in [schema.as_str(), "pg_catalog"] {
                    catalog.schemas.or_default(schema.to_owned()).is_open = true;
                }
            }
        }
    }
}

fn add_contents(catalog: &mut DdlCatalog, of: CreatedExtension<'_>) {
    for relation in of.relations() {
        catalog.add_relation(relation);
    }
    of.types().for_each(|it| catalog.add_type(it));
    of.routines().for_each(|it| catalog.add_routine(it));
    of.operators().for_each(|it| catalog.add_operator(it));
    of.casts().for_each(|it| catalog.add_cast(it));
}

/// Takes out what an extension has brought.
pub(crate) fn drop_extension(catalog: &mut DdlCatalog, name: &str) {
    let Some(schema) = catalog.extensions.remove(name) else { return };
    let Some(extension) = extension(name, VERSION.major()) else { return };
    let created = CreatedExtension { extension, schema: &schema };
    for relation in created.relations() {
        let contents = relation.name.schema.as_ref().and_then(|it| catalog.schemas.get_mut(it));
        contents.and_then(|contents| contents.relations.remove(&relation.name.name));
    }
    for routine in created.routines() {
        let contents = routine.name.schema.as_ref().and_then(|it| catalog.schemas.get_mut(it));
        let of_name = contents.and_then(|contents| contents.routines.get_mut(&routine.name.name));
        if let Some(of_name) = of_name {
            of_name.retain(|other| !other.has_inputs_of(&routine));
        }
    }
    for of in created.types() {
        let contents = of.name.schema.as_ref().and_then(|it| catalog.schemas.get_mut(it));
        contents.and_then(|contents| contents.types.remove(&of.name.name));
    }
    for operator in created.operators() {
        catalog.take_operator(&operator.name, operator.left.as_ref(), &operator.right);
    }
    for cast in created.casts() {
        catalog.drop_cast(&cast.source, &cast.target);
    }
}

/// `ALTER EXTENSION .. SET SCHEMA`.
pub(crate) fn move_extension(catalog: &mut DdlCatalog, name: &str, schema: &str) {
    let Some(old) = catalog.extensions.get(name).cloned() else { return };
    drop_extension(catalog, name);
    add_extension(catalog, name, Some(schema), false);
    let Some(extension) = extension(name, VERSION.major()) else { return };
    let [before, after] =
        [old.as_str(), schema].map(|schema| CreatedExtension { extension, schema });
    for (old, new) in before.routines().zip(after.routines()) {
        rename_callee(catalog, &old.name, &new.name);
        catalog.rename_function_in_users(&old, &new.name);
    }
    for (old, new) in before.types().zip(after.types()) {
        rename_references(catalog, &old.name, &new.name);
        rename_uses(catalog, &old.name, &new.name);
    }
}
