//! Conditions on columns, read from owned trees and from views by the same rules.

use super::names::protobuf::{AExprKind, BoolExprType, NullTestType};
use super::names::{Node as OwnedNode, NodeRef};
use super::view;
use crate::types::expected::NameKind;
use crate::types::filter::{Filter, FilterOperator, FilterValue, commuted};
use crate::types::literal::Literal;
use crate::types::object_name::ObjectName;

/// What a node is in a condition.
enum ConditionPart<'a, N> {
    And(Vec<N>),
    /// With the last part of the operator's name.
    Comparison(AExprKind, &'a str, N, N),
    IsNull(N, bool),
    Other,
}

/// Where a node has its condition.
enum ConditionOf<N> {
    /// A statement with a `WHERE`, if it has one.
    Where(Option<N>),
    /// It is an expression itself.
    Itself,
}

/// A node of either kind of tree.
trait ConditionNode<'a>: Copy {
    fn part(self) -> ConditionPart<'a, Self>;
    fn column(self) -> Option<ObjectName<'a>>;
    fn constant(self) -> Option<Literal<'a>>;
    /// The number of a parameter.
    fn param(self) -> Option<i32>;
    fn cast(self) -> Option<Self>;
    /// The items of a list, or of `ARRAY[..]`.
    fn items(self) -> Option<Vec<Self>>;
    fn condition(self) -> ConditionOf<Self>;
}

fn name<'a>(parts: impl Iterator<Item = &'a str>, is_star: bool) -> Option<ObjectName<'a>> {
    let parts: Vec<_> = parts.map(Into::into).collect();
    let (kind, index) = (NameKind::Column, None);
    (!is_star && !parts.is_empty()).then_some(ObjectName { kind, parts, is_star, index })
}

impl<'a> ConditionNode<'a> for view::Node<'a> {
    fn part(self) -> ConditionPart<'a, Self> {
        match self {
            Self::BoolExpr(expr) if expr.boolop() == BoolExprType::AndExpr => {
                ConditionPart::And(expr.args().iter().collect())
            }
            Self::AExpr(expr) => match (expr.name().last(), expr.lexpr(), expr.rexpr()) {
                (Some(name), Some(left), Some(right)) => {
                    let operator = name.as_str().unwrap_or_default();
                    ConditionPart::Comparison(expr.kind(), operator, left, right)
                }
                _ => ConditionPart::Other,
            },
            Self::NullTest(test) => match test.arg() {
                Some(arg) => {
                    ConditionPart::IsNull(arg, test.nulltesttype() == NullTestType::IsNull)
                }
                None => ConditionPart::Other,
            },
            _ => ConditionPart::Other,
        }
    }

    fn column(self) -> Option<ObjectName<'a>> {
        let column = self.as_column_ref()?;
        name(column.names(), column.is_star())
    }

    fn constant(self) -> Option<Literal<'a>> {
        self.literal()
    }

    fn param(self) -> Option<i32> {
        Some(self.as_param_ref()?.number())
    }

    fn cast(self) -> Option<Self> {
        self.as_type_cast()?.arg()
    }

    fn items(self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(list.iter().collect()),
            Self::AArrayExpr(array) => Some(array.elements().iter().collect()),
            _ => None,
        }
    }

    fn condition(self) -> ConditionOf<Self> {
        match self {
            Self::SelectStmt(select) => ConditionOf::Where(select.where_clause()),
            Self::UpdateStmt(update) => ConditionOf::Where(update.where_clause()),
            Self::DeleteStmt(delete) => ConditionOf::Where(delete.where_clause()),
            Self::RawStmt(_) => ConditionOf::Itself,
            _ if self.name().ends_with("Stmt") => ConditionOf::Where(None),
            _ => ConditionOf::Itself,
        }
    }
}

fn refs(nodes: &[OwnedNode]) -> Vec<NodeRef<'_>> {
    nodes.iter().filter_map(OwnedNode::to_ref).collect()
}

fn inner(node: Option<&OwnedNode>) -> Option<NodeRef<'_>> {
    node?.to_ref()
}

