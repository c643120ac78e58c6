//! Columns that are known to have no NULL, since a constraint says so.

use std::collections::{HashMap, HashSet};

use pg_ast::protobuf::{AlterTableType, BoolExprType, ConstrType, NullTestType, ObjectType};
use pg_ast::view::{AlterTableStmt, Constraint, Node, RenameStmt};

use crate::stmt::{Key, key};

/// The constraints that a script has added to tables that it has not created.
#[derive(Debug, Default)]
pub(crate) struct NotNulls {
    tables: HashMap<Key, Vec<Added>>,
    /// Tables with a constraint that the script has validated, and that another one has added.
    validated: HashSet<Key>,
}

#[derive(Debug)]
struct Added {
    name: String,
    is_valid: bool,
    /// The transaction that has added it.
    transaction: Option<usize>,
    /// The columns that are not NULL where it holds.
    columns: Vec<String>,
}

impl NotNulls {
    /// Returns whether `SET NOT NULL` finds a valid constraint, and does not read the table.
    pub(crate) fn has(&self, table: &Key, column: &str) -> bool {
        let mut added = self.tables.get(table).into_iter().flatten().filter(|it| it.is_valid);
        self.validated.contains(table)
            || added.any(|it| it.columns.iter().any(|name| name == column))
    }

    /// Returns whether the script has added a constraint.
    pub(crate) fn has_added(&self, table: &Key, name: &str) -> bool {
        self.tables.get(table).into_iter().flatten().any(|it| it.name == name)
    }

    /// Returns whether a transaction has added a constraint that is not valid.
    pub(crate) fn is_unvalidated(&self, table: &Key, name: &str, transaction: usize) -> bool {
        let mut added = self.tables.get(table).into_iter().flatten();
        added.any(|it| it.name == name && !it.is_valid && it.transaction == Some(transaction))
    }

    pub(crate) fn alter(&mut self, alter: AlterTableStmt<'_>, transaction: Option<usize>) {
        let Some(relation) = alter.relation() else { return };
        let table = key(relation.schemaname(), relation.relname());
        for cmd in alter.cmds().iter().filter_map(Node::as_alter_table_cmd) {
            let added = self.tables.entry(table.clone()).or_default();
            match cmd.subtype() {
                AlterTableType::AtAddConstraint => {
                    let constraint = cmd.def().and_then(Node::as_constraint);
                    added.extend(constraint.map(|it| Added::new(&table.1, it, transaction)));
                }
                AlterTableType::AtValidateConstraint => {
                    match added.iter_mut().find(|it| it.name == cmd.name()) {
                        Some(added) => added.is_valid = true,
                        None => {
                            self.validated.insert(table.clone());
                        }
                    }
                }
                AlterTableType::AtDropConstraint => added.retain(|it| it.name != cmd.name()),
                _ => {}
            }
        }
    }

    pub(crate) fn rename(&mut self, rename: RenameStmt<'_>) {
        let Some(relation) = rename.relation() else { return };
        let table = key(relation.schemaname(), relation.relname());
        let (old, new) = (rename.subname(), rename.newname());
        match rename.rename_type() {
            ObjectType::ObjectTable => {
                if let Some(added) = self.tables.remove(&table) {
                    self.tables.insert((table.0.clone(), new.to_owned()), added);
                }
                if self.validated.remove(&table) {
                    self.validated.insert((table.0, new.to_owned()));
                }
            }
            ObjectType::ObjectColumn => {
                let added = self.tables.get_mut(&table).into_iter().flatten();
                let columns = added.flat_map(|it| &mut it.columns);
                columns.filter(|name| *name == old).for_each(|name| new.clone_into(name));
            }
            ObjectType::ObjectTabconstraint => {
                let added = self.tables.get_mut(&table).into_iter().flatten();
                added.filter(|it| it.name == old).for_each(|it| new.clone_into(&mut it.name));
            }
            _ => {}
        }
    }

    pub(crate) fn drop(&mut self, table: &Key) {
        self.tables.remove(table);
        self.validated.remove(table);
    }
}

impl Added {
    fn new(table: &str, constraint: Constraint<'_>, transaction: Option<usize>) -> Self {
        let (columns, kind) = match constraint.contype() {
            ConstrType::ConstrNotnull => {
                (constraint.keys().strs().map(str::to_owned).collect(), "not_null")
            }
            ConstrType::ConstrCheck => (not_null_columns(constraint.raw_expr()), "check"),
            _ => (Vec::new(), ""),
        };
        // The name that PostgreSQL chooses.
        let name = match (constraint.conname(), columns.as_slice()) {
            ("", [column]) => format!("{table}_{column}_{kind}"),
            ("", []) if constraint.contype() == ConstrType::ConstrForeign => {
                let columns = constraint.fk_attrs().strs().collect::<Vec<_>>().join("_");
                format!("{table}_{columns}_fkey")
            }
            ("", _) => format!("{table}_{kind}"),
            (name, _) => name.to_owned(),
        };
        Self { name, is_valid: !constraint.skip_validation(), transaction, columns }
    }
}

/// Returns the columns of `a IS NOT NULL AND b IS NOT NULL`.
fn not_null_columns(expr: Option<Node<'_>>) -> Vec<String> {
    let mut columns = Vec::new();
    let mut left: Vec<_> = expr.into_iter().collect();
    while let Some(expr) = left.pop() {
        match expr {
            Node::BoolExpr(and) if and.boolop() == BoolExprType::AndExpr => {
                left.extend(and.args().iter());
            }
            Node::NullTest(test) if test.nulltesttype() == NullTestType::IsNotNull => {
                let column = test.arg().and_then(Node::as_column_ref);
                let name = column.and_then(|column| column.names().next_back());
                columns.extend(name.map(str::to_owned));
            }
            _ => {}
        }
    }
    columns
}
