//! Applies statements that change or drop what is in a catalog.

use std::collections::HashSet;

use pg_ast::QualifiedName;

use super::apply_ddl::{get_mut, key, take};
use super::apply_objects::{defined, find};
use super::apply_parts::alter_part;
use super::apply_rules::drop_rule;
use super::apply_types::{drop_extension, take_type};
use super::called_functions::note_calls;
use super::created_operators::{drop_cast, drop_operator};
use super::created_routines::take_routines;
use super::drop_parts::{
    attach_index, detach_indexes, drop_callers, drop_column_parts, drop_index, drop_references,
    drop_trigger,
};
use super::pg::protobuf::{AlterTableType, DropBehavior, ObjectType};
use super::pg::view::{
    AlterTableCmd, AlterTableStmt, DropStmt, Node, PartitionBoundSpec, PartitionCmd, RangeVar,
};
use super::resolved_types::resolved_type;
use super::shared_parts::inherit;
use crate::catalog_routines::Routine;
use crate::ddl_catalog::{DdlCatalog, SchemaContents};
use crate::name_catalog::{Relation, RelationColumn, RelationKind};
use crate::relation_parts::ColumnDefault;
use crate::resolution::ColumnOrigin;

/// The most columns that a table can have: `MaxHeapAttributeNumber` of PostgreSQL's `htup_details.h`.
const MOST_COLUMNS: usize = 1600;

/// Calls `f` for a relation and all that inherit from it; returns their names.
pub(crate) fn each_heir(
    catalog: &mut DdlCatalog,
    name: &QualifiedName,
    mut f: impl FnMut(&mut Relation),
) -> HashSet<QualifiedName> {
    let mut names = vec![name.clone()];
    let mut seen = HashSet::new();
    while let Some(name) = names.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        names.extend(catalog.heirs.children(&name).cloned());
        if let Some(relation) = get_mut(catalog, &name) {
            f(relation);
        }
    }
    seen
}

/// Forgets where the columns of views come from, if some come from a column of a relation: any without its name.
pub(crate) fn forget_views(catalog: &mut DdlCatalog, name: &QualifiedName, column: Option<&str>) {
    for view in catalog.views.children(name) {
        let is_it = |origin: &ColumnOrigin| {
            *origin.table == *name && column.is_none_or(|column| *origin.column == *column)
        };
        if catalog.lineages.get(view).is_some_and(|lineage| lineage.graph.has(is_it)) {
            catalog.lineages.remove(view);
        }
    }
}

/// Drops the views that read a column.
fn drop_views_of(catalog: &mut DdlCatalog, name: &QualifiedName, column: &str) {
    let is_it = |origin: &ColumnOrigin| *origin.table == *name && *origin.column == *column;
    let views = catalog
        .views
        .children(name)
        .filter(|view| catalog.lineages.get(*view).is_some_and(|lineage| lineage.graph.has(is_it)));
    for view in views.cloned().collect::<Vec<_>>() {
        drop_object(catalog, view);
    }
}

/// Drops a column, and that of heirs which have it only from there.
fn drop_column(catalog: &mut DdlCatalog, name: &QualifiedName, column: &str, recurses: bool) {
    let mut names = vec![name.clone()];
    while let Some(name) = names.pop() {
        if let Some(relation) = get_mut(catalog, &name) {
            relation.columns.retain(|it| it.name != column);
        }
        drop_column_parts(catalog, &name, column);
        forget_views(catalog, &name, Some(column));
        let heirs: Vec<_> = catalog.heirs.children(&name).cloned().collect();
        for heir in heirs {
            let has_it = get_mut(catalog, &heir)
                .is_some_and(|relation| relation.columns.iter().any(|it| it.name == column));
            let is_own = catalog.own_columns.get(&heir).is_some_and(|own| own.contains(column));
            if !recurses {
                catalog.own_columns.or_default(heir).insert(column.to_owned());
            } else if has_it && !is_own {
                names.push(heir);
            }
        }
    }
}

/// Returns whether `ADD COLUMN` does nothing: `IF NOT EXISTS`, and the column exists.
fn is_column_there(catalog: &DdlCatalog, table: &QualifiedName, cmd: AlterTableCmd<'_>) -> bool {
    let Some(Node::ColumnDef(column)) = cmd.def() else { return false };
    let relation = find(catalog, table);
    cmd.missing_ok()
        && relation.is_some_and(|it| it.columns.iter().any(|it| it.name == column.colname()))
}

