//! Tokens of SQL that the scanner refuses in part.

use core::ops::Range;

use super::deparse::comments_of;
use super::ffi::{self, Scan};
use super::protobuf::Token;
use super::scan::{ScanResult, ScanToken, split};
use crate::runtime::arena::with_arena;
use crate::runtime::order::sort_by_key;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::Comment;
use crate::types::text::{ScanError, TokenTexts};

/// The tokens of SQL that may be wrong: the result of [`scan_lossy`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LossyScan {
    /// The tokens, in order; those of [`scan`](super::scan()) if there is no error.
    pub scan: ScanResult,
    /// What is no token, in order. Between them, the tokens and the errors have every byte of the SQL that is not blank.
    pub errors: Vec<ScanError>,
}

/// Splits SQL into the tokens of PostgreSQL's scanner, and goes on where it refuses something.
///
/// What it refuses is an error with a range, in which no token is:
///
/// - A string, quoted identifier, dollar quote or comment without an end. For PostgreSQL, all that follows is part of
///   it. An editor wants tokens there while somebody types, so the scan goes on at the end of the line on which it begins.
///   (After 16 of them, one reaches to the end of the SQL; see LIMITS.md.)
/// - A string with a mistake in it, such as a wrong Unicode escape. The scan goes on behind the string.
/// - A number with letters behind it, a parameter or an operator that is too long, `""`. The scan goes on behind it.
/// - A NUL, which no text of PostgreSQL's has.
///
/// A quote that is missing turns strings inside out up to the next one that is missing, so that the error may be
/// far behind the mistake. [`parse_script`](super::parse_script) finds where that is, by the statements.
///
/// ```
/// let sql = "SELECT 'a, 1x\nFROM t -- all";
/// let lossy = pg_ast::scan_lossy(sql);
/// let tokens: Vec<_> = lossy.scan.tokens.iter().map(|token| &sql[token.range()]).collect();
/// assert_eq!(tokens, ["SELECT", "FROM", "t", "-- all"]);
/// assert_eq!(lossy.errors[0].range, 7..13);
/// assert_eq!(lossy.errors[0].error.message(), "unterminated quoted string at or near \"'a, 1x\"");
///
/// assert_eq!(pg_ast::scan_lossy("SELECT 1").scan, pg_ast::scan("SELECT 1")?);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Time is linear in the length of the SQL. Where there are limits ([`ErrorKind::TooLarge`], [`ErrorKind::OutOfMemory`]), the
/// last error is about that, and has the range from there to the end of the SQL.
#[must_use]
pub fn scan_lossy(sql: &str) -> LossyScan {
    let mut lossy = LossyScan::default();
    let mut start = 0;
    // C's texts have no NUL.
    for part in sql.split('\0') {
        let end = start + part.len();
        if let Err(error) = lossy.add(part, start) {
            let from = lossy.end().max(start);
            lossy.errors.push(ScanError { range: from..sql.len(), error });
            break;
        }
        if end < sql.len() {
            let error = Error::new(ErrorKind::Nul, ffi::NUL_MESSAGE).with_cursor(Some(end));
            lossy.errors.push(ScanError { range: end..end + 1, error });
        }
        start = end + 1;
    }
    lossy
}

/// As [`scan_lossy`], without the types of this version.
pub(crate) fn token_texts_lossy(sql: &str) -> TokenTexts {
    let lossy = scan_lossy(sql);
    let tokens = lossy.scan.tokens.into_iter().map(ScanToken::text).collect();
    TokenTexts { tokens, errors: lossy.errors }
}

/// The comments in SQL that may be wrong, as [`scan_lossy`] finds them.
///
/// A comment without an end is none; it is one of the errors of [`scan_lossy`]. If [`scan`](super::scan()) takes the SQL, the
/// comments are those of [`comments`](super::comments).
///
/// ```
/// let comments = pg_ast::comments_lossy("SELECT 'a -- no comment\n/* one */ FROM t /* two");
/// assert_eq!(comments.len(), 1);
/// assert_eq!(comments[0].text, "/* one */");
/// ```
#[must_use]
pub fn comments_lossy(sql: &str) -> Vec<Comment> {
    let is_comment = |token| matches!(token, Token::SqlComment | Token::CComment);
    let all = scan_lossy(sql).all();
    comments_of(sql, all.into_iter().map(|(token, range)| (is_comment(token), range)))
}

/// Splits SQL that may be wrong into its statements, by its tokens alone, as [`scan_lossy`] finds them.
///
/// What the scanner refuses is part of the statement in which it is. Otherwise this does what
/// [`split_with_scanner`](super::split_with_scanner) does. ([`parse_script`](super::parse_script) finds the ends of wrong
/// statements by the grammar, too.)
///
/// ```
/// let stmts = pg_ast::split_lossy("SELECT 1x; SELECT 2;\nSELECT 'a;\nFROM t; SELECT 3");
/// assert_eq!(stmts, ["SELECT 1x", " SELECT 2", "\nSELECT 'a;\nFROM t", " SELECT 3"]);
/// ```
#[must_use]
pub fn split_lossy(sql: &str) -> Vec<&str> {
    split(sql, scan_lossy(sql).all().into_iter())
}

impl LossyScan {
    /// Adds the tokens of a part without NUL, which begins at `start`.
    fn add(&mut self, part: &str, start: usize) -> Result<(), Error> {
        let scan = with_arena(|arena| Scan::new(ffi::c_string(part, arena)?, true))?;
        let tokens = scan.tokens().iter().map(|token| ScanToken::new(token, start));
        self.scan.tokens.extend(tokens);
        self.scan.warnings.extend(scan.warnings(part).into_iter().map(|mut warning| {
            warning.cursor = warning.cursor.map(|cursor| cursor + start);
            warning
        }));
        self.errors.extend(scan.mistakes(part).into_iter().map(|mistake| ScanError {
            error: quoting(mistake.error, &part[mistake.range.clone()]).moved(start),
            range: mistake.range.start + start..mistake.range.end + start,
        }));
        scan.error(part).map_or(Ok(()), |error| Err(error.moved(start)))
    }

    /// Where the last token or error ends.
    fn end(&self) -> usize {
        let token = self.scan.tokens.last().map_or(0, |token| token.end as usize);
        self.errors.last().map_or(token, |error| error.range.end.max(token))
    }

    /// Tokens and errors, in order; an error is no token of the grammar.
    fn all(self) -> Vec<(Token, Range<usize>)> {
        let tokens = self.scan.tokens.into_iter().map(|token| (token.token, token.range()));
        let errors = self.errors.into_iter().map(|error| (Token::Nul, error.range));
        let mut all: Vec<_> = tokens.chain(errors).collect();
        // Two runs that are in order: this merges them.
        sort_by_key(&mut all, |(_, range)| (range.start as u64, 0));
        all
    }
}

/// The error of a text that ends where the scan goes on: PostgreSQL quotes all that follows.
fn quoting(error: Error, text: &str) -> Error {
    let Some((message, quoted)) = error.message().split_once(" at or near \"") else {
        return error;
    };
    if quoted.len() <= text.len() + 1 {
        return error;
    }
    let message = format!("{message} at or near \"{text}\"");
    error.with_message(message)
}
