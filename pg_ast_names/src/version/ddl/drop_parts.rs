//! Takes parts of tables out of a catalog, and gives them other names.

use pg_ast::QualifiedName;

use super::apply_changes::each_heir;
use super::apply_ddl::get_mut;
use super::owned_sequences::{drop_sequences, rename_owner};
use crate::catalog_routines::Routine;
use crate::ddl_catalog::{DdlCatalog, index_name};
use crate::relation_parts::{ColumnDefault, ConstraintKind, ForeignKey, RelationConstraint};

/// Drops the constraints for which `is_meant`, with their indexes.
fn drop_constraints(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    is_meant: impl Fn(&RelationConstraint) -> bool,
) {
    let Some(relation) = get_mut(catalog, table) else { return };
    let dropped: Vec<_> = relation.constraints.extract_if(.., |it| is_meant(it)).collect();
    for constraint in dropped {
        let is_other_key = |key: &QualifiedName| {
            let relation = catalog.schemas.get(table.schema.as_deref().unwrap_or_default());
            let relation = relation.and_then(|schema| schema.relations.get(&table.name));
            relation.is_some_and(|relation| {
                relation.constraints.iter().any(|it| {
                    matches!(&it.kind, ConstraintKind::ForeignKey(other) if other.table == *key)
                })
            })
        };
        match &constraint.kind {
            ConstraintKind::ForeignKey(key) => {
                if !is_other_key(&key.table) {
                    catalog.references.remove(&key.table, table);
                }
            }
            ConstraintKind::Check => {}
            ConstraintKind::NotNull => drop_not_null(catalog, table, &constraint),
            _ => drop_index_of(catalog, table, &constraint.name),
        }
    }
}

/// Lets columns be NULL again, unless a primary key or an identity says otherwise.
fn drop_not_null(catalog: &mut DdlCatalog, table: &QualifiedName, constraint: &RelationConstraint) {
    let Some(relation) = get_mut(catalog, table) else { return };
    let key = relation.constraints.iter().find(|it| it.kind == ConstraintKind::PrimaryKey);
    let in_key = key.map_or(&[][..], |key| &key.columns);
    for column in &mut relation.columns {
        if constraint.columns.contains(&column.name)
            && column.default != ColumnDefault::Identity
            && !in_key.contains(&column.name)
        {
            column.is_not_null = false;
        }
    }
}

pub(crate) fn drop_constraint(catalog: &mut DdlCatalog, table: &QualifiedName, name: &str) {
    for heir in each_heir(catalog, table, |_| {}) {
        drop_constraints(catalog, &heir, |constraint| constraint.name == name);
    }
}

/// Drops an index of a table, with its constraint and its parts, the indexes of partitions.
fn drop_index_of(catalog: &mut DdlCatalog, table: &QualifiedName, name: &str) {
    let mut dropped = vec![(table.clone(), index_name(table, name))];
    while let Some((table, index)) = dropped.pop() {
        catalog.owned.remove(&table, &index);
        if let Some(relation) = get_mut(catalog, &table) {
            relation.indexes.retain(|it| it.name != index.name);
            relation.constraints.retain(|it| it.name != index.name || !it.has_index());
        }
        for part in catalog.heirs.take(&index) {
            let of = catalog.owned.parents(&part).next().cloned();
            dropped.extend(of.map(|table| (table, part)));
        }
    }
}

/// Returns the full name of an index, and its table.
pub(crate) fn find_index(
    catalog: &DdlCatalog,
    name: &QualifiedName,
) -> Option<(QualifiedName, QualifiedName)> {
    let of = |name: QualifiedName| {
        let table = catalog.owned.parents(&name).next()?.clone();
        Some((name, table))
    };
    if name.schema.is_some() {
        return of(name.clone());
    }
    let path = catalog.search_path.iter().map(String::as_str);
    let mut schemas = core::iter::once("pg_temp").chain(path);
    schemas.find_map(|schema| of(QualifiedName::new(schema, &name.name)))
}