impl<'a> ConditionNode<'a> for NodeRef<'a> {
    fn part(self) -> ConditionPart<'a, Self> {
        match self {
            Self::BoolExpr(expr) if expr.boolop() == BoolExprType::AndExpr => {
                ConditionPart::And(refs(&expr.args))
            }
            Self::AExpr(expr) => {
                let sides = (inner(expr.lexpr.as_deref()), inner(expr.rexpr.as_deref()));
                match (expr.name.last(), sides) {
                    (Some(name), (Some(left), Some(right))) => {
                        let operator = name.as_str().unwrap_or_default();
                        ConditionPart::Comparison(expr.kind(), operator, left, right)
                    }
                    _ => ConditionPart::Other,
                }
            }
            Self::NullTest(test) => match inner(test.arg.as_deref()) {
                Some(arg) => {
                    ConditionPart::IsNull(arg, test.nulltesttype() == NullTestType::IsNull)
                }
                None => ConditionPart::Other,
            },
            _ => ConditionPart::Other,
        }
    }

    fn column(self) -> Option<ObjectName<'a>> {
        let column = self.as_column_ref()?;
        name(column.names(), column.is_star())
    }

    fn constant(self) -> Option<Literal<'a>> {
        self.literal()
    }

    fn param(self) -> Option<i32> {
        Some(self.as_param_ref()?.number)
    }

    fn cast(self) -> Option<Self> {
        inner(self.as_type_cast()?.arg.as_deref())
    }

    fn items(self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(refs(&list.items)),
            Self::AArrayExpr(array) => Some(refs(&array.elements)),
            _ => None,
        }
    }

    fn condition(self) -> ConditionOf<Self> {
        match self {
            Self::SelectStmt(select) => ConditionOf::Where(inner(select.where_clause.as_deref())),
            Self::UpdateStmt(update) => ConditionOf::Where(inner(update.where_clause.as_deref())),
            Self::DeleteStmt(delete) => ConditionOf::Where(inner(delete.where_clause.as_deref())),
            Self::RawStmt(_) => ConditionOf::Itself,
            _ if self.name().ends_with("Stmt") => ConditionOf::Where(None),
            _ => ConditionOf::Itself,
        }
    }
}

/// Returns what a column is compared with.
fn value<'a, N: ConditionNode<'a>>(node: N) -> FilterValue<'a, N> {
    if let Some(literal) = node.constant() {
        return FilterValue::Literal(literal);
    }
    let mut inner = node;
    while let Some(arg) = inner.cast() {
        inner = arg;
    }
    match inner.param() {
        Some(number) => FilterValue::Param(number),
        None => FilterValue::Expression(node),
    }
}

/// Returns a list of values; an expression that is none is one itself, such as a subselect.
fn value_list<'a, N: ConditionNode<'a>>(node: N) -> FilterValue<'a, N> {
    let mut inner = node;
    while let Some(arg) = inner.cast() {
        inner = arg;
    }
    match inner.items() {
        Some(items) => FilterValue::List(items.into_iter().map(value).collect()),
        None => value(node),
    }
}

