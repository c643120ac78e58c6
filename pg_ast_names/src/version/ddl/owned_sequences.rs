//! The sequences of a catalog: those that statements create, and those that columns of tables own.

use pg_ast::QualifiedName;

use super::apply_ddl::{add, is_there, key, take};
use super::apply_objects::find;
use super::pg::view::{AlterSeqStmt, CreateSeqStmt, List, Node, RangeVar};
use super::shared_parts::is_name_taken;
use super::table_parts::OwnedSequence;
use crate::ddl_catalog::DdlCatalog;
use crate::name_catalog::{Relation, RelationColumn, RelationKind};

/// The columns of a sequence.
const COLUMNS: [&str; 3] = ["last_value", "log_cnt", "is_called"];

pub(crate) fn create_sequence(catalog: &mut DdlCatalog, create: CreateSeqStmt<'_>) {
    let Some(sequence) = create.sequence() else { return };
    if create.if_not_exists() && is_there(catalog, sequence) {
        return;
    }
    let columns = COLUMNS.map(|name| RelationColumn::new(name.to_owned(), None));
    let name = add(catalog, sequence, RelationKind::Sequence, columns.into(), true);
    own(catalog, &name, create.options());
}

pub(crate) fn alter_sequence(catalog: &mut DdlCatalog, alter: AlterSeqStmt<'_>) {
    let name = alter.sequence().map(RangeVar::qualified_name);
    if let Some(name) = name.and_then(|name| key(catalog, &name)) {
        own(catalog, &name, alter.options());
    }
}

/// `OWNED BY`.
fn own(catalog: &mut DdlCatalog, sequence: &QualifiedName, options: List<'_>) {
    for option in options.iter().filter_map(Node::as_def_elem) {
        let Some(Node::List(list)) = option.arg().filter(|_| option.defname() == "owned_by") else {
            continue;
        };
        let tables: Vec<_> = catalog.owned.parents(sequence).cloned().collect();
        for table in tables {
            catalog.owned.remove(&table, sequence);
        }
        let names: Vec<_> = list.strs().collect();
        let (table, column) = match names.as_slice() {
            [table, column] => (QualifiedName::unqualified(*table), *column),
            [.., schema, table, column] => (QualifiedName::new(*schema, *table), *column),
            _ => continue,
        };
        if let Some(table) = find(catalog, &table).map(|it| it.name.clone()) {
            catalog.owned.add(table, sequence.clone());
            catalog.owner_columns.insert(sequence.clone(), column.to_owned());
        }
    }
}

/// Adds the sequence of a column, under a name that nothing else has.
pub(crate) fn add_sequence(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    sequence: OwnedSequence<'_>,
) {
    let schema = sequence.name.schema.or_else(|| table.schema.clone()).unwrap_or_default();
    let of = |name: String| QualifiedName::new(&schema, name);
    let mut name = of(sequence.name.name);
    if !sequence.is_written {
        // The server counts on; nobody has as many of one name.
        const MOST: usize = 1000;
        let numbered = (1..MOST).map(|number| format!("{}{number}", name.name));
        let mut names = core::iter::once(name.name.clone()).chain(numbered);
        if let Some(free) = names.find(|name| !is_name_taken(catalog, table, name)) {
            name = of(free);
        }
    }
    let relation = Relation::new(&schema, &name.name, RelationKind::Sequence, COLUMNS);
    catalog.add_relation(relation);
    catalog.owned.add(table.clone(), name.clone());
    catalog.owner_columns.insert(name, sequence.column.to_owned());
}

/// Returns the sequences of a column.
fn of_column(catalog: &DdlCatalog, table: &QualifiedName, column: &str) -> Vec<QualifiedName> {
    let is_its = |name: &&QualifiedName| {
        catalog.owner_columns.get(*name).is_some_and(|owner| owner == column)
    };
    catalog.owned.children(table).filter(is_its).cloned().collect()
}

/// Drops the sequences of a column.
pub(crate) fn drop_sequences(catalog: &mut DdlCatalog, table: &QualifiedName, column: &str) {
    for sequence in of_column(catalog, table, column) {
        take(catalog, &sequence);
        catalog.owned.remove(table, &sequence);
        catalog.owner_columns.remove(&sequence);
    }
}

pub(crate) fn rename_owner(
    catalog: &mut DdlCatalog,
    table: &QualifiedName,
    column: &str,
    new: &str,
) {
    for sequence in of_column(catalog, table, column) {
        catalog.owner_columns.insert(sequence, new.to_owned());
    }
}

/// Moves what a table owns into its new schema.
pub(crate) fn move_owned(catalog: &mut DdlCatalog, table: &QualifiedName, schema: &str) {
    let owned: Vec<_> = catalog.owned.children(table).cloned().collect();
    for old in owned {
        let new = QualifiedName::new(schema, &old.name);
        if let Some(mut sequence) = take(catalog, &old) {
            sequence.name = new.clone();
            catalog.add_relation(sequence);
        }
        if let Some(column) = catalog.owner_columns.remove(&old) {
            catalog.owner_columns.insert(new.clone(), column);
        }
        catalog.owned.rename(&old, &new);
        catalog.heirs.rename(&old, &new);
    }
}
