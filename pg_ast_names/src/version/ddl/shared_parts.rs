//! Adds constraints and indexes to tables, and gives tables those of others: partitions, heirs, `LIKE`.

use std::collections::HashSet;

use pg_ast::QualifiedName;

use super::apply_ddl::get_mut;
use super::apply_objects::find;
use super::table_parts::GivenName;
use crate::ddl_catalog::{DdlCatalog, index_name};
use crate::name_catalog::Relation;
use crate::relation_parts::{ConstraintKind, RelationConstraint, RelationIndex, RelationTrigger};

/// How many names are tried, and compared: no table has as many constraints or indexes.
const MOST_NAMES: usize = 1000;

/// Returns the indexes of a table that are not those of constraints.
pub(crate) fn plain_indexes(relation: &Relation) -> impl Iterator<Item = &RelationIndex> {
    let keys: HashSet<_> = relation.constraints.iter().map(|it| it.name.as_str()).collect();
    relation.indexes.iter().filter(move |index| !keys.contains(index.name.as_str()))
}

/// A constraint and its index, which has its name.
pub(crate) type KeyParts = (RelationConstraint, RelationIndex);

/// Returns a constraint of a table that has an index, with this.
pub(crate) fn key_parts(relation: &Relation, constraint: &RelationConstraint) -> Option<KeyParts> {
    let index = relation.indexes.iter().find(|index| index.name == constraint.name)?;
    Some((constraint.clone(), index.clone()))
}

/// Gives a table a constraint with an index that another table has: the one above it, if it is a partition, or one with `LIKE`.
///
/// Returns its own, if it is new.
pub(crate) fn copy_key(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    above: Option<&QualifiedName>,
    (constraint, index): &KeyParts,
) -> Option<KeyParts> {
    let relation = find(catalog, table)?;
    let above = above.map(|above| index_name(above, &index.name));
    let is_free = |own: &&RelationConstraint| {
        let own = index_name(table, &own.name);
        catalog.heirs.parents(&own).next().is_none()
    };
    let mut same = relation.constraints.iter().filter(|own| is_same_key(own, constraint));
    if let Some(same) = same.find(is_free).filter(|_| above.is_some()) {
        let same = index_name(table, &same.name);
        link(catalog, above, same);
        return None;
    }
    let names = index.column_names.iter().map(String::as_str);
    let given = match constraint.kind {
        ConstraintKind::PrimaryKey => GivenName::new("pkey", []),
        ConstraintKind::Exclusion => GivenName::new("excl", names),
        _ => GivenName::new("key", names),
    };
    let name = push_constraint(catalog, table, constraint.clone(), Some(&given))?;
    let index = RelationIndex { name: name.clone(), ..index.clone() };
    push_index(catalog, table, index.clone(), false);
    link(catalog, above, index_name(table, &name));
    Some((RelationConstraint { name, ..constraint.clone() }, index))
}

/// Gives the partitions of a table a constraint with an index that it has.
pub(crate) fn copy_key_down(catalog: &mut DdlCatalog, table: &QualifiedName, key: KeyParts) {
    copy_down(catalog, table, key, |catalog, part, above, key| {
        copy_key(catalog, part, Some(above), key)
    });
}

/// Calls `copy` for the partitions of a table and what it has, and for those of each that it returns something new for.
fn copy_down<T>(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    first: T,
    copy: impl Fn(&mut DdlCatalog, &QualifiedName, &QualifiedName, &T) -> Option<T>,
) {
    let mut above = vec![(table.clone(), first)];
    let mut seen = HashSet::new();
    while let Some((table, of_table)) = above.pop() {
        let parts: Vec<_> = catalog.heirs.children(&table).cloned().collect();
        for part in parts {
            let is_partition = find(catalog, &part).is_some_and(|it| it.is_partition);
            if is_partition
                && seen.insert(part.clone())
                && let Some(new) = copy(catalog, &part, &table, &of_table)
            {
                above.push((part, new));
            }
        }
    }
}

fn is_same_key(one: &RelationConstraint, other: &RelationConstraint) -> bool {
    one.kind == other.kind && one.columns == other.columns && one.timing == other.timing
}

/// Notes that an index is part of another one, that of the table above.
fn link(catalog: &mut DdlCatalog, above: Option<QualifiedName>, index: QualifiedName) {
    if let Some(above) = above {
        catalog.heirs.add(above, index);
    }
}

/// Gives a table what it inherits from another one. A partition that has the same already keeps its own.
pub(crate) fn inherit(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    parent: &Relation,
    is_partition: bool,
) {
    for constraint in &parent.constraints {
        match constraint.kind {
            ConstraintKind::Check | ConstraintKind::NotNull if constraint.is_inherited => {
                // A new table has no rows that it does not hold for; another one has its own already.
                let valid = RelationConstraint { is_validated: true, ..constraint.clone() };
                push_constraint(catalog, table, valid, None);
            }
            ConstraintKind::ForeignKey(_) if is_partition => {
                copy_foreign_key(catalog, table, constraint);
            }
            ConstraintKind::Check | ConstraintKind::NotNull | ConstraintKind::ForeignKey(_) => {}
            _ if is_partition => {
                if let Some(key) = key_parts(parent, constraint)
                    && let Some(new) = copy_key(catalog, table, Some(&parent.name), &key)
                {
                    copy_key_down(catalog, table, new);
                }
            }
            _ => {}
        }
    }
    if is_partition {
        for index in plain_indexes(parent) {
            if let Some(name) = copy_index(catalog, table, &parent.name, index) {
                copy_index_down(catalog, table, &RelationIndex { name, ..index.clone() });
            }
        }
        if let Some(relation) = get_mut(catalog, table) {
            let has_it =
                |it: &&RelationTrigger| relation.triggers.iter().any(|own| own.name == it.name);
            let rows = parent.triggers.iter().filter(|it| it.for_each_row && !has_it(it));
            let rows: Vec<_> = rows.cloned().collect();
            relation.triggers.extend(rows.iter().cloned());
            for trigger in rows {
                catalog.callers.add(trigger.function, table.clone());
            }
        }
    }
}