pub(crate) fn alter_table(catalog: &mut DdlCatalog, alter: AlterTableStmt<'_>) {
    let table = alter.relation().map(RangeVar::qualified_name);
    if alter.objtype() == ObjectType::ObjectIndex {
        let part = alter.cmds().iter().find_map(|cmd| cmd.as_alter_table_cmd()?.def());
        let part = part.and_then(Node::as_partition_cmd).and_then(PartitionCmd::name);
        if let (Some(table), Some(part)) = (&table, part) {
            attach_index(catalog, table, &part.qualified_name());
            return;
        }
    }
    let Some(name) = table.and_then(|name| key(catalog, &name)) else { return };
    for cmd in alter.cmds() {
        let Node::AlterTableCmd(cmd) = cmd else { continue };
        if matches!(
            cmd.subtype(),
            AlterTableType::AtAddColumn
                | AlterTableType::AtColumnDefault
                | AlterTableType::AtAddConstraint
        ) {
            note_calls(catalog, &name, Node::AlterTableCmd(cmd));
        }
        match cmd.subtype() {
            AlterTableType::AtAddColumn if is_column_there(catalog, &name, cmd) => {}
            AlterTableType::AtAddColumn => {
                for column in defined(catalog, cmd.def()) {
                    each_heir(catalog, &name, |relation| {
                        let is_new = !relation.columns.iter().any(|it| it.name == column.name);
                        if is_new && relation.columns.len() < MOST_COLUMNS {
                            relation.columns.push(column.clone());
                        }
                    });
                    catalog.link_type(&name, &column);
                }
                alter_part(catalog, &name, cmd);
            }
            AlterTableType::AtDropColumn => {
                let recurses = alter.relation().is_some_and(RangeVar::inh);
                if cmd.behavior() == DropBehavior::DropCascade {
                    drop_views_of(catalog, &name, cmd.name());
                }
                drop_column(catalog, &name, cmd.name(), recurses);
                // Generated columns that are computed from it go as well, and their expressions are not known.
                if cmd.behavior() == DropBehavior::DropCascade
                    && let Some(relation) = get_mut(catalog, &name)
                {
                    let is_generated = |it: &RelationColumn| it.default == ColumnDefault::Generated;
                    relation.is_complete &= !relation.columns.iter().any(is_generated);
                }
            }
            AlterTableType::AtAlterColumnType => {
                let of = cmd.def().and_then(|def| match def {
                    Node::ColumnDef(column) => column.type_name(),
                    _ => None,
                });
                let of = of.and_then(|of| resolved_type(catalog, of));
                each_heir(catalog, &name, |relation| {
                    let mut columns = relation.columns.iter_mut();
                    if let Some(column) = columns.find(|column| column.name == cmd.name()) {
                        column.column_type.clone_from(&of);
                    }
                });
                catalog.link_type(&name, &RelationColumn::new(String::new(), of));
            }
            AlterTableType::AtAddInherit
            | AlterTableType::AtAttachPartition
            | AlterTableType::AtDropInherit
            | AlterTableType::AtDetachPartition => change_parent(catalog, &name, cmd),
            _ => alter_part(catalog, &name, cmd),
        }
    }
}

/// Makes a table a partition or an heir of another one, or ends that.
fn change_parent(catalog: &mut DdlCatalog, name: &QualifiedName, cmd: AlterTableCmd<'_>) {
    let part = cmd.def().and_then(Node::as_partition_cmd);
    let other = match cmd.def() {
        Some(Node::RangeVar(table)) => Some(table),
        _ => part.and_then(PartitionCmd::name),
    };
    let Some(other) = other.and_then(|other| key(catalog, &other.qualified_name())) else { return };
    let (parent, child) = if part.is_some() { (name, &other) } else { (&other, name) };
    if matches!(cmd.subtype(), AlterTableType::AtAddInherit | AlterTableType::AtAttachPartition) {
        if let Some(part) = part
            && let Some(relation) = get_mut(catalog, child)
        {
            relation.is_partition = true;
            relation.is_default_partition =
                part.bound().is_some_and(PartitionBoundSpec::is_default);
        }
        if let Some(parent) = get_mut(catalog, parent).cloned() {
            inherit(catalog, child, &parent, part.is_some());
        }
        catalog.heirs.add(parent.clone(), child.clone());
        return;
    }
    catalog.heirs.remove(parent, child);
    if part.is_none() {
        return;
    }
    detach_indexes(catalog, child);
    let above = find(catalog, parent).map(|it| it.triggers.clone()).unwrap_or_default();
    if let Some(relation) = get_mut(catalog, child) {
        relation.is_partition = false;
        relation.is_default_partition = false;
        // Triggers of the rows were parts of those above.
        relation.triggers.retain(|own| !above.iter().any(|it| it.name == own.name));
    }
}

