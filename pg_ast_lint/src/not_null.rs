//! Columns that are known to have no NULL, since a constraint says so.

use std::collections::{HashMap, HashSet};

use pg_ast::protobuf::{BoolExprType, ConstrType, NullTestType};
use pg_ast::view::{Constraint, List, Node};

use crate::events::TableEvent;
use crate::known_constraints::is_not_null;
use crate::stmt::Key;

/// The constraints that a script has added to tables that it has not created, and those that are known to have been there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotNulls {
    tables: HashMap<Key, Constraints>,
    /// Tables with a constraint that the script has validated, and that another one has added.
    validated: HashSet<Key>,
}

/// The constraints of a table, so that none is searched for among all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Constraints {
    by_name: HashMap<String, Added>,
    /// The names of the constraints that keep a column from being NULL.
    by_column: HashMap<String, HashSet<String>>,
    /// How many constraints PostgreSQL has chosen such a name for.
    chosen: HashMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Added {
    /// Whether the database has it before the script.
    is_before: bool,
    is_valid: bool,
    /// The transaction that has added it.
    transaction: Option<usize>,
    /// The columns that are not NULL where it holds.
    columns: Vec<String>,
}

impl NotNulls {
    /// Returns whether `SET NOT NULL` finds a valid constraint, and does not read the table.
    pub(crate) fn has(&self, table: &Key, column: &str) -> bool {
        self.validated.contains(table)
            || self.tables.get(table).is_some_and(|constraints| {
                let mut names = constraints.by_column.get(column).into_iter().flatten();
                names.any(|name| constraints.by_name.get(name).is_some_and(|it| it.is_valid))
            })
    }

    /// Returns whether the script has added a constraint.
    pub(crate) fn has_added(&self, table: &Key, name: &str) -> bool {
        self.added(table, name).is_some_and(|it| !it.is_before)
    }

    /// Returns whether a transaction has added a constraint that is not valid.
    pub(crate) fn is_unvalidated(&self, table: &Key, name: &str, transaction: usize) -> bool {
        let added = self.added(table, name);
        added.is_some_and(|it| !it.is_valid && it.transaction == Some(transaction))
    }

    /// Notes that all of these have been there before.
    pub(crate) fn are_before(&mut self) {
        for added in self.tables.values_mut().flat_map(|it| it.by_name.values_mut()) {
            added.is_before = true;
            added.transaction = None;
        }
    }

    fn added(&self, table: &Key, name: &str) -> Option<&Added> {
        self.tables.get(table)?.by_name.get(name)
    }

    pub(crate) fn alter(&mut self, table: &Key, event: &TableEvent, transaction: Option<usize>) {
        let added = self.tables.entry(table.clone()).or_default();
        match event {
            TableEvent::AddsConstraint(constraint) => added.add(constraint, transaction),
            TableEvent::ValidatesConstraint(name) => match added.by_name.get_mut(name) {
                Some(added) => added.is_valid = true,
                None => {
                    self.validated.insert(table.clone());
                }
            },
            TableEvent::DropsConstraint(name) => drop(added.remove(name)),
            TableEvent::AddsColumn(_) | TableEvent::DropsColumn(_) | TableEvent::SetsDefault(_) => {
            }
        }
    }

    pub(crate) fn rename(&mut self, old: &Key, new: &Key) {
        if let Some(added) = self.tables.remove(old) {
            self.tables.insert(new.clone(), added);
        }
        if self.validated.remove(old) {
            self.validated.insert(new.clone());
        }
    }

    pub(crate) fn rename_column(&mut self, table: &Key, old: &str, new: &str) {
        if let Some(constraints) = self.tables.get_mut(table) {
            constraints.rename_column(old, new);
        }
    }

    pub(crate) fn rename_constraint(&mut self, table: &Key, old: &str, new: &str) {
        if let Some(constraints) = self.tables.get_mut(table)
            && let Some(added) = constraints.remove(old)
        {
            constraints.insert(new.to_owned(), added);
        }
    }

    pub(crate) fn drop(&mut self, table: &Key) {
        self.tables.remove(table);
        self.validated.remove(table);
    }
}

