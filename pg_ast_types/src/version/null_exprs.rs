//! Whether expressions can be NULL.

use super::null_walk::NullWalk;
use super::pg::protobuf::{AExprKind, SqlValueFunctionOp, SubLinkType};
use super::pg::seam::with_stack;
use super::pg::view::{AExpr, FuncCall, Node, SelectStmt, SubLink};
use crate::nullability::Nullability::{self, NotNull, Nullable};
use crate::nullability::{NotNullReason, NullableReason};

impl<'a> NullWalk<'_, 'a> {
    /// Returns whether an expression can be NULL.
    pub(super) fn expr(&mut self, expr: Node<'a>) -> Nullability {
        match expr {
            Node::AConst(of) => match of.val() {
                _ if of.isnull() => Nullable(NullableReason::Null),
                Some(_) => NotNull(NotNullReason::Constant),
                None => Nullability::default(),
            },
            Node::ParamRef(_) => Nullable(NullableReason::Parameter),
            Node::ColumnRef(_) => self.name(expr),
            other => with_stack(|| self.compound(other)),
        }
    }

    /// Whether all of them are not NULL; if not, why the first one can be.
    fn all(&mut self, exprs: impl IntoIterator<Item = Node<'a>>) -> Result<(), Nullability> {
        for expr in exprs {
            let one = self.expr(expr);
            if !one.is_not_null() {
                return Err(one);
            }
        }
        Ok(())
    }

    fn any(&mut self, exprs: impl IntoIterator<Item = Node<'a>>) -> Nullability {
        let mut first = None;
        for expr in exprs {
            let one = self.expr(expr);
            if one.is_not_null() {
                return NotNull(NotNullReason::Alternative);
            }
            first.get_or_insert(one);
        }
        first.unwrap_or_default()
    }

    fn compound(&mut self, expr: Node<'a>) -> Nullability {
        let test = NotNull(NotNullReason::Test);
        match expr {
            Node::AExpr(of) => self.operator(of),
            Node::BoolExpr(of) => match self.all(of.args()) {
                Ok(()) => NotNull(NotNullReason::Operator),
                Err(why) => why,
            },
            Node::FuncCall(call) => self.call(call),
            Node::NamedArgExpr(arg) => arg.arg().map_or(Nullability::default(), |it| self.expr(it)),
            Node::CollateClause(of) => of.arg().map_or(Nullability::default(), |it| self.expr(it)),
            Node::TypeCast(cast) => {
                let value = cast.arg().map_or(Nullability::default(), |arg| self.expr(arg));
                match self.facts(expr) {
                    Some(facts) if !facts.keeps_not_null && value.is_not_null() => {
                        Nullable(NullableReason::Function)
                    }
                    None if value.is_not_null() => Nullability::default(),
                    _ => value,
                }
            }
            Node::SubLink(link) => self.sub_link(link),
            Node::CaseExpr(case) => {
                let results = case.args().iter().filter_map(|when| match when {
                    Node::CaseWhen(when) => when.result(),
                    _ => None,
                });
                let results: Vec<_> = results.chain(case.defresult()).collect();
                match self.all(results) {
                    Err(why) => why,
                    Ok(()) if case.defresult().is_some() => NotNull(NotNullReason::Case),
                    Ok(()) => Nullable(NullableReason::Null),
                }
            }
            Node::CoalesceExpr(of) => self.any(of.args()),
            Node::MinMaxExpr(of) => self.any(of.args()),
            Node::RowExpr(_) | Node::AArrayExpr(_) => NotNull(NotNullReason::Constructor),
            Node::NullTest(_) | Node::BooleanTest(_) | Node::GroupingFunc(_) => test,
            Node::SqlvalueFunction(of) => match of.op() {
                // There need not be one.
                SqlValueFunctionOp::SvfopCurrentSchema
                | SqlValueFunctionOp::SqlvalueFunctionOpUndefined => {
                    Nullable(NullableReason::Function)
                }
                _ => NotNull(NotNullReason::Function),
            },
            Node::AIndirection(_) => Nullable(NullableReason::Part),
            _ => Nullability::default(),
        }
    }

    fn operator(&mut self, expr: AExpr<'a>) -> Nullability {
        let facts = self.facts(expr.into());
        let keeps = facts.is_some_and(|facts| facts.keeps_not_null);
        let operands: Vec<Node<'a>> = match (expr.kind(), expr.rexpr()) {
            (AExprKind::AexprDistinct | AExprKind::AexprNotDistinct, _) => {
                return NotNull(NotNullReason::Test);
            }
            (AExprKind::AexprNullif, _) => return Nullable(NullableReason::Null),
            // The elements of an array may be NULL.
            (AExprKind::AexprOpAny | AExprKind::AexprOpAll, _) => {
                return Nullable(NullableReason::Part);
            }
            (_, Some(Node::List(items))) => expr.lexpr().into_iter().chain(items).collect(),
            (_, right) => expr.lexpr().into_iter().chain(right).collect(),
        };
        // Rows are compared field by field.
        if operands.iter().any(|operand| matches!(operand, Node::RowExpr(_))) {
            return Nullable(NullableReason::Operator);
        }
        match self.all(operands) {
            Err(why) => why,
            Ok(()) if keeps => NotNull(NotNullReason::Operator),
            Ok(()) => Nullable(NullableReason::Operator),
        }
    }

    fn call(&mut self, call: FuncCall<'a>) -> Nullability {
        let Some(facts) = self.facts(call.into()) else { return Nullability::default() };
        if facts.returns_set {
            // Where several return sets, the shorter ones end with NULL.
            return Nullable(NullableReason::Function);
        }
        if facts.is_never_null {
            let is_aggregate = facts.is_aggregate;
            return NotNull(if is_aggregate {
                NotNullReason::Aggregate
            } else {
                NotNullReason::Function
            });
        }
        if facts.is_aggregate {
            let has_rows = self.has_groups && !self.has_grouping_sets;
            if !has_rows
                || !facts.has_value_of_group
                || call.agg_filter().is_some()
                || call.over().is_some()
            {
                return Nullable(NullableReason::NoRows);
            }
            let first = call.args().first();
            return match self.all(first) {
                Ok(()) => NotNull(NotNullReason::Aggregate),
                Err(why) => why,
            };
        }
        match self.all(call.args()) {
            Err(why) => why,
            Ok(()) if facts.keeps_not_null => NotNull(NotNullReason::Function),
            Ok(()) => Nullable(NullableReason::Function),
        }
    }

    fn sub_link(&mut self, link: SubLink<'a>) -> Nullability {
        match link.sub_link_type() {
            SubLinkType::ExistsSublink => NotNull(NotNullReason::Test),
            SubLinkType::ArraySublink => NotNull(NotNullReason::Constructor),
            SubLinkType::ExprSublink => {
                let Some(query @ Node::SelectStmt(select)) = link.subselect() else {
                    return Nullable(NullableReason::Subquery);
                };
                if self.has_one_row(select) {
                    self.query(query).get(0)
                } else {
                    Nullable(NullableReason::Subquery)
                }
            }
            _ => Nullable(NullableReason::Subquery),
        }
    }

    /// Whether a query returns one row whatever the data is.
    fn has_one_row(&self, select: SelectStmt<'a>) -> bool {
        let is_plain = select.op() == super::pg::protobuf::SetOperation::SetopNone
            && select.values_lists().is_empty()
            && select.group_clause().is_empty()
            && select.having_clause().is_none()
            && select.limit_count().is_none()
            && select.limit_offset().is_none()
            && select.distinct_clause().is_empty();
        if !is_plain {
            return false;
        }
        let Some(Node::ResTarget(target)) = select.target_list().first() else { return false };
        let Some(value) = target.val() else { return false };
        let calls = calls_in(value);
        if calls.iter().any(|call| self.facts((*call).into()).is_none_or(|it| it.returns_set)) {
            return false;
        }
        if select.from_clause().is_empty() && select.where_clause().is_none() {
            return true;
        }
        let sources = self.names.sources_of(select.into());
        calls.iter().any(|call| {
            let is_aggregate = self.facts((*call).into()).is_some_and(|it| it.is_aggregate);
            // One whose arguments are all of the query around this one is an aggregate of that.
            let is_own = call.agg_star() || call.args().iter().any(|arg| self.reads(arg, &sources));
            is_aggregate && is_own && call.over().is_none()
        })
    }

    /// Whether an expression has a column of one of the sources.
    fn reads(&self, expr: Node<'a>, sources: &core::ops::Range<usize>) -> bool {
        let mut stack = vec![expr];
        while let Some(node) = stack.pop() {
            match node {
                Node::ColumnRef(_)
                    if self.placed(node).is_some_and(|(of, _)| sources.contains(&of)) =>
                {
                    return true;
                }
                Node::SubLink(_) => {}
                node => node.children(|child| stack.push(child)),
            }
        }
        false
    }
}

/// Returns the calls in an expression, without those of queries in it.
fn calls_in(expr: Node<'_>) -> Vec<FuncCall<'_>> {
    let mut calls = Vec::new();
    let mut stack = vec![expr];
    while let Some(node) = stack.pop() {
        match node {
            Node::SubLink(_) => {}
            node => {
                if let Node::FuncCall(call) = node {
                    calls.push(call);
                }
                node.children(|child| stack.push(child));
            }
        }
    }
    calls
}