pub(crate) fn apply_drop(catalog: &mut DdlCatalog, drop: DropStmt<'_>) {
    for object in drop.objects() {
        match (drop.remove_type(), object) {
            (ObjectType::ObjectSchema, Node::String(name)) => {
                // An empty one stays, since nothing can be in it any more.
                let empty = SchemaContents::default();
                let schema =
                    catalog.schemas.insert(name.sval().to_owned(), empty).unwrap_or_default();
                for of in schema.types.values() {
                    drop_object(catalog, of.name.clone());
                }
                for relation in schema.relations.values() {
                    drop_object(catalog, relation.name.clone());
                }
                for routine in schema.routines.values().flatten() {
                    drop_users_of_function(catalog, routine);
                }
            }
            (ObjectType::ObjectType | ObjectType::ObjectDomain, Node::TypeName(of)) => {
                let name = of.names().qualified_name();
                if let Some(name) = key(catalog, &name) {
                    drop_object(catalog, name);
                } else if let Some(of) = take_type(catalog, &name) {
                    drop_object(catalog, of.name);
                }
            }
            (ObjectType::ObjectIndex, Node::List(names)) => {
                drop_index(catalog, &names.qualified_name());
            }
            (kind @ (ObjectType::ObjectTrigger | ObjectType::ObjectRule), Node::List(names)) => {
                let mut parts: Vec<_> = names.strs().collect();
                let (Some(part), Some(table)) = (parts.pop(), parts.pop()) else { continue };
                let schema = parts.pop().map(str::to_owned);
                let table = QualifiedName { schema, name: table.to_owned() };
                match key(catalog, &table) {
                    Some(table) if kind == ObjectType::ObjectRule => {
                        drop_rule(catalog, &table, part);
                    }
                    Some(table) => drop_trigger(catalog, &table, part),
                    None => {}
                }
            }
            (ObjectType::ObjectExtension, Node::String(name)) => {
                drop_extension(catalog, name.sval());
            }
            (ObjectType::ObjectOperator, Node::ObjectWithArgs(of)) => drop_operator(catalog, of),
            (ObjectType::ObjectCast, Node::List(types)) => drop_cast(catalog, types),
            (kind, Node::ObjectWithArgs(function)) => {
                for routine in take_routines(catalog, kind, function) {
                    drop_users_of_function(catalog, &routine);
                }
            }
            (
                ObjectType::ObjectTable
                | ObjectType::ObjectView
                | ObjectType::ObjectMatview
                | ObjectType::ObjectForeignTable
                | ObjectType::ObjectSequence,
                Node::List(names),
            ) => {
                if let Some(name) = key(catalog, &names.qualified_name()) {
                    drop_object(catalog, name);
                }
            }
            _ => {}
        }
    }
}

/// Drops the columns of a type from tables, and returns the views that have any. They go with `CASCADE`: without it, the server refuses
/// if there are any.
fn take_columns_of(catalog: &mut DdlCatalog, of: &QualifiedName) -> Vec<QualifiedName> {
    let mut views = Vec::new();
    for table in catalog.users.take(of) {
        let Some(relation) = find(catalog, &table) else { continue };
        if matches!(relation.kind, RelationKind::View | RelationKind::MaterializedView) {
            views.push(table);
            continue;
        }
        let is_of_type =
            |it: &&RelationColumn| it.column_type.as_ref().is_some_and(|it| it.name == *of);
        let columns = relation.columns.iter().filter(is_of_type).map(|it| it.name.clone());
        for column in columns.collect::<Vec<_>>() {
            drop_column(catalog, &table, &column, true);
        }
    }
    views
}

/// Drops what calls a function, which is dropped.
fn drop_users_of_function(catalog: &mut DdlCatalog, routine: &Routine) {
    drop_callers(catalog, routine);
    for other in catalog.drop_function_users(routine) {
        drop_callers(catalog, &other);
    }
}

/// Takes out what is made of a type, which goes with `CASCADE`; returns the types among that.
fn drop_type_users(catalog: &mut DdlCatalog, of: &QualifiedName) -> Vec<QualifiedName> {
    let (types, routines) = catalog.drop_type_users(of);
    for routine in routines {
        drop_callers(catalog, &routine);
    }
    types
}

/// Drops a relation or a type, and what goes with it: partitions and heirs, views, columns of the type or of the rows, and what else is
/// made of it. Without `CASCADE`, the server refuses if there is any.
pub(crate) fn drop_object(catalog: &mut DdlCatalog, name: QualifiedName) {
    let mut names = vec![name];
    while let Some(name) = names.pop() {
        take(catalog, &name);
        names.extend(take_columns_of(catalog, &name));
        names.extend(drop_type_users(catalog, &name));
        drop_references(catalog, &name);
        catalog.lineages.remove(&name);
        catalog.view_calls.remove(&name);
        names.extend(catalog.heirs.take(&name));
        names.extend(catalog.views.take(&name));
        catalog.own_columns.remove(&name);
    }
}
