//! The values that a column of a table has in the rows that statements read or write.

use core::fmt;
use std::collections::HashSet;
use std::sync::Arc;

use pg_ast::Literal;

use crate::resolution::TableUse;

/// The rows of a table that the statements of a tree read or write, by the values of one of its columns: the result of
/// [`column_values`](crate::column_values()).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnValues {
    /// The places that name the table, in the order of the statements, and within one by the places in the SQL.
    pub uses: Vec<ColumnValuesOfUse>,
    /// Whether a statement may change the column in a row that the table has: `UPDATE`, `MERGE`, `ON CONFLICT DO UPDATE`.
    pub is_changed: bool,
    /// Whether each statement is a query, or contains one that is executed as it stands. Of others, such as `CALL`, `EXECUTE` and
    /// `TRUNCATE`, and of views in the catalog, it is not known which rows they use.
    pub is_complete: bool,
}

impl ColumnValues {
    /// Returns the values of all uses together, each once; `None` if one of them may have any value, if the column of a row may
    /// change, or if there is a statement of which nothing is known. It is what a program asks that sends statements to shards.
    ///
    /// ```
    /// use pg_ast::QualifiedName;
    /// use pg_ast_names::{NoCatalog, column_values};
    ///
    /// let table = QualifiedName::new("public", "a");
    /// let values = |sql| {
    ///     let values = column_values(&pg_ast::parse(sql).unwrap(), &table, "k", &NoCatalog);
    ///     values.of_all_uses().map(|values| values.iter().map(ToString::to_string).collect::<Vec<_>>())
    /// };
    /// assert_eq!(values("SELECT * FROM a WHERE k IN (1, $1)").unwrap(), ["1", "$1"]);
    /// assert_eq!(values("SELECT * FROM a, b WHERE b.k = 1"), None);
    /// assert_eq!(values("UPDATE a SET k = 9 WHERE k = 3"), None);
    /// assert_eq!(values("SELECT * FROM b").unwrap(), [""; 0]);
    /// ```
    #[must_use]
    pub fn of_all_uses(&self) -> Option<Vec<&ColumnValue>> {
        if self.is_changed || !self.is_complete {
            return None;
        }
        let (mut all, mut seen) = (Vec::new(), HashSet::new());
        for used in &self.uses {
            let PossibleValues::These(values) = &used.values else { return None };
            all.extend(values.iter().filter(|value| seen.insert(*value)));
        }
        Some(all)
    }
}

/// A place that names a table, with the values that a column of it has there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ColumnValuesOfUse {
    /// The place.
    pub table: TableUse,
    /// The values in the rows that count there: all other rows could be missing from the table, and the result would be the same.
    /// For a row that is inserted, it is the value that it gets.
    pub values: PossibleValues,
}

/// The values that a column may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum PossibleValues {
    /// One of these. There are none if no row counts, as in `k = NULL`.
    These(Arc<[ColumnValue]>),
    /// Any: where the table is named, no condition compares the column with something.
    Any,
    /// The statement does not tell: the column is compared in another way, or with what is not known.
    Unknown,
}

/// A value of a column, as it is written: it is to be read as a value of the column's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ColumnValue {
    /// `NULL`, only in rows that are inserted.
    Null,
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A whole number that 64 bits can hold.
    Integer(i64),
    /// Any other number, as its digits, preceded by `-` if it is negative.
    Float(String),
    /// `'..'`, without the quotes, and with its escapes resolved.
    String(String),
    /// `B'..'` or `X'..'`: a `b` or an `x`, and the digits.
    BitString(String),
    /// A parameter, by its number. If it is NULL, no row counts, unless it is inserted.
    Param(i32),
    /// Any element of the array that a parameter is: `k = ANY ($1)`.
    ElementsOf(i32),
}

impl From<Literal<'_>> for ColumnValue {
    fn from(literal: Literal<'_>) -> Self {
        match literal {
            Literal::Boolean(value) => Self::Boolean(value),
            Literal::Integer(number) => Self::Integer(number),
            Literal::Float(number) => Self::Float(number.into_owned()),
            Literal::String(text) => Self::String(text.to_owned()),
            Literal::BitString(digits) => Self::BitString(digits.to_owned()),
            // There is no other kind.
            _ => Self::Null,
        }
    }
}

/// Prints the value as SQL; the elements of an array as `ANY ($1)`.
///
/// ```
/// use pg_ast_names::ColumnValue;
///
/// assert_eq!(ColumnValue::String("it's".to_owned()).to_string(), "'it''s'");
/// assert_eq!(ColumnValue::ElementsOf(1).to_string(), "ANY ($1)");
/// ```
impl fmt::Display for ColumnValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literal = match self {
            Self::Param(number) => return write!(f, "${number}"),
            Self::ElementsOf(number) => return write!(f, "ANY (${number})"),
            Self::Null => Literal::Null,
            Self::Boolean(value) => Literal::Boolean(*value),
            Self::Integer(number) => Literal::Integer(*number),
            Self::Float(number) => Literal::Float(number.as_str().into()),
            Self::String(text) => Literal::String(text),
            Self::BitString(digits) => Literal::BitString(digits),
        };
        literal.fmt(f)
    }
}
