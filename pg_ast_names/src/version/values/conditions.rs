//! What conditions say about columns: which values they leave, and which columns are equal.

use core::ops::Range;
use std::collections::HashMap;

use super::constants::{constant, constants, elements, is_star, not_null};
use super::pg::protobuf::{AExprKind, BoolExprType, SubLinkType};
use super::pg::seam::with_stack;
use super::pg::view::{AExpr, List, Node, SubLink};
use super::value_flow::ValueFlow;
use super::value_graph::NodeId;
use crate::column_values::ColumnValue;

/// The values that a condition leaves for columns, each with its source.
type Restrictions = HashMap<NodeId, (usize, Vec<ColumnValue>)>;

/// Whether the name of an operator is that of `pg_catalog.=`.
fn is_equality(name: List<'_>) -> bool {
    name.strs().eq(["="]) || name.strs().eq(["pg_catalog", "="])
}

/// Returns the pairs that an equality compares: several for rows.
fn equal_pairs(expr: AExpr<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    if expr.kind() != AExprKind::AexprOp || !is_equality(expr.name()) {
        return Vec::new();
    }
    match (expr.lexpr(), expr.rexpr()) {
        (Some(Node::RowExpr(left)), Some(Node::RowExpr(right)))
            if left.args().len() == right.args().len() =>
        {
            // A star stands for several of them.
            let has_stars = left.args().iter().chain(right.args()).any(is_star);
            let pairs = left.args().iter().zip(right.args());
            pairs.filter(|_| !has_stars).collect()
        }
        (Some(Node::RowExpr(_)), _) | (_, Some(Node::RowExpr(_))) => Vec::new(),
        (Some(left), Some(right)) => vec![(left, right)],
        _ => Vec::new(),
    }
}

/// Adds the restrictions of one more condition, of which all have to be true.
fn both(mut one: Restrictions, mut other: Restrictions) -> Restrictions {
    if one.len() < other.len() {
        core::mem::swap(&mut one, &mut other);
    }
    for (node, (source, values)) in other {
        let known = one.entry(node).or_insert_with(|| (source, values.clone()));
        if values.len() < known.1.len() {
            known.1 = values;
        }
    }
    one
}

/// Adds the restrictions of one more condition, of which one has to be true.
fn either(mut one: Restrictions, mut other: Restrictions) -> Restrictions {
    if one.len() > other.len() {
        core::mem::swap(&mut one, &mut other);
    }
    one.retain(|node, (_, values)| {
        let Some((_, mut others)) = other.remove(node) else { return false };
        // The longer list stays where it is.
        if values.len() < others.len() {
            core::mem::swap(values, &mut others);
        }
        values.append(&mut others);
        true
    });
    one
}

