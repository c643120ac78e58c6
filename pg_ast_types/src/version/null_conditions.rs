//! What conditions say of columns: a row for which one is NULL is not among those of the query.

use core::ops::Range;

use super::null_walk::NullWalk;
use super::pg::protobuf::{AExprKind, BoolExprType, BoolTestType, NullTestType, SubLinkType};
use super::pg::view::Node;
use super::pg_names::types_seam::PlacedColumn;

impl<'a> NullWalk<'_, 'a> {
    /// Notes what is certain of some sources where a condition is true. Of those around the query, it is certain only within it.
    pub(super) fn holds(&mut self, condition: Node<'a>, of: &Range<usize>) {
        for column in self.rejected(condition) {
            if of.contains(&column.0) {
                self.is_there(column);
            }
        }
    }

    /// Returns the columns that are not NULL if a condition is true: `find_nonnullable_vars` of PostgreSQL's `clauses.c`.
    fn rejected(&self, condition: Node<'a>) -> Vec<PlacedColumn> {
        let mut columns = Vec::new();
        let mut conditions = vec![condition];
        while let Some(condition) = conditions.pop() {
            match condition {
                Node::BoolExpr(of) => match of.boolop() {
                    BoolExprType::AndExpr => conditions.extend(of.args()),
                    // It is false of something that is not NULL.
                    BoolExprType::NotExpr => {
                        of.args().iter().for_each(|arg| self.strict(arg, &mut columns));
                    }
                    _ => {}
                },
                Node::NullTest(test) if test.nulltesttype() == NullTestType::IsNotNull => {
                    test.arg().into_iter().for_each(|arg| self.strict(arg, &mut columns));
                }
                Node::BooleanTest(test) => match test.booltesttype() {
                    BoolTestType::IsTrue => conditions.extend(test.arg()),
                    BoolTestType::IsFalse | BoolTestType::IsNotUnknown => {
                        test.arg().into_iter().for_each(|arg| self.strict(arg, &mut columns));
                    }
                    _ => {}
                },
                // It is true for an element, with which the operator is true.
                Node::AExpr(of)
                    if of.kind() == AExprKind::AexprOpAny && self.is_strict(condition) =>
                {
                    of.lexpr().into_iter().for_each(|left| self.strict(left, &mut columns));
                }
                Node::SubLink(link)
                    if link.sub_link_type() == SubLinkType::AnySublink
                        && self.is_strict(condition) =>
                {
                    match link.testexpr() {
                        Some(Node::RowExpr(_)) | None => {}
                        Some(left) => self.strict(left, &mut columns),
                    }
                }
                other => self.strict(other, &mut columns),
            }
        }
        columns
    }

    fn is_strict(&self, node: Node<'a>) -> bool {
        self.facts(node).is_some_and(|facts| facts.is_strict)
    }

    /// Adds the columns for which an expression is NULL if one of them is.
    fn strict(&self, expr: Node<'a>, columns: &mut Vec<PlacedColumn>) {
        let mut exprs = vec![expr];
        while let Some(expr) = exprs.pop() {
            match expr {
                Node::ColumnRef(_) => columns.extend(self.placed(expr)),
                Node::AExpr(of) if self.is_strict(expr) => match of.kind() {
                    AExprKind::AexprOp
                    | AExprKind::AexprLike
                    | AExprKind::AexprIlike
                    | AExprKind::AexprSimilar => {
                        let operands = of.lexpr().into_iter().chain(of.rexpr());
                        // Rows are compared field by field.
                        exprs.extend(operands.filter(|it| !matches!(it, Node::RowExpr(_))));
                    }
                    AExprKind::AexprIn
                    | AExprKind::AexprBetween
                    | AExprKind::AexprNotBetween
                    | AExprKind::AexprBetweenSym
                    | AExprKind::AexprNotBetweenSym => {
                        let left = of.lexpr();
                        exprs.extend(left.filter(|it| !matches!(it, Node::RowExpr(_))));
                    }
                    _ => {}
                },
                Node::FuncCall(call) if self.is_strict(expr) && call.over().is_none() => {
                    exprs.extend(call.args());
                }
                Node::TypeCast(cast) if self.is_strict(expr) => exprs.extend(cast.arg()),
                Node::CollateClause(of) => exprs.extend(of.arg()),
                Node::NamedArgExpr(arg) => exprs.extend(arg.arg()),
                _ => {}
            }
        }
    }
}
