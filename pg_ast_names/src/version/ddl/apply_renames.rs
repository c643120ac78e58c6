//! Applies statements that give objects other names, or other schemas.

use std::sync::Arc;

use pg_ast::QualifiedName;

use super::apply_changes::{each_heir, take_routines};
use super::apply_ddl::{key, take};
use super::apply_rules::rename_rule;
use super::apply_types::{move_extension, take_type};
use super::drop_parts::{
    rename_callee, rename_column_parts, rename_constraint, rename_index, rename_references,
    rename_trigger, rename_uses,
};
use super::owned_sequences::move_owned;
use super::pg::protobuf::ObjectType;
use super::pg::view::{AlterObjectSchemaStmt, Node, RangeVar, RenameStmt};
use crate::ddl_catalog::{DdlCatalog, SchemaContents, index_name};

/// Changes the name of a relation, or those of its columns, in where the columns of its views come from. Where that is not all
/// known, it may have the old names in it, and is forgotten.
fn rename_in_views(
    catalog: &mut DdlCatalog,
    name: &QualifiedName,
    new: Option<&Arc<QualifiedName>>,
    mut column: impl FnMut(&mut Arc<str>),
) {
    for view in catalog.views.children(name) {
        if let Some(lineage) = catalog.lineages.get_mut(view)
            && !Arc::make_mut(lineage).graph.rename(name, new, &mut column)
        {
            catalog.lineages.remove(view);
        }
    }
}

pub(crate) fn rename_links(catalog: &mut DdlCatalog, old: &QualifiedName, new: &QualifiedName) {
    let table = Arc::new(new.clone());
    rename_in_views(catalog, old, Some(&table), |_| {});
    if let Some(lineage) = catalog.lineages.remove(old) {
        catalog.lineages.insert(new.clone(), lineage);
    }
    if let Some(calls) = catalog.view_calls.remove(old) {
        catalog.view_calls.insert(new.clone(), calls);
    }
    catalog.heirs.rename(old, new);
    catalog.views.rename(old, new);
    rename_references(catalog, old, new);
    if let Some(own) = catalog.own_columns.remove(old) {
        catalog.own_columns.insert(new.clone(), own);
    }
}

/// Renames a schema. An empty one of the old name stays, since nothing can be in it any more.
fn rename_schema(catalog: &mut DdlCatalog, old: &str, new: &str) {
    let Some(mut schema) = catalog.schemas.insert(old.to_owned(), SchemaContents::default()) else {
        return;
    };
    let mut renamed = Vec::new();
    for relation in schema.relations.values_mut() {
        let before = relation.name.clone();
        relation.name.schema = Some(new.to_owned());
        rename_links(catalog, &before, &relation.name);
        for index in &relation.indexes {
            let (from, to) =
                (index_name(&before, &index.name), index_name(&relation.name, &index.name));
            catalog.owned.rename(&from, &to);
            catalog.heirs.rename(&from, &to);
        }
        renamed.push((before, relation.name.clone()));
    }
    for name in schema.types.keys() {
        let names = (QualifiedName::new(old, name), QualifiedName::new(new, name));
        rename_references(catalog, &names.0, &names.1);
        renamed.push(names);
    }
    let mut called = Vec::new();
    for routine in schema.routines.values_mut().flatten() {
        let before = routine.name.clone();
        routine.name.schema = Some(new.to_owned());
        called.push((before, routine.name.clone()));
    }
    catalog.schemas.insert(new.to_owned(), schema);
    for (old, new) in called {
        rename_callee(catalog, &old, &new);
    }
    for of in catalog.extensions.values_mut().filter(|of| *of == old) {
        new.clone_into(of);
    }
    for (old, new) in renamed {
        rename_uses(catalog, &old, &new);
    }
}

