//! The checks of the rules.

mod alter_table;
mod columns;
mod destinations;
mod dynamic;
mod flow;
mod objects;
mod queries;
mod shadowed;
mod transactions;
mod variables;

use core::ops::Range;

use pg_ast::plpgsql::Function;
use pg_ast::view::Node;

use crate::Finding;
use crate::stmt::{Rows, State, Stmt};

/// Runs all rules on a node; `state` is the state before the node.
pub(crate) fn check(
    stmt: &Stmt<'_>,
    state: &State,
    node: Node<'_>,
    ancestors: &[Node<'_>],
    found: &mut Vec<Finding>,
) {
    match node {
        Node::AlterTableStmt(alter) => alter_table::check(stmt, state, alter, found),
        Node::ColumnDef(column) => columns::check(stmt, column, ancestors, found),
        Node::SelectStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) | Node::AExpr(_) => {
            queries::check(stmt, node, ancestors, found);
        }
        _ => objects::check(stmt, state, node, ancestors, found),
    }
    transactions::check(stmt, state, node, found);
    if stmt.rows == Rows::Nowhere && matches!(ancestors, [Node::RawStmt(_)]) {
        destinations::check(stmt, node, found);
    }
}

/// Runs the rules about functions in PL/pgSQL; `stmt` is the place of the function's statement in the script.
pub(crate) fn check_function(
    script: &str,
    stmt: &Range<usize>,
    function: &Function,
    found: &mut Vec<Finding>,
) {
    let text = script.get(stmt.clone()).unwrap_or_default();
    let first = found.len();
    let variables = function.variables();
    variables::check(text, function, &variables, found);
    dynamic::check(text, function, &variables, found);
    shadowed::check(text, function, found);
    flow::check(text, function, found);
    // Their places are those in the statement.
    for finding in &mut found[first..] {
        let shift = |range: &Range<usize>| stmt.start + range.start..stmt.start + range.end;
        finding.range = shift(&finding.range);
        for (range, _) in finding.fix.iter_mut().flat_map(|fix| &mut fix.changes) {
            *range = shift(range);
        }
    }
}

/// Returns the place of the name that begins at an offset.
fn name_at(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let len = |part: &str| match part.strip_prefix('"') {
        Some(quoted) => quoted.find('"').map_or(1, |end| end + 2),
        None => {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            part.find(|c| !is_name(c)).unwrap_or(part.len())
        }
    };
    let mut end = len(rest);
    while rest[end..].starts_with('.') && len(&rest[end + 1..]) > 0 {
        end += 1 + len(&rest[end + 1..]);
    }
    start..start + end
}

/// Writes a word in the case of an existing one.
fn in_case_of(model: &str, word: &str) -> String {
    if model.chars().any(char::is_uppercase) { word.to_uppercase() } else { word.to_lowercase() }
}
