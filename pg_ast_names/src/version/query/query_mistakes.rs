//! What the server refuses in queries beside names without a meaning: numbers of columns that do not fit together, places that are
//! not in a list, names that are given twice.

use std::collections::HashSet;

use pg_ast::Literal;

use super::lookup::column_names::NamedColumns;
use super::pg::protobuf::SetOperation;
use super::pg::seam::number_field;
use super::pg::view::{InsertStmt, List, Node, SelectStmt, WindowDef};
use super::resolver::NameResolver;
use crate::name_mistakes::MistakeKind;

/// Names, of which most lists have so few that it is faster to compare them.
#[derive(Default)]
pub(crate) struct NameSet<'a> {
    few: Vec<&'a str>,
    many: Option<HashSet<&'a str>>,
}

impl<'a> NameSet<'a> {
    const FEW: usize = 8;

    /// Adds a name; returns false if it is there already.
    fn insert(&mut self, name: &'a str) -> bool {
        if self.contains(name) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(name);
        } else {
            self.many.get_or_insert_default().insert(name);
        }
        true
    }

    fn contains(&self, name: &str) -> bool {
        self.few.contains(&name) || self.many.as_ref().is_some_and(|many| many.contains(name))
    }
}

/// Returns the first place of an expression, as `exprLocation` does; -1 if it has none.
fn first_location(expr: Option<Node<'_>>) -> i32 {
    let nodes = expr.into_iter().flat_map(Node::nodes);
    let locations = nodes.filter_map(|node| i32::try_from(number_field(node, "location")?).ok());
    locations.filter(|location| *location >= 0).min().unwrap_or(-1)
}

/// Returns the number of values in a list; `None` if it has `t.*`.
fn count_of(values: List<'_>) -> Option<usize> {
    let is_star = |value: Node<'_>| matches!(value, Node::ColumnRef(column) if column.is_star());
    (!values.iter().any(is_star)).then_some(values.len())
}

impl<'a> NameResolver<'a> {
    fn query_mistake(&mut self, node: Node<'a>, location: i32, kind: MistakeKind, message: String) {
        if !self.is_lenient {
            self.mistake(node, location, 0, kind, message, None);
        }
    }

    /// Checks a constant in `ORDER BY`, `GROUP BY` or `DISTINCT ON`, which is the place of a column; see `findTargetlistEntrySQL92`
    /// of PostgreSQL's `parse_clause.c`. Returns whether it is one.
    pub(crate) fn check_place(
        &mut self,
        value: Node<'a>,
        columns: &NamedColumns<'a>,
        clause: &str,
    ) -> bool {
        let Node::AConst(constant) = value else { return false };
        let location = constant.location();
        match value.literal() {
            // What does not fit into 32 bits is no integer for the grammar.
            Some(Literal::Integer(place)) if i32::try_from(place).is_ok() => {
                let is_there = usize::try_from(place)
                    .is_ok_and(|place| (1..=columns.columns.len()).contains(&place));
                if !is_there && columns.is_complete() {
                    let message = format!("{clause} position {place} is not in select list");
                    self.query_mistake(value, location, MistakeKind::MissingPosition, message);
                }
            }
            _ => {
                let message = format!("non-integer constant in {clause}");
                self.query_mistake(value, location, MistakeKind::NonIntegerPosition, message);
            }
        }
        true
    }

