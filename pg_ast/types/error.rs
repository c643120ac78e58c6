//! Errors and warnings.

mod of_original;

use core::fmt;

use crate::types::expected::{Expected, Suggestion};
use crate::types::options::ParserOptions;
use crate::types::versions::Version;
use crate::types::written_text::WrittenText;

/// The result type of this crate's calls: a `T` or an [`Error`].
///
/// ```
/// fn canonical(sql: &str) -> pg_ast::Result<String> {
///     pg_ast::parse(sql)?.deparse()
/// }
/// assert_eq!(canonical("select  1").as_deref(), Ok("SELECT 1"));
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The reason why SQL could not be parsed, or a tree could not be printed.
///
/// ```
/// let error = pg_ast::parse("SELECT 1 FROM FROM").unwrap_err();
/// assert_eq!(error.kind(), pg_ast::ErrorKind::Syntax);
/// assert_eq!(error.message(), "syntax error at or near \"FROM\"");
/// assert_eq!(error.cursor(), Some(14));
/// assert_eq!(error.to_string(), "syntax error at or near \"FROM\"");
/// assert_eq!(format!("{error:#}"), "syntax error at or near \"FROM\" (at byte 14)");
/// ```
///
/// A program can create its own errors, so that its callers have one error type to handle:
///
/// ```
/// use pg_ast::{Error, ErrorKind};
///
/// fn only_selects(sql: &str) -> Result<(), Error> {
///     let tree = pg_ast::parse(sql)?;
///     match tree.stmts().find(|stmt| stmt.as_select_stmt().is_none()) {
///         None => Ok(()),
///         Some(_) => Err(Error::new(ErrorKind::Other, "only SELECT is allowed").with_cursor(Some(0))),
///     }
/// }
/// assert!(only_selects("SELECT 1").is_ok());
/// assert_eq!(only_selects("DROP TABLE t").unwrap_err().message(), "only SELECT is allowed");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    detail: Option<String>,
    hint: Option<String>,
    context: Option<String>,
    cursor: Option<usize>,
    source: Option<SourceLocation>,
    grammar: Option<Grammar>,
}

/// The data from which the expected tokens are computed.
#[derive(Clone, PartialEq, Eq)]
struct Grammar {
    major: u32,
    options: ParserOptions,
    /// The byte offset of the parser's text in the text that the cursor refers to.
    start: usize,
    /// The parser's text, if it has tokens in place of variables.
    written: Option<std::sync::Arc<WrittenText>>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// PostgreSQL's scanner or grammar rejects the SQL.
    Syntax,
    /// The SQL, or a string in the tree, contains a NUL byte, which a C string cannot hold.
    Nul,
    /// An escape in the SQL (`E'\xff'`) produces a string that is not UTF-8.
    InvalidEncoding,
    /// The C tree holds a node or a constant that the Rust type does not know. Trees of this crate know all of them; a
    /// [type of your own](derive@crate::FromRaw) knows those that it names.
    UnmappedNode,
    /// The statement, or the tree, is nested deeper than [`max_depth`](crate::ParserOptions::max_depth)
    /// or PostgreSQL's grammar allows.
    TooDeep,
    /// The input, or the result, exceeds a limit on its size: see
    /// [`ParserOptions`](crate::ParserOptions).
    TooLarge,
    /// The bytes are not a tree in Protobuf.
    Decode,
    /// The tree cannot be printed: it is not one that PostgreSQL's grammar could have made. Or the text of a
    /// [`Comment`](crate::Comment) is not a comment.
    Deparse,
    /// Edits overlap, or lie outside of the text: see [`Edits`](crate::Edits).
    Edit,
    /// This PostgreSQL version does not support the call.
    Unsupported,
    /// Out of memory.
    OutOfMemory,
    /// An error that a program creates with [`Error::new`]. The library itself never returns this kind.
    Other,
}

/// The place in PostgreSQL's C sources where an error or a warning was raised.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SourceLocation {
    /// The file name, without its folder: `scan.l`.
    pub file: String,
    /// The line number, counted from 1.
    pub line: u32,
    /// The name of the C function: `scanner_yyerror`.
    pub function: String,
}