impl<'a> ValueFlow<'_, 'a> {
    /// Reads a condition without which no row of these sources counts.
    pub(super) fn condition(&mut self, condition: Node<'a>, own: &Range<usize>) {
        let mut all = vec![condition];
        while let Some(node) = all.pop() {
            match node {
                Node::BoolExpr(expr) if expr.boolop() == BoolExprType::AndExpr => {
                    all.extend(expr.args());
                    continue;
                }
                Node::AExpr(expr) => {
                    for (left, right) in equal_pairs(expr) {
                        self.equal_columns(left, right, own);
                    }
                }
                Node::SubLink(link) => self.in_query(link, own),
                _ => {}
            }
            for (node, (source, values)) in self.restrictions(node) {
                if own.contains(&source) {
                    self.restrict(node, values);
                }
            }
        }
    }

    /// Notes that two expressions are equal in the rows that count, if both are columns.
    fn equal_columns(&mut self, left: Node<'a>, right: Node<'a>, own: &Range<usize>) {
        let rights = self.columns_named(right);
        if rights.is_empty() {
            return;
        }
        for left in self.columns_named(left) {
            for right in &rights {
                self.equal(left, *right, own);
                self.equal(*right, left, own);
            }
        }
    }

    /// Passes what is known of a column on to another one of these sources, which it is equal to.
    pub(super) fn equal(
        &mut self,
        (from_source, from): (usize, NodeId),
        (to_source, to): (usize, NodeId),
        own: &Range<usize>,
    ) {
        if own.contains(&to_source) && !self.is_shared(from_source) {
            self.graph.pass_on(from, to, true);
        }
    }

    /// Reads `a IN (SELECT ..)` or `a = ANY (SELECT ..)`.
    fn in_query(&mut self, link: SubLink<'a>, own: &Range<usize>) {
        let name = link.oper_name();
        let is_in = link.sub_link_type() == SubLinkType::AnySublink
            && (name.is_empty() || is_equality(name));
        let (true, Some(value), Some(Node::SelectStmt(select))) =
            (is_in, link.testexpr(), link.subselect())
        else {
            return;
        };
        let values: Vec<_> = match value {
            Node::RowExpr(row) => row.args().iter().collect(),
            value => vec![value],
        };
        if values.iter().copied().any(is_star) {
            return;
        }
        for (place, value) in values.into_iter().enumerate() {
            if self.is_open_at(select, place) {
                return;
            }
            for (source, column) in self.columns_named(value) {
                let returned = self.query_column(select, place);
                if own.contains(&source) {
                    self.graph.pass_on(returned, column, true);
                }
                if !self.is_shared(source) && self.may_filter(select) {
                    self.graph.pass_on(column, returned, true);
                }
            }
        }
    }

    /// Returns the values that a condition leaves for columns.
    fn restrictions(&mut self, node: Node<'a>) -> Restrictions {
        match node {
            Node::BoolExpr(expr) => with_stack(|| {
                let args = expr.args().iter();
                match expr.boolop() {
                    BoolExprType::AndExpr => {
                        args.map(|arg| self.restrictions(arg)).reduce(both).unwrap_or_default()
                    }
                    BoolExprType::OrExpr => {
                        args.map(|arg| self.restrictions(arg)).reduce(either).unwrap_or_default()
                    }
                    _ => Restrictions::new(),
                }
            }),
            Node::AExpr(expr) => self.comparison(expr),
            _ => Restrictions::new(),
        }
    }

    fn comparison(&mut self, expr: AExpr<'a>) -> Restrictions {
        let mut found = Restrictions::new();
        for (left, right) in equal_pairs(expr) {
            let (column, value) = match (constant(left), constant(right)) {
                (None, Some(value)) => (left, value),
                (Some(value), None) => (right, value),
                _ => continue,
            };
            found = both(found, self.of_column(column, not_null(vec![value])));
        }
        let (Some(left), Some(right)) = (expr.lexpr(), expr.rexpr()) else { return found };
        if !is_equality(expr.name()) {
            return found;
        }
        match (expr.kind(), right) {
            (AExprKind::AexprIn, Node::List(list)) => self.one_of(left, list),
            (AExprKind::AexprOpAny, array) => match elements(array) {
                Some(values) => self.of_column(left, not_null(values)),
                None => found,
            },
            // NULL would be equal to a NULL in the row, and a parameter can be one.
            (AExprKind::AexprNotDistinct, value) => match constant(value) {
                Some(ColumnValue::Null | ColumnValue::Param(_)) | None => found,
                Some(value) => self.of_column(left, vec![value]),
            },
            _ => found,
        }
    }

    /// Reads `a IN (1, 2)` or `(a, b) IN ((1, 2), (3, 4))`.
    fn one_of(&mut self, left: Node<'a>, list: List<'a>) -> Restrictions {
        let Node::RowExpr(columns) = left else {
            let values = constants(list.iter());
            let restrict = |values| self.of_column(left, not_null(values));
            return values.map(restrict).unwrap_or_default();
        };
        let mut found = Restrictions::new();
        let rows: Option<Vec<Vec<_>>> = list
            .iter()
            .map(|row| match row {
                Node::RowExpr(row) if !row.args().iter().any(is_star) => {
                    Some(row.args().iter().collect())
                }
                _ => None,
            })
            .collect();
        if rows.is_none() || columns.args().iter().any(is_star) {
            return found;
        }
        for (place, column) in columns.args().iter().enumerate() {
            let rows = rows.iter().flatten();
            let values = rows.map(|row| row.get(place).copied().unwrap_or(Node::Null));
            if let Some(values) = constants(values) {
                found = both(found, self.of_column(column, not_null(values)));
            }
        }
        found
    }

    fn of_column(&mut self, column: Node<'a>, values: Vec<ColumnValue>) -> Restrictions {
        let columns = self.columns_named(column);
        for value in &values {
            self.compares_param(value, column, columns.first().map(|(_, node)| *node));
        }
        let (count, mut values) = (columns.len(), Some(values));
        let restrictions = columns.into_iter().enumerate().map(|(place, (source, node))| {
            let last = place + 1 == count;
            let values = if last { values.take() } else { values.clone() };
            (node, (source, values.unwrap_or_default()))
        });
        restrictions.collect()
    }
}
