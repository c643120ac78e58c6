//! The checks of the rules.

mod alter_table;
mod columns;
mod objects;
mod queries;
mod transactions;

use pg_ast::view::Node;

use crate::Finding;
use crate::stmt::{State, Stmt};

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
}

/// Writes a word in the case of an existing one.
fn in_case_of(model: &str, word: &str) -> String {
    if model.chars().any(char::is_uppercase) { word.to_uppercase() } else { word.to_lowercase() }
}