pub(crate) fn apply_rename(catalog: &mut DdlCatalog, rename: RenameStmt<'_>) {
    let (old, new) = (rename.subname(), rename.newname());
    if rename.rename_type() == ObjectType::ObjectSchema {
        rename_schema(catalog, old, new);
        return;
    }
    if let Some(Node::ObjectWithArgs(function)) = rename.object() {
        for mut routine in take_routines(catalog, function) {
            let old = routine.name.clone();
            new.clone_into(&mut routine.name.name);
            rename_callee(catalog, &old, &routine.name);
            catalog.add_routine(routine);
        }
        return;
    }
    if let (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::List(names))) =
        (rename.rename_type(), rename.object())
        && let Some((schema, kind)) = take_type(catalog, &names.qualified_name())
    {
        let old = QualifiedName::new(&schema, names.qualified_name().name);
        let new_name = QualifiedName::new(&schema, new);
        rename_references(catalog, &old, &new_name);
        rename_uses(catalog, &old, &new_name);
        catalog.schemas.entry(schema).or_default().types.insert(new.to_owned(), kind);
        return;
    }
    let table = match (rename.relation(), rename.object()) {
        (Some(table), _) => Some(table.qualified_name()),
        (None, Some(Node::List(names))) => Some(names.qualified_name()),
        _ => None,
    };
    if let Some(name) = table.as_ref().filter(|_| is_relation(rename.rename_type()))
        && rename_index(catalog, name, new)
    {
        return;
    }
    let Some(name) = table.and_then(|name| key(catalog, &name)) else { return };
    match rename.rename_type() {
        ObjectType::ObjectTabconstraint => return rename_constraint(catalog, &name, old, new),
        ObjectType::ObjectTrigger => return rename_trigger(catalog, &name, old, new),
        ObjectType::ObjectRule => return rename_rule(catalog, &name, old, new),
        _ => {}
    }
    if matches!(rename.rename_type(), ObjectType::ObjectColumn | ObjectType::ObjectAttribute) {
        let heirs = each_heir(catalog, &name, |relation| {
            let mut columns = relation.columns.iter_mut();
            if let Some(column) = columns.find(|column| column.name == old) {
                new.clone_into(&mut column.name);
            }
        });
        let column: Arc<str> = Arc::from(new);
        for heir in heirs {
            rename_column_parts(catalog, &heir, old, new);
            rename_in_views(catalog, &heir, None, |name| {
                if **name == *old {
                    *name = column.clone();
                }
            });
        }
    } else if is_relation(rename.rename_type())
        && let Some(mut relation) = take(catalog, &name)
    {
        new.clone_into(&mut relation.name.name);
        let new = relation.name.clone();
        catalog.add_relation(relation);
        rename_links(catalog, &name, &new);
        rename_uses(catalog, &name, &new);
    }
}

fn is_relation(kind: ObjectType) -> bool {
    matches!(
        kind,
        ObjectType::ObjectTable
            // `ALTER INDEX` renames a table as well.
            | ObjectType::ObjectIndex
            | ObjectType::ObjectView
            | ObjectType::ObjectMatview
            | ObjectType::ObjectForeignTable
            | ObjectType::ObjectSequence
            | ObjectType::ObjectType
    )
}

/// `ALTER .. SET SCHEMA`.
pub(crate) fn set_schema(catalog: &mut DdlCatalog, alter: AlterObjectSchemaStmt<'_>) {
    if let Some(Node::ObjectWithArgs(function)) = alter.object() {
        for mut routine in take_routines(catalog, function) {
            let old = routine.name.clone();
            routine.name.schema = Some(alter.newschema().to_owned());
            rename_callee(catalog, &old, &routine.name);
            catalog.add_routine(routine);
        }
    }
    match (alter.object_type(), alter.object()) {
        (ObjectType::ObjectExtension, Some(Node::String(name))) => {
            return move_extension(catalog, name.sval(), alter.newschema());
        }
        (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::List(names))) => {
            let name = names.qualified_name();
            if let Some((schema, kind)) = take_type(catalog, &name) {
                let old = QualifiedName::new(schema, &name.name);
                let new = QualifiedName::new(alter.newschema(), &name.name);
                rename_references(catalog, &old, &new);
                rename_uses(catalog, &old, &new);
                let contents = catalog.schemas.entry(alter.newschema().to_owned()).or_default();
                contents.types.insert(name.name, kind);
                return;
            }
        }
        _ => {}
    }
    let table = match (alter.relation(), alter.object()) {
        (None, Some(Node::List(names))) => Some(names.qualified_name()),
        (table, _) => table.map(RangeVar::qualified_name),
    };
    if let Some(name) = table.and_then(|name| key(catalog, &name))
        && let Some(mut relation) = take(catalog, &name)
    {
        move_owned(catalog, &name, alter.newschema());
        relation.name.schema = Some(alter.newschema().to_owned());
        let new = relation.name.clone();
        catalog.add_relation(relation);
        rename_links(catalog, &name, &new);
        rename_uses(catalog, &name, &new);
    }
}
