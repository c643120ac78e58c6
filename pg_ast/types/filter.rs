//! Conditions on columns: the same for all versions and both kinds of trees.

use crate::types::literal::Literal;
use crate::types::object_name::ObjectName;

/// A condition on a column: `a = 1`, `t.b IN ($1, $2)`.
///
/// `N` is the type of nodes: [`NodeRef`](crate::NodeRef), or [`view::Node`](crate::view::Node).
/// [`filters`](crate::NodeRef::filters) lists them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filter<'a, N> {
    /// The column, with its table if it is named.
    pub column: ObjectName<'a>,
    /// What it is compared by.
    pub operator: FilterOperator<'a>,
    /// What it is compared with.
    pub value: FilterValue<'a, N>,
    /// The condition.
    pub node: N,
}

/// What a column is compared by; see [`Filter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilterOperator<'a> {
    /// An operator, as in `a < 1`. In `1 > a`, it is `<` as well.
    Operator(&'a str),
    /// `a = ANY (..)`, with this operator.
    Any(&'a str),
    /// `a = ALL (..)`, with this operator.
    All(&'a str),
    /// `IN`
    In,
    /// `NOT IN`
    NotIn,
    /// `IS DISTINCT FROM`
    IsDistinctFrom,
    /// `IS NOT DISTINCT FROM`
    IsNotDistinctFrom,
    /// `LIKE`
    Like,
    /// `NOT LIKE`
    NotLike,
    /// `ILIKE`
    ILike,
    /// `NOT ILIKE`
    NotILike,
    /// `SIMILAR TO`; its value is an expression.
    SimilarTo,
    /// `NOT SIMILAR TO`; its value is an expression.
    NotSimilarTo,
    /// `BETWEEN`; its value is a list of two.
    Between,
    /// `NOT BETWEEN`; its value is a list of two.
    NotBetween,
    /// `BETWEEN SYMMETRIC`; its value is a list of two.
    BetweenSymmetric,
    /// `NOT BETWEEN SYMMETRIC`; its value is a list of two.
    NotBetweenSymmetric,
    /// `IS NULL`
    IsNull,
    /// `IS NOT NULL`
    IsNotNull,
}

/// What a column is compared with; see [`Filter`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FilterValue<'a, N> {
    /// A constant, possibly with casts.
    Literal(Literal<'a>),
    /// A parameter, by its number, possibly with casts.
    Param(i32),
    /// Several values.
    List(Vec<Self>),
    /// Any other expression.
    Expression(N),
}

impl<N> FilterValue<'_, N> {
    /// Returns a constant or a parameter as SQL, without casts; `None` for a list or another expression.
    ///
    /// ```
    /// let tree = pg_ast::parse("DELETE FROM t WHERE a IN ('it''s', $1)")?;
    /// let filters = tree.stmts().next().unwrap().filters();
    /// let pg_ast::FilterValue::List(values) = &filters[0].value else { panic!() };
    /// let sql: Vec<_> = values.iter().map(pg_ast::FilterValue::to_sql).collect();
    /// assert_eq!(sql, [Some("'it''s'".to_owned()), Some("$1".to_owned())]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn to_sql(&self) -> Option<String> {
        match self {
            Self::Literal(value) => Some(value.to_string()),
            Self::Param(number) => Some(format!("${number}")),
            Self::List(_) | Self::Expression(_) => None,
        }
    }
}

/// An operator with its sides exchanged; `None` for one of which that is not known.
pub(crate) fn commuted(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "=" => "=",
        "<>" => "<>",
        "!=" => "!=",
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        _ => return None,
    })
}
