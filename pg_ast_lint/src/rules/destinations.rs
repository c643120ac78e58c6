//! Queries in PL/pgSQL whose rows have no destination.

use core::ops::Range;

use pg_ast::protobuf::Token;
use pg_ast::view::Node;

use super::in_case_of;
use crate::stmt::Stmt;
use crate::{Finding, Fix, Rule};

/// Checks a statement of PL/pgSQL that takes no rows.
pub(super) fn check(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let tokens = stmt.tokens(&stmt.range);
    let Some((first, word)) = tokens.first() else { return };
    let finding = Finding::of(Rule::QueryWithoutDestination, word.clone());
    found.push(match node {
        Node::SelectStmt(_) if *first == Token::Select => {
            let perform = in_case_of(stmt.text(word.clone()), "perform");
            // An INTO may be missing.
            let fix = Fix::new("Use PERFORM", vec![(word.clone(), perform)]).guess();
            finding.help("use PERFORM, or add INTO").fix(Some(fix))
        }
        Node::SelectStmt(_) | Node::ExplainStmt(_) | Node::VariableShowStmt(_) => {
            finding.help("add INTO")
        }
        Node::InsertStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) | Node::MergeStmt(_) => {
            let Some(returning) = returning(tokens) else { return };
            Finding { range: returning, ..finding }.help("add INTO, or remove RETURNING")
        }
        _ => return,
    });
}

/// Returns the place of the `RETURNING` of the statement itself: that of a part is in parentheses.
fn returning(tokens: &[(Token, Range<usize>)]) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    let found = tokens.iter().find(|(token, _)| {
        match token {
            Token::Ascii40 => depth += 1,
            Token::Ascii41 => depth = depth.saturating_sub(1),
            _ => {}
        }
        *token == Token::Returning && depth == 0
    });
    found.map(|(_, place)| place.clone())
}
