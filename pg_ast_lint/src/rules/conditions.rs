//! Conditions that do not do what they seem to.

use pg_ast::Literal;
use pg_ast::protobuf::{AExprKind, BoolExprType, NullTestType, SubLinkType};
use pg_ast::view::{AExpr, BoolExpr, Node, NullTest, ResTarget, SubLink};

use crate::stmt::Stmt;
use crate::{Finding, Rule};

pub(super) fn check(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let condition = match node {
        Node::SelectStmt(select) => select.where_clause(),
        Node::UpdateStmt(update) => update.where_clause(),
        Node::DeleteStmt(delete) => delete.where_clause(),
        Node::AExpr(expr) => return not_in_list(stmt, expr, found),
        Node::BoolExpr(expr) => return not_in_query(stmt, expr, found),
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
        Node::BoolExpr(expr) if expr.boolop() != BoolExprType::NotExpr => {
            let decides = expr.boolop() == BoolExprType::OrExpr;
            let values: Vec<_> = expr.args().iter().map(simple_value).collect();
            if values.contains(&Some(decides)) {
                return Some(decides);
            }
            values.iter().all(|value| *value == Some(!decides)).then_some(!decides)
        }
        _ => simple_value(condition),
    }
}

/// Does the same for a condition that is not made of others.
fn simple_value(condition: Node<'_>) -> Option<bool> {
    if let Some(literal) = condition.literal() {
        return match literal {
            Literal::Boolean(value) => Some(value),
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
    // No comparison with NULL is true.
    let has_null = left == Literal::Null || right == Literal::Null;
    let equal = if has_null { None } else { Some(are_equal(&left, &right)?) };
    match expr.name().strs().next_back()? {
        "=" => Some(equal == Some(true)),
        "<>" => Some(equal == Some(false)),
        _ => None,
    }
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

fn not_in_list(stmt: &Stmt<'_>, expr: AExpr<'_>, found: &mut Vec<Finding>) {
    if expr.kind() != AExprKind::AexprIn || expr.name().strs().next_back() != Some("<>") {
        return;
    }
    let Some(Node::List(values)) = expr.rexpr() else { return };
    if let Some(null) = values.iter().find(|value| value.literal() == Some(Literal::Null)) {
        let finding = Finding::of(Rule::NotInNull, stmt.place(null));
        found.push(finding.help("remove it, and test for NULL by IS NOT NULL"));
    }
}

fn not_in_query(stmt: &Stmt<'_>, not: BoolExpr<'_>, found: &mut Vec<Finding>) {
    let Some(Node::SubLink(link)) = not.args().first() else { return };
    let is_in = link.sub_link_type() == SubLinkType::AnySublink && link.oper_name().is_empty();
    if not.boolop() == BoolExprType::NotExpr && is_in && may_be_null(link) {
        let finding = Finding::of(Rule::NotInSubquery, stmt.place(not));
        found.push(finding.help("use NOT EXISTS, or add WHERE .. IS NOT NULL to the subquery"));
    }
}

/// Returns whether the query may return a NULL, as far as its text tells.
fn may_be_null(link: SubLink<'_>) -> bool {
    let Some(Node::SelectStmt(select)) = link.subselect() else { return true };
    let target = select.target_list().first().and_then(Node::as_res_target);
    match target.and_then(ResTarget::val) {
        Some(Node::ColumnRef(column)) => {
            let name = column.names().next_back();
            // That of a key.
            if name == Some("id") {
                return false;
            }
            let mut conditions: Vec<_> = select.where_clause().into_iter().collect();
            while let Some(condition) = conditions.pop() {
                match condition {
                    Node::BoolExpr(and) if and.boolop() == BoolExprType::AndExpr => {
                        conditions.extend(and.args().iter());
                    }
                    Node::NullTest(test) if is_not_null(test, name) => return false,
                    _ => {}
                }
            }
            true
        }
        Some(value) => value.literal() == Some(Literal::Null),
        // VALUES, or a union.
        None => false,
    }
}

fn is_not_null(test: NullTest<'_>, name: Option<&str>) -> bool {
    let column = test.arg().and_then(Node::as_column_ref);
    test.nulltesttype() == NullTestType::IsNotNull
        && column.is_some_and(|column| column.names().next_back() == name)
}