impl Error {
    /// Creates an error with a message only.
    ///
    /// ```
    /// use pg_ast::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Other, "no such table").with_cursor(Some(14));
    /// assert_eq!((error.kind(), error.message()), (ErrorKind::Other, "no such table"));
    /// assert_eq!(error.to_string(), "no such table");
    /// assert_eq!(format!("{error:#}"), "no such table (at byte 14)");
    /// ```
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            detail: None,
            hint: None,
            context: None,
            cursor: None,
            source: None,
            grammar: None,
        }))
    }

    pub(crate) fn too_deep(max: usize) -> Self {
        let message = format!("the statement is nested more than {max} levels deep");
        Self::new(ErrorKind::TooDeep, message)
    }

    pub(crate) fn too_many_nodes(max: usize) -> Self {
        Self::new(ErrorKind::TooLarge, format!("the tree has more than {max} nodes"))
    }

    pub(crate) fn invalid_encoding(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let message = format!("the parser made a string that is not UTF-8: \"{text}\"");
        Self::new(ErrorKind::InvalidEncoding, message)
    }

    /// Returns whether the error is one of a whole statement: its tree exceeds a limit, or has a node that is not read.
    pub(crate) fn is_of_stmt(&self) -> bool {
        matches!(self.kind(), ErrorKind::TooDeep | ErrorKind::TooLarge | ErrorKind::UnmappedNode)
    }

    pub(crate) fn unmapped(message: String) -> Self {
        Self::new(ErrorKind::UnmappedNode, message)
    }

    /// Sets the position: a byte offset into the SQL.
    #[must_use]
    pub fn with_cursor(mut self, cursor: Option<usize>) -> Self {
        self.0.cursor = cursor;
        self
    }

    /// Sets the `DETAIL`.
    ///
    /// ```
    /// use pg_ast::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Other, "no such table").with_detail("the schema is \"app\"");
    /// assert_eq!(error.detail(), Some("the schema is \"app\""));
    /// ```
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Sets the `HINT`.
    ///
    /// ```
    /// use pg_ast::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Other, "no such table").with_hint("Create it first.");
    /// assert_eq!(error.hint(), Some("Create it first."));
    /// ```
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The error with this `CONTEXT`.
    ///
    /// ```
    /// use pg_ast::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Other, "no such table").with_context("in the file a.sql");
    /// assert_eq!(error.context(), Some("in the file a.sql"));
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.0.context = Some(context.into());
        self
    }

    /// Replaces the message.
    pub(crate) fn with_message(mut self, message: String) -> Self {
        self.0.message = message;
        self
    }

    /// Moves the position, for a text that starts `offset` bytes into a longer one.
    pub(crate) fn moved(mut self, offset: usize) -> Self {
        self.0.cursor = self.0.cursor.map(|cursor| cursor + offset);
        if let Some(grammar) = &mut self.0.grammar {
            grammar.start += offset;
        }
        self
    }

    /// Notes the version and the options if this is an error of the grammar, so that it can tell what was expected.
    pub(crate) fn of_grammar(mut self, major: u32, options: ParserOptions) -> Self {
        if self.0.kind == ErrorKind::Syntax && self.0.message.starts_with("syntax error") {
            self.0.grammar = Some(Grammar { major, options, start: 0, written: None });
        }
        self
    }

    pub(crate) fn raised_in(mut self, source: Option<SourceLocation>) -> Self {
        self.0.source = source;
        self
    }

    pub(crate) fn with_notes(
        mut self,
        detail: Option<String>,
        hint: Option<String>,
        context: Option<String>,
    ) -> Self {
        self.0.detail = detail;
        self.0.hint = hint;
        self.0.context = context;
        self
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// PostgreSQL's message, as `psql` would show it after `ERROR:`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// PostgreSQL's `DETAIL`, if there is one.
    ///
    /// ```
    /// use pg_ast::ParserOptions;
    ///
    /// let options = ParserOptions::default().standard_conforming_strings(false);
    /// let error = pg_ast::parse_with(r"SELECT U&'a'", options).unwrap_err();
    /// assert!(error.detail().unwrap().starts_with("String constants with Unicode escapes cannot be used"));
    /// ```
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// PostgreSQL's `HINT`, if there is one.
    ///
    /// ```
    /// let error = pg_ast::parse(r"SELECT E'\u00'").unwrap_err();
    /// assert_eq!(error.hint(), Some(r"Unicode escapes must be \uXXXX or \UXXXXXXXX."));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// PostgreSQL's `CONTEXT`, if there is one.
    ///
    /// ```
    /// # #[cfg(feature = "plpgsql")] {
    /// let error = pg_ast::parse_plpgsql("DO $$ DECLARE a void; BEGIN END $$").unwrap_err();
    /// assert!(error.context().unwrap().ends_with("near line 1"));
    /// # }
    /// assert_eq!(pg_ast::parse("SELEC 1").unwrap_err().context(), None);
    /// ```
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        self.0.context.as_deref()
    }

    /// The position of the error, as a byte offset into the SQL.
    ///
    /// It is the offset of a character's first byte, or the length of the SQL. (PostgreSQL itself
    /// counts characters, from 1.)
    #[must_use]
    pub fn cursor(&self) -> Option<usize> {
        self.0.cursor
    }

    /// Returns the tokens that PostgreSQL's grammar would have accepted where it rejected `sql`, sorted.
    ///
    /// `sql` is the SQL that caused the error. The tokens are computed on demand. There are none if the error is not
    /// one of the grammar, as for an unterminated string.
    ///
    /// ```
    /// use pg_ast::Expected::{End, Keyword, Symbol};
    ///
    /// let sql = "DROP TABLE t t";
    /// let error = pg_ast::parse(sql).unwrap_err();
    /// let expected = [Keyword("CASCADE"), Keyword("RESTRICT"), Symbol(","), Symbol("."), Symbol(";"), End];
    /// assert_eq!(error.expected(sql), expected);
    /// ```
    #[must_use]
    pub fn expected(&self, sql: &str) -> Vec<Expected> {
        let at = self.grammar_at(sql);
        at.map_or_else(Vec::new, |(version, text, offset, options)| {
            of_version!(version, expected_at(text, offset, options))
        })
    }

    /// Returns the keyword that was probably meant where PostgreSQL's grammar rejected `sql`, the SQL of the error.
    ///
    /// It resembles the word that is there, or the one before it, and can replace that word: the grammar then accepts
    /// what it rejected.
    ///
    /// ```
    /// let sql = "SELECT a FORM t";
    /// let error = pg_ast::parse(sql).unwrap_err();
    /// assert_eq!(error.message(), "syntax error at or near \"t\"");
    /// let suggestion = error.suggestion(sql).unwrap();
    /// assert_eq!((suggestion.keyword, &sql[suggestion.range]), ("FROM", "FORM"));
    /// ```
    #[must_use]
    pub fn suggestion(&self, sql: &str) -> Option<Suggestion> {
        let (version, text, offset, options) = self.grammar_at(sql)?;
        let mut suggestion = of_version!(version, suggestion_at(text, offset, options))?;
        let grammar = self.0.grammar.as_ref()?;
        if let Some(written) = &grammar.written {
            suggestion.range = written.original(&suggestion.range);
        }
        let start = grammar.start;
        suggestion.range = suggestion.range.start + start..suggestion.range.end + start;
        Some(suggestion)
    }

    /// Returns the version, the text that it parsed, and the place in it.
    fn grammar_at<'a>(&'a self, sql: &'a str) -> Option<(Version, &'a str, usize, ParserOptions)> {
        let grammar = self.0.grammar.as_ref()?;
        let version = Version::from_major(grammar.major)?;
        let offset = self.0.cursor?.checked_sub(grammar.start)?;
        if let Some(written) = &grammar.written {
            return Some((version, &written.text, written.place_of(offset), grammar.options));
        }
        Some((version, sql.get(grammar.start..)?, offset, grammar.options))
    }

    /// The place in PostgreSQL's C sources where the error was raised; `None` if it was raised in Rust.
    #[must_use]
    pub fn source_location(&self) -> Option<&SourceLocation> {
        self.0.source.as_ref()
    }
}

