//! Parts of texts without the types of a version: tokens, and statements of a script.

use core::ops::Range;

use crate::types::error::{Error, Warning};

/// A token of SQL, by the name that PostgreSQL's grammar has for it.
///
/// It is what [`Version::scan`](crate::Version::scan) returns; [`scan`](crate::scan) of a version has
/// enumerations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenText {
    /// The kind of token, as in PostgreSQL's `gram.y`: `SELECT`, `IDENT`, `ICONST`, `ASCII_40` for a parenthesis;
    /// `NUL` for a character that no rule of the grammar knows.
    pub name: &'static str,
    /// Whether it is a keyword, reserved or not.
    pub is_keyword: bool,
    /// Its range in the SQL, in bytes.
    pub range: Range<usize>,
}

impl TokenText {
    /// Whether it is a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        matches!(self.name, "SQL_COMMENT" | "C_COMMENT")
    }
}

/// A part of SQL that PostgreSQL's scanner refuses, such as a string without an end.
///
/// It is an item of [`LossyScan::errors`](crate::LossyScan::errors).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanError {
    /// The range of what is refused, in bytes of the SQL: no token is in it.
    pub range: Range<usize>,
    /// PostgreSQL's error. Its message quotes no more of the SQL than is in the range.
    pub error: Error,
}

/// The tokens of SQL that may be wrong, by the names that PostgreSQL's grammar has for them.
///
/// It is what [`Version::scan_lossy`](crate::Version::scan_lossy) returns; [`scan_lossy`](crate::scan_lossy) of a
/// version has enumerations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenTexts {
    /// The tokens, including comments, in order.
    pub tokens: Vec<TokenText>,
    /// What is no token, in order.
    pub errors: Vec<ScanError>,
}

/// A statement of a script, and whether it is correct.
///
/// It is what [`Version::parse_script`](crate::Version::parse_script) returns;
/// [`parse_script`](crate::parse_script) of a version has trees.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedStmt {
    /// Its range in the script, in bytes: from its first token to its last, without the semicolon.
    pub range: Range<usize>,
    /// Its warnings, or its error; their positions are byte offsets into the whole script.
    pub result: Result<Vec<Warning>, Error>,
}
