//! Parts of SQL, without the types of a version: tokens, and statements of a script.

use core::ops::Range;

use crate::types::error::{Error, Warning};

/// A token of SQL, named as in PostgreSQL's grammar.
///
/// Returned by [`Version::scan`](crate::Version::scan). The [`scan`](crate::scan) of a version returns
/// enumerations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenText {
    /// The kind of token, as in PostgreSQL's `gram.y`: `SELECT`, `IDENT`, `ICONST`, `ASCII_40` for a parenthesis;
    /// `NUL` for a character that the grammar does not know.
    pub name: &'static str,
    /// True if it is a keyword, reserved or not.
    pub is_keyword: bool,
    /// Its range in the SQL, in bytes.
    pub range: Range<usize>,
}

impl TokenText {
    /// Returns whether it is a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        matches!(self.name, "SQL_COMMENT" | "C_COMMENT")
    }
}

/// A part of SQL that PostgreSQL's scanner rejects, such as an unterminated string.
///
/// It is an item of [`LossyScan::errors`](crate::LossyScan::errors).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanError {
    /// The range of the rejected part, in bytes of the SQL. It contains no token.
    pub range: Range<usize>,
    /// PostgreSQL's error. Its message quotes no more of the SQL than is in the range.
    pub error: Error,
}

/// The tokens of SQL that may be wrong, named as in PostgreSQL's grammar.
///
/// Returned by [`Version::scan_lossy`](crate::Version::scan_lossy). The [`scan_lossy`](crate::scan_lossy) of a
/// version returns enumerations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenTexts {
    /// The tokens, including comments, in order.
    pub tokens: Vec<TokenText>,
    /// The parts that are not tokens, in order.
    pub errors: Vec<ScanError>,
}

/// A statement of a script, with its warnings or its error.
///
/// Returned by [`Version::parse_script`](crate::Version::parse_script).
/// The [`parse_script`](crate::parse_script) of a version returns trees.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedStmt {
    /// Its range in the script, in bytes: from its first token to its last, without the semicolon.
    pub range: Range<usize>,
    /// Its warnings, or its error; their positions are byte offsets into the whole script. The error's is in the range of
    /// the statement, or at its end; if only its semicolon is missing, in the next statement.
    pub result: Result<Vec<Warning>, Error>,
    /// The range of the data in the script, if it is a `COPY .. FROM STDIN` with data: whole lines, up to and including
    /// the `\.`, or up to the end of the script. They begin on the line after that of the `COPY`, so other statements may
    /// come first.
    pub copy_data: Option<Range<usize>>,
}
