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
    /// Several tables have this column.
    AmbiguousColumn,
    /// Two items of a `FROM` have this name.
    DuplicateSource,
    /// An alias lists more columns than there are.
    TooManyNames,
    /// More columns than PostgreSQL can return.
    TooManyColumns,
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