    /// Checks that both queries of a set operation return as many columns; see `transformSetOperationTree` of `analyze.c`.
    pub(crate) fn check_arms(
        &mut self,
        select: SelectStmt<'a>,
        [left, right]: [&NamedColumns<'a>; 2],
    ) {
        let is_known = left.is_complete() && right.is_complete();
        if !is_known || left.columns.len() == right.columns.len() {
            return;
        }
        let operation = match select.op() {
            SetOperation::SetopUnion => "UNION",
            SetOperation::SetopIntersect => "INTERSECT",
            _ => "EXCEPT",
        };
        let first = select.rarg().and_then(|right| right.targets().next()?.val());
        let message = format!("each {operation} query must have the same number of columns");
        let location = first_location(first);
        self.query_mistake(select.into(), location, MistakeKind::UnequalQueries, message);
    }

    /// Checks that the rows of a `VALUES` are as long as the first one.
    pub(crate) fn check_rows(&mut self, select: SelectStmt<'a>) {
        let mut first = None;
        for row in select.rows() {
            let Some(count) = count_of(row) else { return };
            if *first.get_or_insert(count) != count {
                let message = "VALUES lists must all be the same length".to_owned();
                let location = first_location(row.first());
                self.query_mistake(select.into(), location, MistakeKind::UnequalRows, message);
                return;
            }
        }
    }

    /// Checks that no query of a `WITH` has the name of another one, and that none lists a column twice.
    pub(crate) fn check_cte_names(&mut self, ctes: List<'a>) {
        let mut seen = NameSet::default();
        for node in ctes {
            let Node::CommonTableExpr(cte) = node else { continue };
            if !seen.insert(cte.ctename()) {
                let name = cte.ctename();
                let message = format!("WITH query name \"{name}\" specified more than once");
                self.query_mistake(node, cte.location(), MistakeKind::DuplicateCte, message);
            }
            let search = cte.search_clause();
            let search = search.map(|it| ("search", it.search_col_list(), it.location()));
            let cycle = cte.cycle_clause();
            let cycle = cycle.map(|it| ("cycle", it.cycle_col_list(), it.location()));
            for (what, columns, location) in search.into_iter().chain(cycle) {
                let mut seen = NameSet::default();
                if let Some(twice) = columns.strs().find(|name| !seen.insert(name)) {
                    let message = format!("{what} column \"{twice}\" specified more than once");
                    self.query_mistake(node, location, MistakeKind::DuplicateTarget, message);
                }
            }
        }
    }

    /// Makes the windows of a query known, and checks their names; see `transformWindowDefinitions` of `parse_clause.c`.
    pub(crate) fn define_windows(&mut self, windows: List<'a>) {
        let mut names = NameSet::default();
        for node in windows {
            let Node::WindowDef(window) = node else { continue };
            let name = window.name();
            if !names.insert(name) {
                let message = format!("window \"{name}\" is already defined");
                self.query_mistake(node, window.location(), MistakeKind::DuplicateWindow, message);
            }
        }
        if let Some(of_query) = self.windows.last_mut() {
            *of_query = names;
        }
    }

    /// Checks the window that an `OVER` or another window names.
    pub(crate) fn check_window(&mut self, window: WindowDef<'a>, is_definition: bool) {
        let name = match (window.name(), window.refname()) {
            (name, "") if !is_definition => name,
            (_, name) => name,
        };
        let is_there = self.windows.last().is_some_and(|names| names.contains(name));
        if !name.is_empty() && !is_there {
            let message = format!("window \"{name}\" does not exist");
            let kind = MistakeKind::MissingWindow;
            self.query_mistake(window.into(), window.location(), kind, message);
        }
    }

    /// Checks that an `INSERT` has as many values as columns, and none of these twice; see `checkInsertTargets` and
    /// `transformInsertRow` of PostgreSQL's `analyze.c`.
    pub(crate) fn check_insert(
        &mut self,
        insert: InsertStmt<'a>,
        source: usize,
        query: Option<&NamedColumns<'a>>,
    ) {
        let columns = insert.cols();
        self.check_targets(columns);
        let (Some(select), Some(query)) = (insert.source(), query) else { return };
        let table = &self.sources[source].columns;
        let wanted = match columns.len() {
            0 if table.is_complete() => table.columns.len(),
            0 => return,
            count => count,
        };
        let (count, row) = match select.rows().next() {
            Some(row) => match count_of(row) {
                Some(count) => (count, row),
                None => return,
            },
            None if query.is_complete() => (query.columns.len(), select.target_list()),
            None => return,
        };
        let value = |place: usize| match row.get(place) {
            Some(Node::ResTarget(target)) => target.val(),
            other => other,
        };
        if count > wanted {
            let message = "INSERT has more expressions than target columns".to_owned();
            let location = if count == row.len() { first_location(value(wanted)) } else { -1 };
            self.query_mistake(insert.into(), location, MistakeKind::TooManyValues, message);
        } else if count < wanted && !columns.is_empty() {
            let message = "INSERT has more target columns than expressions".to_owned();
            let location = first_location(columns.get(count));
            self.query_mistake(insert.into(), location, MistakeKind::TooFewValues, message);
        }
    }

    /// Checks that no column is a target twice, of which parts may be.
    fn check_targets(&mut self, targets: List<'a>) {
        let (mut wholes, mut parts) = (NameSet::default(), NameSet::default());
        for node in targets {
            let Node::ResTarget(target) = node else { continue };
            let name = target.name();
            let is_again = if target.indirection().is_empty() {
                !wholes.insert(name) || parts.contains(name)
            } else {
                parts.insert(name);
                wholes.contains(name)
            };
            if is_again {
                let message = format!("column \"{name}\" specified more than once");
                let kind = MistakeKind::DuplicateTarget;
                self.query_mistake(node, target.location(), kind, message);
            }
        }
    }

    /// Checks that no column is assigned twice, of which parts may be; see `process_matched_tle` of `rewriteHandler.c`.
    pub(crate) fn check_assignments(&mut self, stmt: Node<'a>, targets: List<'a>) {
        let mut wholes = NameSet::default();
        for node in targets {
            let Node::ResTarget(target) = node else { continue };
            if target.indirection().is_empty() && !wholes.insert(target.name()) {
                let name = target.name();
                let message = format!("multiple assignments to same column \"{name}\"");
                self.query_mistake(stmt, -1, MistakeKind::DuplicateAssignment, message);
            }
        }
    }
}