/// Returns a comparison as a condition on a column.
fn filter<'a, N: ConditionNode<'a>>(node: N) -> Option<Filter<'a, N>> {
    let (kind, name, left, right) = match node.part() {
        ConditionPart::Comparison(kind, name, left, right) => (kind, name, left, right),
        ConditionPart::IsNull(arg, is_null) => {
            let operator = if is_null { FilterOperator::IsNull } else { FilterOperator::IsNotNull };
            let value = FilterValue::Literal(Literal::Null);
            return Some(Filter { column: arg.column()?, operator, value, node });
        }
        _ => return None,
    };
    let is_not = name.starts_with('!') || name == "<>";
    let (operator, is_list) = match kind {
        AExprKind::AexprOp => match left.column() {
            Some(_) => (FilterOperator::Operator(name), false),
            None => {
                let (column, operator) =
                    (right.column()?, FilterOperator::Operator(commuted(name)?));
                return Some(Filter { column, operator, value: value(left), node });
            }
        },
        AExprKind::AexprOpAny => (FilterOperator::Any(name), true),
        AExprKind::AexprOpAll => (FilterOperator::All(name), true),
        AExprKind::AexprIn if is_not => (FilterOperator::NotIn, true),
        AExprKind::AexprIn => (FilterOperator::In, true),
        AExprKind::AexprDistinct => (FilterOperator::IsDistinctFrom, false),
        AExprKind::AexprNotDistinct => (FilterOperator::IsNotDistinctFrom, false),
        AExprKind::AexprLike if is_not => (FilterOperator::NotLike, false),
        AExprKind::AexprLike => (FilterOperator::Like, false),
        AExprKind::AexprIlike if is_not => (FilterOperator::NotILike, false),
        AExprKind::AexprIlike => (FilterOperator::ILike, false),
        AExprKind::AexprSimilar if is_not => (FilterOperator::NotSimilarTo, false),
        AExprKind::AexprSimilar => (FilterOperator::SimilarTo, false),
        AExprKind::AexprBetween => (FilterOperator::Between, true),
        AExprKind::AexprNotBetween => (FilterOperator::NotBetween, true),
        AExprKind::AexprBetweenSym => (FilterOperator::BetweenSymmetric, true),
        AExprKind::AexprNotBetweenSym => (FilterOperator::NotBetweenSymmetric, true),
        _ => return None,
    };
    let value = if is_list { value_list(right) } else { value(right) };
    Some(Filter { column: left.column()?, operator, value, node })
}

/// Returns the conditions on columns that all have to be true.
fn filters<'a, N: ConditionNode<'a>>(node: N) -> Vec<Filter<'a, N>> {
    let condition = match node.condition() {
        ConditionOf::Where(condition) => condition,
        ConditionOf::Itself => Some(node),
    };
    let (mut found, mut stack) = (Vec::new(), Vec::from_iter(condition));
    while let Some(node) = stack.pop() {
        match node.part() {
            ConditionPart::And(args) => stack.extend(args.into_iter().rev()),
            _ => found.extend(filter(node)),
        }
    }
    found
}

impl<'a> NodeRef<'a> {
    /// Lists the conditions on columns that a statement's `WHERE` joins by `AND`, or those of an expression.
    ///
    /// A condition compares a column with something: any other one, such as what `OR` and `NOT` join, is left out, and so are
    /// those of subselects.
    ///
    /// ```
    /// use pg_ast::{FilterOperator, FilterValue, Literal};
    ///
    /// let tree = pg_ast::parse("DELETE FROM t WHERE t.a = 1 AND b IN ($1, 'x') AND (c OR d = 2)")?;
    /// let filters = tree.stmts().next().unwrap().filters();
    /// assert_eq!(filters.len(), 2);
    /// assert_eq!(filters[0].column.to_string(), "t.a");
    /// assert_eq!(filters[0].operator, FilterOperator::Operator("="));
    /// assert_eq!(filters[0].value, FilterValue::Literal(Literal::Integer(1)));
    /// let values = [FilterValue::Param(1), FilterValue::Literal(Literal::String("x"))];
    /// assert_eq!(filters[1].operator, FilterOperator::In);
    /// assert_eq!(filters[1].value, FilterValue::List(values.into()));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn filters(self) -> Vec<Filter<'a, Self>> {
        filters(self)
    }
}

impl<'a> view::Node<'a> {
    /// Lists the conditions on columns that a statement's `WHERE` joins by `AND`, or those of an expression; see
    /// [`NodeRef::filters`].
    ///
    /// ```
    /// use pg_ast::{FilterOperator, FilterValue, view};
    ///
    /// let tree = view::parse("SELECT 1 FROM t WHERE a = ANY ($1) AND 5 > b")?;
    /// let filters = tree.stmts().next().and_then(|stmt| stmt.stmt()).unwrap().filters();
    /// let operators: Vec<_> = filters.iter().map(|filter| filter.operator).collect();
    /// assert_eq!(operators, [FilterOperator::Any("="), FilterOperator::Operator("<")]);
    /// assert_eq!(filters[0].value, FilterValue::Param(1));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn filters(self) -> Vec<Filter<'a, Self>> {
        filters(self)
    }
}
