//! Types that are no relations, and extensions.

use pg_ast::QualifiedName;
use pg_ast_catalog::{Extension, TypeKind, extension};

use super::VERSION;
use super::apply_objects::first_of;
use super::pg::view::{CreateExtensionStmt, DefElem, List, Node};
use crate::builtin_names::{relations_of, routines_of};
use crate::ddl_catalog::DdlCatalog;

pub(crate) fn add_type(catalog: &mut DdlCatalog, names: List<'_>, kind: TypeKind) {
    let QualifiedName { schema, name } = names.qualified_name();
    let schema = schema.unwrap_or_else(|| first_of(&catalog.search_path));
    catalog.schemas.entry(schema).or_default().types.insert(name, kind);
}

/// Takes a type out; returns its schema and its kind.
pub(crate) fn take_type(
    catalog: &mut DdlCatalog,
    name: &QualifiedName,
) -> Option<(String, TypeKind)> {
    let schemas = match &name.schema {
        Some(schema) => vec![schema.clone()],
        None => catalog.search_path.clone(),
    };
    schemas.into_iter().find_map(|schema| {
        let kind = catalog.schemas.get_mut(&schema)?.types.remove(&name.name)?;
        Some((schema, kind))
    })
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
            Some(known) => {
                add_contents(catalog, known, &schema);
                if is_cascade {
                    names.extend(known.requires.iter().map(|name| (*name).to_owned()));
                }
            }
            // Some put objects into `pg_catalog` as well.
            None => {
                for schema in [schema.as_str(), "pg_catalog"] {
                    catalog.schemas.entry(schema.to_owned()).or_default().is_open = true;
                }
            }
        }
    }
}

fn add_contents(catalog: &mut DdlCatalog, extension: &Extension, schema: &str) {
    for relation in relations_of(extension, schema) {
        catalog.add_relation(relation);
    }
    for routine in routines_of(extension, schema) {
        catalog.add_routine(routine);
    }
    for of in extension.objects.types() {
        let schema = if of.schema.is_empty() { schema } else { of.schema };
        catalog
            .schemas
            .entry(schema.to_owned())
            .or_default()
            .types
            .insert(of.name.to_owned(), of.kind);
    }
}

/// Takes out what an extension has brought.
pub(crate) fn drop_extension(catalog: &mut DdlCatalog, name: &str) {
    let Some(schema) = catalog.extensions.remove(name) else { return };
    let Some(extension) = extension(name, VERSION.major()) else { return };
    for relation in relations_of(extension, &schema) {
        let contents = relation.name.schema.as_ref().and_then(|it| catalog.schemas.get_mut(it));
        contents.and_then(|contents| contents.relations.remove(&relation.name.name));
    }
    for routine in routines_of(extension, &schema) {
        let contents = routine.name.schema.as_ref().and_then(|it| catalog.schemas.get_mut(it));
        let of_name = contents.and_then(|contents| contents.routines.get_mut(&routine.name.name));
        if let Some(of_name) = of_name {
            of_name.retain(|other| other.parameters != routine.parameters);
        }
    }
    for of in extension.objects.types() {
        let schema = if of.schema.is_empty() { &schema } else { of.schema };
        if let Some(contents) = catalog.schemas.get_mut(schema) {
            contents.types.remove(of.name);
        }
    }
}

/// `ALTER EXTENSION .. SET SCHEMA`.
pub(crate) fn move_extension(catalog: &mut DdlCatalog, name: &str, schema: &str) {
    if catalog.extensions.contains_key(name) {
        drop_extension(catalog, name);
        add_extension(catalog, name, Some(schema), false);
    }
}