/// Prints the [`message`](Error::message); with `{:#}`, the position as well.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match self.0.cursor {
            Some(cursor) if f.alternate() => write!(f, " (at byte {cursor})"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("detail", &self.0.detail)
            .field("hint", &self.0.hint)
            .field("context", &self.0.context)
            .field("cursor", &self.0.cursor)
            .field("source_location", &self.0.source)
            .finish()
    }
}

impl core::error::Error for Error {}

/// A warning that PostgreSQL raised while it parsed.
///
/// ```
/// use pg_ast::ParserOptions;
///
/// let options = ParserOptions::default().standard_conforming_strings(false);
/// let result = pg_ast::parse_with(r"SELECT 'a\nb'", options)?;
/// assert_eq!(result.warnings[0].message, "nonstandard use of escape in a string literal");
/// assert_eq!(result.warnings[0].cursor, Some(7));
/// assert_eq!(
///     result.warnings[0].to_string(),
///     "WARNING:  nonstandard use of escape in a string literal",
/// );
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Warning {
    /// The severity.
    pub severity: Severity,
    /// PostgreSQL's message, as `psql` would show it after `WARNING:`.
    pub message: String,
    /// PostgreSQL's `DETAIL`, if there is one.
    pub detail: Option<String>,
    /// PostgreSQL's `HINT`, if there is one.
    pub hint: Option<String>,
    /// The position of the warning, as a byte offset into the SQL.
    pub cursor: Option<usize>,
    /// The place in PostgreSQL's C sources where the warning was raised.
    pub source_location: Option<SourceLocation>,
}

/// Prints the severity and the message, as psql does.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:  {}", self.severity, self.message)
    }
}

/// The severity of a [`Warning`].
///
/// Mirrors the levels below `ERROR` of PostgreSQL's `src/include/utils/elog.h`.
///
/// ```
/// use pg_ast::Severity;
///
/// let long = "x".repeat(64);
/// let result = pg_ast::parse(&format!("SELECT {long}"))?;
/// assert_eq!(result.warnings[0].severity, Severity::Notice);
/// assert!(Severity::Notice < Severity::Warning);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Severity {
    /// For debugging the server.
    Debug,
    /// For the server's log.
    Log,
    /// Information that the client has asked for.
    Info,
    /// Useful to the client, such as that a name was truncated.
    Notice,
    /// Probably a mistake.
    Warning,
}

/// Prints the level as a server reports it: `NOTICE`.
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Debug => "DEBUG",
            Self::Log => "LOG",
            Self::Info => "INFO",
            Self::Notice => "NOTICE",
            Self::Warning => "WARNING",
        })
    }
}