/// `DROP INDEX`.
pub(crate) fn drop_index(catalog: &mut DdlCatalog, name: &QualifiedName) {
    if let Some((index, table)) = find_index(catalog, name) {
        drop_index_of(catalog, &table, &index.name);
    }
}

/// `ALTER INDEX .. RENAME TO`; returns whether there is such an index.
pub(crate) fn rename_index(catalog: &mut DdlCatalog, name: &QualifiedName, new: &str) -> bool {
    let Some((index, table)) = find_index(catalog, name) else { return false };
    let Some(relation) = get_mut(catalog, &table) else { return false };
    let mut is_there = false;
    for of in relation.indexes.iter_mut().filter(|it| it.name == index.name) {
        new.clone_into(&mut of.name);
        is_there = true;
    }
    for of in relation.constraints.iter_mut().filter(|it| it.name == index.name) {
        new.clone_into(&mut of.name);
    }
    catalog
        .owned
        .rename(&index, &QualifiedName { schema: index.schema.clone(), name: new.to_owned() });
    is_there
}

/// `RENAME CONSTRAINT`: the index of a key has its name.
pub(crate) fn rename_constraint(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    old: &str,
    new: &str,
) {
    rename_index(catalog, &index_name(table, old), new);
    each_heir(catalog, table, |relation| {
        for constraint in relation.constraints.iter_mut().filter(|it| it.name == old) {
            new.clone_into(&mut constraint.name);
        }
    });
}

pub(crate) fn drop_trigger(catalog: &mut DdlCatalog, table: &QualifiedName, name: &str) {
    each_heir(catalog, table, |relation| relation.triggers.retain(|it| it.name != name));
}

pub(crate) fn rename_trigger(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    old: &str,
    new: &str,
) {
    each_heir(catalog, table, |relation| {
        for trigger in relation.triggers.iter_mut().filter(|it| it.name == old) {
            new.clone_into(&mut trigger.name);
        }
    });
}

/// Gives a function another name in the triggers that call it.
pub(crate) fn rename_callee(catalog: &mut DdlCatalog, old: &QualifiedName, new: &QualifiedName) {
    let callers: Vec<_> = catalog.callers.children(old).cloned().collect();
    for table in callers {
        let triggers = get_mut(catalog, &table).into_iter().flat_map(|it| &mut it.triggers);
        for trigger in triggers.filter(|it| it.function == *old) {
            trigger.function = new.clone();
        }
        catalog.callers.remove(old, &table);
        catalog.callers.add(new.clone(), table);
    }
}

/// Drops the triggers that call a function, which has no parameters then.
pub(crate) fn drop_callers(catalog: &mut DdlCatalog, routine: &Routine) {
    if routine.inputs().next().is_some() {
        return;
    }
    let function = &routine.name;
    for table in catalog.callers.take(function) {
        if let Some(relation) = get_mut(catalog, &table) {
            relation.triggers.retain(|it| it.function != *function);
        }
    }
}

/// Calls `f` for the foreign keys of the tables that refer to a table.
fn each_key_to(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    mut f: impl FnMut(&mut ForeignKey),
) {
    let referencing: Vec<_> = catalog.references.children(table).cloned().collect();
    for name in referencing {
        let Some(relation) = get_mut(catalog, &name) else { continue };
        for constraint in &mut relation.constraints {
            if let ConstraintKind::ForeignKey(key) = &mut constraint.kind {
                f(key);
            }
        }
    }
}

/// Drops what is on a column of a table: constraints, indexes, and foreign keys that refer to it.
pub(crate) fn drop_column_parts(catalog: &mut DdlCatalog, table: &QualifiedName, column: &str) {
    let has_it = |columns: &[String]| columns.iter().any(|it| it == column);
    drop_sequences(catalog, table, column);
    drop_constraints(catalog, table, |constraint| has_it(&constraint.columns));
    let Some(relation) = get_mut(catalog, table) else { return };
    let indexes = relation.indexes.iter();
    let with_it = indexes.filter(|it| it.used_columns.iter().any(|name| name == column));
    let dropped: Vec<_> = with_it.map(|it| it.name.clone()).collect();
    for index in dropped {
        drop_index_of(catalog, table, &index);
    }
    drop_keys_to(catalog, table, Some(column));
}

