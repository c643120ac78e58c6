//! Whether a column can be NULL, and why.

/// Whether a column that a statement returns can be NULL.
///
/// [`NotNull`](Self::NotNull) is a promise: no data makes the column NULL. The other one says that nothing rules it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Nullability {
    /// It never is.
    NotNull(NotNullReason),
    /// It may be.
    Nullable(NullableReason),
}

/// Why a column is never NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum NotNullReason {
    /// It is a column of a table that is `NOT NULL`, and of a row that is there.
    Column,
    /// A condition of the query rejects the rows in which it is NULL.
    Condition,
    /// It is a constant.
    Constant,
    /// It is a function that never returns NULL, or not for arguments that are not NULL.
    Function,
    /// It is an operator whose operands are not NULL.
    Operator,
    /// It is an aggregate that has a value for any number of rows, or for a group, which has at least one.
    Aggregate,
    /// One of the alternatives of `COALESCE`, `GREATEST` or `LEAST` is not NULL.
    Alternative,
    /// All results of a `CASE` are not NULL.
    Case,
    /// It is `EXISTS`, `IS NULL`, `IS DISTINCT FROM` or the like.
    Test,
    /// It is an array or a row, whatever is in it.
    Constructor,
    /// It is not NULL in the parts of a `UNION`, or in all rows of `VALUES`.
    Arms,
}

/// Why a column may be NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum NullableReason {
    /// It is a column of a table that may be NULL.
    Column,
    /// The row that it is of may be missing in an outer join.
    OuterJoin,
    /// It is a column of a view, whose query is not read.
    View,
    /// It is NULL itself, or a `CASE` without `ELSE`.
    Null,
    /// It is a parameter.
    Parameter,
    /// It is a function that may return NULL.
    Function,
    /// It is an operator that may return NULL.
    Operator,
    /// It is an aggregate of rows that need not be there.
    NoRows,
    /// It is a query that need not return a row.
    Subquery,
    /// `GROUPING SETS`, `ROLLUP` and `CUBE` make columns NULL.
    GroupingSets,
    /// It is a field or an element, or something else that can be NULL.
    Part,
    /// It is not known what it is.
    Unknown,
}

impl Nullability {
    /// Returns whether it is never NULL.
    ///
    /// ```
    /// use pg_ast_types::{NotNullReason, Nullability};
    ///
    /// assert!(Nullability::NotNull(NotNullReason::Constant).is_not_null());
    /// ```
    #[must_use]
    pub const fn is_not_null(self) -> bool {
        matches!(self, Self::NotNull(_))
    }
}

impl Default for Nullability {
    fn default() -> Self {
        Self::Nullable(NullableReason::Unknown)
    }
}
