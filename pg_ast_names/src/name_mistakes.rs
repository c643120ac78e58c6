//! Names that mean nothing, or several things.

use core::fmt;
use core::ops::Range;

use crate::resolution::part_range;

/// A name that means nothing, or several things.
///
/// ```
/// use pg_ast_names::{DdlCatalog, MistakeKind, define, resolve};
///
/// let mut catalog = DdlCatalog::new();
/// define(&pg_ast::parse("CREATE TABLE users (id int, name text)")?, &mut catalog);
///
/// let sql = "SELECT u.nmae FROM users AS u";
/// let names = resolve(&pg_ast::parse(sql)?, &catalog);
/// let mistake = &names.mistakes[0];
/// assert_eq!(mistake.kind, MistakeKind::MissingColumn);
/// assert_eq!(mistake.to_string(), "column u.nmae does not exist");
/// assert_eq!(mistake.suggestion.as_deref(), Some("name"));
/// assert_eq!(&sql[mistake.range(sql).unwrap()], "nmae");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NameMistake {
    /// What is wrong.
    pub kind: MistakeKind,
    /// PostgreSQL's message.
    pub message: String,
    /// The name that was probably meant, in place of the wrong part.
    pub suggestion: Option<String>,
    /// The byte offset of the name, if the tree has one.
    pub location: Option<usize>,
    /// The index of the node: [`ParseResult::node_at`](pg_ast::ParseResult::node_at) returns it.
    pub node: Option<usize>,
    /// The index of the statement.
    pub stmt: usize,
    /// The part of the name that is wrong.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) part: usize,
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum MistakeKind {
    /// No table has this column.
    MissingColumn,
    /// There is no such table.
    MissingTable,
    /// No item of a `FROM` has this name, or none that can be used here.
    MissingSource,
    /// There is no such function.
    MissingFunction,
    /// There is no such type.
    MissingType,
    /// There is no such index.
    MissingIndex,
    /// There is no such schema.
    MissingSchema,
    /// Several tables have this column.
    AmbiguousColumn,
    /// Two items of a `FROM` have this name.
    DuplicateSource,
    /// An alias lists more columns than there are.
    TooManyNames,
    /// More columns than PostgreSQL can return.
    TooManyColumns,
    /// Two queries of a `WITH` have this name.
    DuplicateCte,
    /// An `INSERT`, a `SEARCH` or a `CYCLE` names a column twice.
    DuplicateTarget,
    /// An `INSERT` has more values than columns.
    TooManyValues,
    /// An `INSERT` has fewer values than columns.
    TooFewValues,
    /// The rows of a `VALUES` are not all as long.
    UnequalRows,
    /// The queries of a `UNION`, `INTERSECT` or `EXCEPT` do not return as many columns.
    UnequalQueries,
    /// An `ORDER BY`, `GROUP BY` or `DISTINCT ON` has a constant that is the place of no column.
    MissingPosition,
    /// An `ORDER BY`, `GROUP BY` or `DISTINCT ON` has a constant that is no integer, and so no place.
    NonIntegerPosition,
    /// An `UPDATE` assigns twice to a column.
    DuplicateAssignment,
    /// The query has no window of this name.
    MissingWindow,
    /// Two windows of the query have this name.
    DuplicateWindow,
    /// A query groups its rows, and a column that it returns is neither grouped nor in an aggregate.
    UngroupedColumn,
    /// An aggregate, or `GROUPING`, where there can be none, or with arguments that it cannot have.
    MisplacedAggregate,
    /// A window function where there can be none.
    MisplacedWindow,
    /// A window function without `OVER`.
    MissingOver,
    /// A function that returns a set where there can be none.
    MisplacedSet,
}

impl MistakeKind {
    /// Returns the SQLSTATE with which the server refuses the statement.
    ///
    /// ```
    /// use pg_ast_names::{NoCatalog, resolve};
    ///
    /// let names = resolve(&pg_ast::parse("SELECT 1 ORDER BY 2")?, &NoCatalog);
    /// let mistake = &names.mistakes[0];
    /// assert_eq!(mistake.message, "ORDER BY position 2 is not in select list");
    /// assert_eq!(mistake.kind.sqlstate(), "42P10");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn sqlstate(self) -> &'static str {
        match self {
            Self::MissingColumn => "42703",
            Self::MissingTable | Self::MissingSource => "42P01",
            Self::MissingFunction => "42883",
            Self::MissingSchema => "3F000",
            Self::AmbiguousColumn => "42702",
            Self::DuplicateSource | Self::DuplicateCte => "42712",
            Self::TooManyNames | Self::MissingPosition => "42P10",
            Self::TooManyColumns => "54011",
            Self::DuplicateTarget => "42701",
            Self::TooManyValues
            | Self::TooFewValues
            | Self::UnequalRows
            | Self::UnequalQueries
            | Self::NonIntegerPosition
            | Self::DuplicateAssignment => "42601",
            Self::MissingWindow | Self::MissingType | Self::MissingIndex => "42704",
            Self::DuplicateWindow | Self::MisplacedWindow => "42P20",
            Self::UngroupedColumn | Self::MisplacedAggregate => "42803",
            Self::MissingOver => "42809",
            Self::MisplacedSet => "0A000",
        }
    }
}

impl NameMistake {
    /// Returns the byte range of the wrong part of the name in the SQL that the tree was parsed from; `None` if the tree does not
    /// have its place, or the SQL is another one.
    #[must_use]
    pub fn range(&self, sql: &str) -> Option<Range<usize>> {
        part_range(sql, self.location?, self.part)
    }
}

/// Prints the message.
impl fmt::Display for NameMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