/// Drops the foreign keys that refer to a table, or to a column of it.
pub(crate) fn drop_keys_to(catalog: &mut DdlCatalog, table: &QualifiedName, column: Option<&str>) {
    let referencing: Vec<_> = catalog.references.children(table).cloned().collect();
    for other in referencing {
        drop_constraints(catalog, &other, |constraint| {
            matches!(&constraint.kind, ConstraintKind::ForeignKey(key) if key.table == *table
                && column.is_none_or(|column| key.columns.iter().any(|it| it == column)))
        });
    }
}

/// Gives a column another name where the parts of its table, and foreign keys that refer to it, name it.
pub(crate) fn rename_column_parts(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    old: &str,
    new: &str,
) {
    let rename = |names: &mut Vec<String>| {
        for name in names.iter_mut().filter(|name| *name == old) {
            new.clone_into(name);
        }
    };
    if let Some(relation) = get_mut(catalog, table) {
        for constraint in &mut relation.constraints {
            rename(&mut constraint.columns);
            rename(&mut constraint.not_null);
        }
        for index in &mut relation.indexes {
            rename(&mut index.used_columns);
            for name in index.columns.iter_mut().flatten().filter(|name| *name == old) {
                new.clone_into(name);
            }
        }
    }
    each_key_to(catalog, table, |key| {
        if key.table == *table {
            rename(&mut key.columns);
        }
    });
    rename_owner(catalog, table, old, new);
}

/// Gives a relation or a type another name where it is noted who refers to it; [`rename_uses`] does so in these.
pub(crate) fn rename_references(
    catalog: &mut DdlCatalog,
    old: &QualifiedName,
    new: &QualifiedName,
) {
    catalog.ends_at_commit.rename_table(old, Some(new));
    catalog.references.rename(old, new);
    catalog.users.rename(old, new);
    catalog.callers.rename(old, new);
    catalog.owned.rename(old, new);
    if let Some(column) = catalog.owner_columns.remove(old) {
        catalog.owner_columns.insert(new.clone(), column);
    }
}

/// Gives a relation or a type another name in foreign keys that refer to it, and in columns of its type.
pub(crate) fn rename_uses(catalog: &mut DdlCatalog, old: &QualifiedName, new: &QualifiedName) {
    each_key_to(catalog, new, |key| {
        if key.table == *old {
            key.table = new.clone();
        }
    });
    let users: Vec<_> = catalog.users.children(new).cloned().collect();
    for user in users {
        let Some(relation) = get_mut(catalog, &user) else { continue };
        let types = relation.columns.iter_mut().filter_map(|column| column.column_type.as_mut());
        for of in types.filter(|of| of.name == *old) {
            of.name = new.clone();
        }
    }
    catalog.rename_in_users(old, new);
}

/// Makes the indexes of a partition no parts of those of the table above any more.
pub(crate) fn detach_indexes(catalog: &mut DdlCatalog, table: &QualifiedName) {
    let owned: Vec<_> = catalog.owned.children(table).cloned().collect();
    for index in owned {
        let above: Vec<_> = catalog.heirs.parents(&index).cloned().collect();
        for above in above {
            catalog.heirs.remove(&above, &index);
        }
    }
}

/// `ALTER INDEX .. ATTACH PARTITION`.
pub(crate) fn attach_index(catalog: &mut DdlCatalog, above: &QualifiedName, part: &QualifiedName) {
    if let (Some((above, _)), Some((part, _))) =
        (find_index(catalog, above), find_index(catalog, part))
    {
        catalog.heirs.add(above, part);
    }
}

/// Takes a dropped relation out of what refers to it.
pub(crate) fn drop_references(catalog: &mut DdlCatalog, name: &QualifiedName) {
    drop_keys_to(catalog, name, None);
    // Its heirs and views go as well, and are needed for that.
    for owned in catalog.unlink(name) {
        let schema = catalog.schemas.get_mut(owned.schema.as_deref().unwrap_or_default());
        if let Some(schema) = schema {
            schema.relations.remove(&owned.name);
        }
    }
}
