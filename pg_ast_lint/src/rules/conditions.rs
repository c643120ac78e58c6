//! Conditions that do not do what they seem to.

use std::collections::HashSet;

use pg_ast::Literal;
use pg_ast::protobuf::{AExprKind, BoolExprType, NullTestType, SubLinkType};
use pg_ast::view::{AExpr, BoolExpr, ColumnRef, Node, SubLink};

use crate::stmt::Stmt;
use crate::{Finding, Rule};

pub(super) fn check(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let condition = match node {
        Node::SelectStmt(select) => select.where_clause(),
        Node::UpdateStmt(update) => update.where_clause(),
        Node::DeleteStmt(delete) => delete.where_clause(),
        Node::AExpr(expr) => return not_in_list(stmt, expr, found),
        Node::BoolExpr(expr) => return negation(stmt, expr, found),
        // `<> ALL (SELECT ..)`.
        Node::SubLink(link)
            if link.sub_link_type() == SubLinkType::AllSublink
                && link.oper_name().strs().next_back() == Some("<>") =>
        {
            return not_in_query(stmt, node, link, found);
        }
        _ => return,
    };
    if let Some(condition) = condition
        && let Some(value) = value_of(condition)
    {
        let help = if value { "it holds for every row" } else { "it holds for no row" };
        found.push(Finding::of(Rule::ConstantCondition, stmt.place(condition)).help(help));
    }
}

/// Returns whether a condition holds for every row, or for none: `None` if that depends on the row.
fn value_of(condition: Node<'_>) -> Option<bool> {
    match condition {
        Node::BoolExpr(expr) if expr.boolop() == BoolExprType::NotExpr => {
            simple_value(expr.args().first()?, true)
        }
        Node::BoolExpr(expr) => {
            let decides = expr.boolop() == BoolExprType::OrExpr;
            let values: Vec<_> = expr.args().iter().map(|arg| simple_value(arg, false)).collect();
            if values.contains(&Some(decides)) {
                return Some(decides);
            }
            values.iter().all(|value| *value == Some(!decides)).then_some(!decides)
        }
        _ => simple_value(condition, false),
    }
}

/// Returns the value of a condition that is not made of others, or of `NOT` and such a condition.
fn simple_value(condition: Node<'_>, is_negated: bool) -> Option<bool> {
    if let Some(literal) = condition.literal() {
        return match literal {
            Literal::Boolean(value) => Some(value != is_negated),
            Literal::Null => Some(false),
            _ => None,
        };
    }
    let Node::AExpr(expr) = condition else { return None };
    let (left, right) = (expr.lexpr()?, expr.rexpr()?);
    let (left, right) = (left.literal()?, right.literal()?);
    if expr.kind() != AExprKind::AexprOp {
        return None;
    }
    let is_wanted = match expr.name().strs().next_back()? {
        "=" => !is_negated,
        "<>" => is_negated,
        _ => return None,
    };
    // A comparison with NULL is neither true nor false.
    if left == Literal::Null || right == Literal::Null {
        return Some(false);
    }
    Some(are_equal(&left, &right)? == is_wanted)
}

/// Returns whether two constants are equal; `None` if that depends on more than their text, as it does for the number 1 and
/// the string '1'.
fn are_equal(left: &Literal<'_>, right: &Literal<'_>) -> Option<bool> {
    let number = |literal: &Literal<'_>| match literal {
        Literal::Integer(_) | Literal::Float(_) => literal.to_string().parse::<f64>().ok(),
        _ => None,
    };
    match (left, right) {
        _ if left == right => Some(true),
        (Literal::String(_), Literal::String(_))
        | (Literal::Boolean(_), Literal::Boolean(_))
        | (Literal::Integer(_), Literal::Integer(_)) => Some(false),
        // Those that differ here do so in PostgreSQL, which is more exact; others may.
        _ => number(left)?.partial_cmp(&number(right)?)?.is_ne().then_some(false),
    }
}

/// Checks `NOT IN (..)` and `<> ALL (ARRAY[..])`.
fn not_in_list(stmt: &Stmt<'_>, expr: AExpr<'_>, found: &mut Vec<Finding>) {
    let is_all = matches!(expr.kind(), AExprKind::AexprIn | AExprKind::AexprOpAll);
    if is_all && expr.name().strs().next_back() == Some("<>") {
        null_in_list(stmt, expr, found);
    }
}

fn null_in_list(stmt: &Stmt<'_>, expr: AExpr<'_>, found: &mut Vec<Finding>) {
    let values = match expr.rexpr() {
        Some(Node::List(values)) => values,
        Some(Node::AArrayExpr(array)) => array.elements(),
        _ => return,
    };
    if let Some(null) = values.iter().find(|value| value.literal() == Some(Literal::Null)) {
        let finding = Finding::of(Rule::NotInNull, stmt.place(null));
        found.push(finding.help("remove it, and test for NULL by IS NOT NULL"));
    }
}

/// Checks `NOT (a IN (..))` and `NOT (a = ANY (..))`.
fn negation(stmt: &Stmt<'_>, not: BoolExpr<'_>, found: &mut Vec<Finding>) {
    if not.boolop() != BoolExprType::NotExpr {
        return;
    }
    match not.args().first() {
        // IN has no operator.
        Some(Node::SubLink(link))
            if link.sub_link_type() == SubLinkType::AnySublink
                && matches!(link.oper_name().strs().next_back(), None | Some("=")) =>
        {
            not_in_query(stmt, not.into(), link, found);
        }
        Some(Node::AExpr(expr))
            if matches!(expr.kind(), AExprKind::AexprIn | AExprKind::AexprOpAny)
                && expr.name().strs().next_back() == Some("=") =>
        {
            null_in_list(stmt, expr, found);
        }
        _ => {}
    }
}

fn not_in_query(stmt: &Stmt<'_>, not: Node<'_>, link: SubLink<'_>, found: &mut Vec<Finding>) {
    if may_be_null(link) {
        let finding = Finding::of(Rule::NotInSubquery, stmt.place(not));
        found.push(finding.help("use NOT EXISTS, or add WHERE .. IS NOT NULL to the subquery"));
    }
}

/// Returns whether the query may return a NULL, as far as its text tells.
fn may_be_null(link: SubLink<'_>) -> bool {
    let Some(Node::SelectStmt(select)) = link.subselect() else { return true };
    let mut not_null = HashSet::new();
    let mut conditions: Vec<_> = select.where_clause().into_iter().collect();
    while let Some(condition) = conditions.pop() {
        match condition {
            Node::BoolExpr(and) if and.boolop() == BoolExprType::AndExpr => {
                conditions.extend(and.args().iter());
            }
            Node::NullTest(test) if test.nulltesttype() == NullTestType::IsNotNull => {
                not_null.extend(test.arg().and_then(Node::as_column_ref).map(last_name));
            }
            _ => {}
        }
    }
    // VALUES and a union have none.
    let mut targets = select.target_list().iter().filter_map(Node::as_res_target);
    targets.any(|target| match target.val() {
        // `id` is that of a key.
        Some(Node::ColumnRef(column)) => {
            let name = last_name(column);
            name != Some("id") && !not_null.contains(&name)
        }
        Some(value) => value.literal() == Some(Literal::Null),
        None => false,
    })
}

/// Returns the name of a column without that of its table; `None` for `*`.
fn last_name(column: ColumnRef<'_>) -> Option<&str> {
    column.names().next_back()
}
