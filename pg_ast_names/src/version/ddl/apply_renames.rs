//! Applies statements that give objects other names, or other schemas.

use core::mem::take;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::apply_changes::each_heir;
use super::apply_ddl::{key, take as take_relation};
use super::apply_rules::rename_rule;
use super::apply_types::{move_extension, take_type};
use super::created_operators::{move_operator, move_operator_to};
use super::created_routines::{rename_routine, rename_routines};
use super::created_types::rename_check;
use super::drop_parts::{
    rename_column_parts, rename_constraint, rename_index, rename_references, rename_trigger,
    rename_uses,
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
    let (types, routines) = (take(&mut schema.types), take(&mut schema.routines));
    let operators = take(&mut schema.operators);
    catalog.schemas.insert(new.to_owned(), schema);
    for mut of in types.values().cloned() {
        let before = of.name.clone();
        of.name.schema = Some(new.to_owned());
        rename_references(catalog, &before, &of.name);
        renamed.push((before, of.name.clone()));
        catalog.add_type(of);
    }
    for mut operator in operators.values().flatten().cloned() {
        for other in [&mut operator.commutator, &mut operator.negator].into_iter().flatten() {
            if other.schema.as_deref() == Some(old) {
                other.schema = Some(new.to_owned());
            }
        }
        move_operator_to(catalog, operator, new);
    }
    for routine in routines.values().flatten().cloned() {
        rename_routine(catalog, routine, |name| name.schema = Some(new.to_owned()));
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
        let kind = rename.rename_type();
        return rename_routines(catalog, kind, function, |name| new.clone_into(&mut name.name));
    }
    if let (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::List(names))) =
        (rename.rename_type(), rename.object())
        && let Some(mut of) = take_type(catalog, &names.qualified_name())
    {
        let old = of.name.clone();
        new.clone_into(&mut of.name.name);
        rename_references(catalog, &old, &of.name);
        rename_uses(catalog, &old, &of.name);
        catalog.add_type(of);
        return;
    }
    if let (ObjectType::ObjectDomconstraint, Some(Node::List(domain))) =
        (rename.rename_type(), rename.object())
    {
        return rename_check(catalog, domain, old, new);
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
        && let Some(mut relation) = take_relation(catalog, &name)
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
        if alter.object_type() == ObjectType::ObjectOperator {
            return move_operator(catalog, function, alter.newschema());
        }
        let new = Some(alter.newschema().to_owned());
        return rename_routines(catalog, alter.object_type(), function, |name| {
            name.schema.clone_from(&new);
        });
    }
    match (alter.object_type(), alter.object()) {
        (ObjectType::ObjectExtension, Some(Node::String(name))) => {
            return move_extension(catalog, name.sval(), alter.newschema());
        }
        (ObjectType::ObjectType | ObjectType::ObjectDomain, Some(Node::List(names))) => {
            if let Some(mut of) = take_type(catalog, &names.qualified_name()) {
                let old = of.name.clone();
                of.name.schema = Some(alter.newschema().to_owned());
                rename_references(catalog, &old, &of.name);
                rename_uses(catalog, &old, &of.name);
                return catalog.add_type(of);
            }
        }
        _ => {}
    }
    let table = match (alter.relation(), alter.object()) {
        (None, Some(Node::List(names))) => Some(names.qualified_name()),
        (table, _) => table.map(RangeVar::qualified_name),
    };
    if let Some(name) = table.and_then(|name| key(catalog, &name))
        && let Some(mut relation) = take_relation(catalog, &name)
    {
        move_owned(catalog, &name, alter.newschema());
        relation.name.schema = Some(alter.newschema().to_owned());
        let new = relation.name.clone();
        catalog.add_relation(relation);
        rename_links(catalog, &name, &new);
        rename_uses(catalog, &name, &new);
    }
}
