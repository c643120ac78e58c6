//! Rules about queries and changes of data.

use std::ops::Range;

use pg_ast::Literal;
use pg_ast::protobuf::{AExprKind, SubLinkType, Token};
use pg_ast::view::{AExpr, ColumnRef, Node, ResTarget};

use super::in_case_of;
use crate::stmt::{Change, Rows, Stmt, insert};
use crate::{Finding, Fix, Rule};

pub(super) fn check(
    stmt: &Stmt<'_>,
    node: Node<'_>,
    ancestors: &[Node<'_>],
    found: &mut Vec<Finding>,
) {
    match node {
        Node::SelectStmt(select) => {
            let star = select.target_list().iter().find(|target| is_star(*target));
            if let Some(star) = star
                && !(stmt.rows == Rows::ToRecord && is_outermost(ancestors))
                && !matches!(ancestors.last(), Some(parent) if is_exists(*parent))
            {
                // The `*` of `TABLE t` has no range.
                let range = stmt.range_of(star).unwrap_or_else(|| stmt.place(select));
                found.push(Finding::of(Rule::SelectStar, range).help("name the columns"));
            }
        }
        Node::UpdateStmt(update) if update.where_clause().is_none() => {
            let range = update.relation().map_or(stmt.place(node), |table| stmt.place(table));
            let help = "if all rows are meant, add WHERE true";
            found.push(Finding::of(Rule::UpdateWithoutWhere, range).help(help));
        }
        Node::DeleteStmt(delete) if delete.where_clause().is_none() => {
            let range = delete.relation().map_or(stmt.place(node), |table| stmt.place(table));
            let help = "if all rows are meant, add WHERE true";
            found.push(Finding::of(Rule::DeleteWithoutWhere, range).help(help));
        }
        Node::AExpr(expr) => null_comparison(stmt, expr, ancestors, found),
        _ => {}
    }
}

/// Returns whether a target is `*` or `t.*`.
fn is_star(target: Node<'_>) -> bool {
    let value = target.as_res_target().and_then(ResTarget::val);
    value.and_then(Node::as_column_ref).is_some_and(ColumnRef::is_star)
}

/// Returns whether a `SELECT` is that of the statement, or one of those that it unites.
fn is_outermost(ancestors: &[Node<'_>]) -> bool {
    ancestors.iter().all(|node| matches!(node, Node::RawStmt(_) | Node::SelectStmt(_)))
}

fn is_exists(node: Node<'_>) -> bool {
    node.as_sub_link().is_some_and(|link| link.sub_link_type() == SubLinkType::ExistsSublink)
}

fn null_comparison(
    stmt: &Stmt<'_>,
    expr: AExpr<'_>,
    ancestors: &[Node<'_>],
    found: &mut Vec<Finding>,
) {
    let operator = expr.name().strs().next_back().unwrap_or_default();
    let test = match operator {
        "=" => "is",
        // `!=` is one as well.
        "<>" => "is not",
        _ => return,
    };
    let is_null = |side: Option<Node<'_>>| side.and_then(Node::literal) == Some(Literal::Null);
    // NOT IN has a rule of its own.
    if let (AExprKind::AexprIn, "=", Some(Node::List(values))) =
        (expr.kind(), operator, expr.rexpr())
        && values.iter().all(|value| is_null(Some(value)))
    {
        found.push(Finding::of(Rule::NullComparison, stmt.place(expr)).help("use IS NULL"));
        return;
    }
    let [left, right] = [is_null(expr.lexpr()), is_null(expr.rexpr())];
    if expr.kind() != AExprKind::AexprOp || !(left || right) {
        return;
    }
    let help = format!("use {} NULL", test.to_uppercase());
    // A CHECK accepts NULL: rows may not meet it any more.
    let in_check = ancestors.iter().any(|node| node.as_constraint().is_some());
    let fix = (!in_check)
        .then(|| null_test(stmt, expr, test, right))
        .flatten()
        .map(|changes| Fix::new(format!("Use {} NULL", test.to_uppercase()), changes));
    found.push(Finding::of(Rule::NullComparison, stmt.place(expr)).help(help).fix(fix));
}

/// Returns whether `IS NULL` after an operand would be part of it, or could not stand there: `NOT a`, `a IS TRUE`.
fn binds_weaker(tokens: &[(Token, Range<usize>)]) -> bool {
    let mut depth = 0_usize;
    tokens.iter().any(|(token, _)| {
        match token {
            Token::Ascii40 | Token::Ascii91 => depth += 1,
            Token::Ascii41 | Token::Ascii93 => depth = depth.saturating_sub(1),
            Token::Not | Token::NotLa | Token::Is | Token::Isnull | Token::Notnull => {
                return depth == 0;
            }
            _ => {}
        }
        false
    })
}

/// Returns the changes to `IS NULL` for a comparison with the word `NULL` itself, without parentheses or casts.
fn null_test(
    stmt: &Stmt<'_>,
    expr: AExpr<'_>,
    words: &str,
    on_the_right: bool,
) -> Option<Vec<Change>> {
    let range = stmt.range_of(expr)?;
    let tokens = stmt.tokens(&range);
    if binds_weaker(tokens) {
        return None;
    }
    let is_operator = |token: &Token| matches!(token, Token::Ascii61 | Token::NotEquals);
    if on_the_right {
        let [.., (token, operator), (Token::NullP, null)] = tokens else { return None };
        let text = in_case_of(stmt.text(null.clone()), words);
        // As in `a=NULL`.
        let space = |touches: bool| if touches { " " } else { "" };
        let before = stmt.text(range.start..operator.start).ends_with(|c: char| !c.is_whitespace());
        let text = format!("{}{text}{}", space(before), space(operator.end == null.start));
        return is_operator(token).then(|| vec![(operator.clone(), text)]);
    }
    let [(Token::NullP, null), (token, operator), (_, other), ..] = tokens else { return None };
    let text = in_case_of(stmt.text(null.clone()), &format!(" {words} null"));
    let mut changes = stmt.replace_tokens(&tokens[..2], "");
    if let Some((last, _)) = changes.last_mut()
        && stmt.text(operator.end..other.start).chars().all(char::is_whitespace)
    {
        last.end = other.start;
    }
    changes.push(insert(range.end, text));
    is_operator(token).then_some(changes)
}
