//! A script that is split part by part.

use core::ops::Range;

use super::error::Error;
use super::options::ParserOptions;
use crate::text::psql::Setting;

/// What the parts of a script that have been read mean for the next one.
///
/// [`Version::split_part`](crate::Version::split_part) updates it. A new script begins with the default.
#[derive(Clone, Debug, Default)]
pub struct ScriptState {
    pub(crate) conforming_strings: Setting,
    pub(crate) is_in_data: bool,
    pub(crate) is_in_long_stmt: bool,
}

impl ScriptState {
    /// Returns whether the script is within the data of a `COPY` so far. At the end of a script, this means that
    /// there was no `\.`: all that followed is data.
    #[must_use]
    pub fn is_in_data(&self) -> bool {
        self.is_in_data
    }

    /// Returns whether the script is within a statement that is too long so far.
    #[must_use]
    pub fn is_in_long_stmt(&self) -> bool {
        self.is_in_long_stmt
    }
}

/// What follows a part of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartEnd {
    /// More of the script, which is needed for a statement that is not complete.
    More,
    /// More of the script, but the caller keeps no longer part in memory: a statement that the whole part does not
    /// complete is skipped.
    TooLong,
    /// Nothing: it is the last part.
    End,
}

/// The statements in a part of a script.
///
/// Returned by [`Version::split_part`](crate::Version::split_part).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptPart {
    /// The part, with blanks in place of psql commands and `COPY` data, which are not for the parser.
    pub text: String,
    /// The complete statements.
    pub stmts: Vec<SplitStmt>,
    /// The length of what has been read, in bytes. The next part of the script begins there. It is 0 if the
    /// part is too short.
    pub taken: usize,
    /// What has been read of the data of a `COPY` that has no end in the part in which it begins.
    pub data: Option<Range<usize>>,
    /// What has been read of a statement that is too long.
    pub too_long: Option<Range<usize>>,
}

/// A statement of a [`ScriptPart`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitStmt {
    /// Its range in the part, in bytes: from its first token to its last, without the semicolon.
    pub range: Range<usize>,
    /// The options to parse it with: whether a backslash is an escape in it.
    pub options: ParserOptions,
    /// The error of a statement that is correct by itself, but lacks its semicolon, so that psql sends it with the next one.
    /// Its cursor is a byte offset into the part, in that next statement. Any other error is that of parsing the
    /// statement.
    pub error: Option<Error>,
}