/// Gives a partition a foreign key of the table above it.
pub(crate) fn copy_foreign_key(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    constraint: &RelationConstraint,
) {
    let relation = find(catalog, table);
    if relation.is_some_and(|it| it.constraints.iter().any(|own| is_same_key(own, constraint))) {
        return;
    }
    let is_taken =
        relation.is_some_and(|it| it.constraints.iter().any(|own| own.name == constraint.name));
    let given = GivenName::new("fkey", constraint.columns.iter().map(String::as_str));
    push_constraint(catalog, table, constraint.clone(), is_taken.then_some(&given));
}

/// Gives a partition an index of the table above it, and returns its name; or makes its own one a part of that.
pub(crate) fn copy_index(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    above: &QualifiedName,
    index: &RelationIndex,
) -> Option<String> {
    let relation = find(catalog, table).filter(|it| !it.is_foreign)?;
    let is_same = |own: &&RelationIndex| {
        own.columns == index.columns
            && own.is_unique == index.is_unique
            && own.is_partial == index.is_partial
            && own.method == index.method
            && catalog.heirs.parents(&index_name(table, &own.name)).next().is_none()
    };
    let above = Some(index_name(above, &index.name));
    if let Some(same) = relation.indexes.iter().find(is_same) {
        let same = index_name(table, &same.name);
        link(catalog, above, same);
        return None;
    }
    let name = push_index(catalog, table, index.clone(), true);
    link(catalog, above, index_name(table, &name));
    Some(name)
}

/// Gives the partitions of a table an index that it has.
pub(crate) fn copy_index_down(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    index: &RelationIndex,
) {
    copy_down(catalog, table, index.clone(), |catalog, part, above, index| {
        let name = copy_index(catalog, part, above, index)?;
        Some(RelationIndex { name, ..index.clone() })
    });
}

/// Adds a constraint to a table: with its own name, under which one that is there already becomes the same, or with one that is
/// given to it. Returns the name, if it is new.
pub(crate) fn push_constraint(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    mut constraint: RelationConstraint,
    given: Option<&GivenName>,
) -> Option<String> {
    let relation = find(catalog, table)?;
    let is_index = constraint.has_index();
    if relation.constraints.len() < MOST_NAMES {
        let names: HashSet<_> = relation.constraints.iter().map(|it| it.name.as_str()).collect();
        match given {
            None if names.contains(constraint.name.as_str()) => return None,
            None => {}
            Some(given) => {
                constraint.name = free_name(given, &table.name, |name| {
                    names.contains(name) || is_index && is_name_taken(catalog, table, name)
                });
            }
        }
    } else if let Some(given) = given {
        constraint.name = given.of(&table.name, 0);
    }
    constraint.mark = catalog.mark();
    let relation = get_mut(catalog, table)?;
    if matches!(constraint.kind, ConstraintKind::PrimaryKey | ConstraintKind::NotNull)
        && constraint.is_validated
    {
        for column in &mut relation.columns {
            column.is_not_null |= constraint.columns.contains(&column.name);
        }
    }
    let name = constraint.name.clone();
    let referenced = match &constraint.kind {
        ConstraintKind::ForeignKey(key) => Some(key.table.clone()),
        _ => None,
    };
    relation.constraints.push(constraint);
    if let Some(referenced) = referenced {
        catalog.references.add(referenced, table.clone());
    }
    Some(name)
}

fn free_name(given: &GivenName, table: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut names = (0..MOST_NAMES).map(|number| given.of(table, number));
    names.find(|name| !is_taken(name)).unwrap_or_else(|| given.of(table, 0))
}

/// Returns whether a relation or an index in the schema of a table has a name.
pub(crate) fn is_name_taken(catalog: &DdlCatalog, table: &QualifiedName, name: &str) -> bool {
    let name = index_name(table, name);
    catalog.owned.parents(&name).next().is_some() || find(catalog, &name).is_some()
}

/// Adds an index to a table, under its name or a new one, which it returns.
pub(crate) fn push_index(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    mut index: RelationIndex,
    is_named_anew: bool,
) -> String {
    if is_named_anew {
        let given = GivenName::new("idx", index.column_names.iter().map(String::as_str));
        index.name = free_name(&given, &table.name, |name| is_name_taken(catalog, table, name));
    }
    let name = index.name.clone();
    catalog.owned.add(table.clone(), index_name(table, &name));
    if let Some(relation) = get_mut(catalog, table) {
        relation.indexes.push(index);
    }
    name
}