impl Constraints {
    fn add(&mut self, constraint: &NewConstraint, transaction: Option<usize>) {
        let NewConstraint { name, is_chosen, is_valid, columns } = constraint;
        let (is_valid, columns) = (*is_valid, columns.clone());
        if !is_chosen {
            let added = Added { is_before: false, is_valid, transaction, columns };
            return self.insert(name.clone(), added);
        }
        // As ChooseConstraintName numbers them.
        let before = self.chosen.entry(name.clone()).or_default();
        let numbered = if *before == 0 { name.clone() } else { format!("{name}{before}") };
        *before += 1;
        self.insert(numbered, Added { is_before: false, is_valid, transaction, columns });
    }

    fn insert(&mut self, name: String, added: Added) {
        for column in &added.columns {
            self.by_column.entry(column.clone()).or_default().insert(name.clone());
        }
        self.by_name.insert(name, added);
    }

    fn remove(&mut self, name: &str) -> Option<Added> {
        let added = self.by_name.remove(name)?;
        for column in &added.columns {
            if let Some(names) = self.by_column.get_mut(column) {
                names.remove(name);
            }
        }
        Some(added)
    }

    fn rename_column(&mut self, old: &str, new: &str) {
        let Some(names) = self.by_column.remove(old) else { return };
        for name in &names {
            let columns = self.by_name.get_mut(name).into_iter().flat_map(|it| &mut it.columns);
            columns.filter(|column| *column == old).for_each(|column| new.clone_into(column));
        }
        self.by_column.entry(new.to_owned()).or_default().extend(names);
    }
}

/// A constraint that a statement adds.
#[derive(Clone, Debug, Hash)]
pub(crate) struct NewConstraint {
    /// Its name, or the first that PostgreSQL would choose.
    name: String,
    is_chosen: bool,
    is_valid: bool,
    /// The columns that are not NULL where it holds.
    columns: Vec<String>,
}

impl NewConstraint {
    pub(crate) fn of(table: &str, constraint: Constraint<'_>) -> Self {
        let columns = match constraint.contype() {
            ConstrType::ConstrNotnull => constraint.keys().strs().map(str::to_owned).collect(),
            ConstrType::ConstrCheck => not_null_columns(constraint.raw_expr()),
            _ => Vec::new(),
        };
        let is_valid = !constraint.skip_validation();
        let (name, is_chosen) = match constraint.conname() {
            "" => (chosen_name(table, constraint), true),
            name => (name.to_owned(), false),
        };
        Self { name, is_chosen, is_valid, columns }
    }

    /// Makes that of a column in `CREATE TABLE`.
    pub(crate) fn of_column(table: &str, column: &str, constraint: Constraint<'_>) -> Self {
        let mut new = Self::of(table, constraint);
        if is_not_null(constraint.contype()) {
            new.columns = vec![column.to_owned()];
        }
        new
    }

    /// Returns its name if it is written.
    pub(crate) fn written_name(self) -> Option<String> {
        (!self.is_chosen).then_some(self.name)
    }
}

/// Returns the name that PostgreSQL chooses for a constraint without one, before it is numbered: see `ChooseConstraintName` and
/// `ChooseIndexName`.
fn chosen_name(table: &str, constraint: Constraint<'_>) -> String {
    let joined = |names: List<'_>| names.strs().collect::<Vec<_>>().join("_");
    let (columns, label) = match constraint.contype() {
        ConstrType::ConstrNotnull => (joined(constraint.keys()), "not_null"),
        ConstrType::ConstrCheck => {
            (only_column(constraint.raw_expr()).unwrap_or_default().to_owned(), "check")
        }
        ConstrType::ConstrForeign => (joined(constraint.fk_attrs()), "fkey"),
        ConstrType::ConstrUnique => (joined(constraint.keys()), "key"),
        ConstrType::ConstrPrimary => (String::new(), "pkey"),
        _ => (String::new(), "excl"),
    };
    let parts = [table, &columns, label];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

/// Returns the column that an expression names, if it names one only.
fn only_column(expr: Option<Node<'_>>) -> Option<&str> {
    let columns = expr?.nodes().filter_map(Node::as_column_ref);
    let mut names = columns.filter_map(|column| column.names().next_back());
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
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
