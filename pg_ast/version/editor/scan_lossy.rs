//! Tokens of SQL that the scanner rejects in part.

use core::ops::Range;

use super::ffi;
use super::ffi::Scan;
use super::names::protobuf::Token;
use super::print::deparse::comments_of;
use super::read::scan::{ScanResult, ScanToken, split};
use crate::foundation::arena::with_arena;
use crate::foundation::order::sort_by_key;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::{Comment, ParserOptions};
use crate::types::text::{ScanError, TokenTexts};

/// The tokens of SQL that may be wrong: the result of [`scan_lossy`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LossyScan {
    /// The tokens, in order; those of [`scan`](super::super::scan()) if there is no error.
    pub scan: ScanResult,
    /// The parts that are not tokens, in order. Tokens and errors together cover every non-blank byte of the SQL.
    pub errors: Vec<ScanError>,
}

/// Splits SQL into the tokens of PostgreSQL's scanner, and continues after parts that the scanner rejects.
///
/// Each rejected part is an error with a range that contains no token:
///
/// - An unterminated string, quoted identifier, dollar quote or comment. For PostgreSQL, all that follows is part of
///   it. An editor needs tokens there while somebody is typing, so the scan continues at the end of the line it begins on.
///   (After 16 of them, the next one extends to the end of the SQL; see LIMITS.md.)
/// - A string with a mistake in it, such as a wrong Unicode escape. The scan continues after the string.
/// - A number followed by letters, a parameter or an operator that is too long, `""`. The scan continues after it.
/// - A NUL, which no string in PostgreSQL can contain.
///
/// A missing quote turns strings inside out up to the next missing quote, so the error may be
/// far after the mistake. [`parse_script`](super::super::parse_script) locates the mistake by the statements.
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
/// Time is linear in the length of the SQL. At a limit ([`ErrorKind::TooLarge`], [`ErrorKind::OutOfMemory`]), the
/// last error reports it, with the range from there to the end of the SQL.
#[must_use]
pub fn scan_lossy(sql: &str) -> LossyScan {
    scan_lossy_for(sql, ParserOptions::default().normalized(true))
}

/// Like [`scan_lossy`], with the errors that the parser would find in the tokens.
pub(crate) fn scan_lossy_for(sql: &str, options: ParserOptions) -> LossyScan {
    let mut lossy = LossyScan::default();
    let mut start = 0;
    // C strings contain no NUL.
    for part in sql.split('\0') {
        let end = start + part.len();
        if let Err(error) = lossy.add(part, start, options) {
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

/// Like [`scan_lossy`], without the types of this version.
pub(crate) fn token_texts_lossy(sql: &str) -> TokenTexts {
    let lossy = scan_lossy(sql);
    let tokens = lossy.scan.tokens.into_iter().map(ScanToken::text).collect();
    TokenTexts { tokens, errors: lossy.errors }
}

/// Returns the comments in SQL that may be wrong, as [`scan_lossy`] finds them.
///
/// An unterminated comment is not included: it is an error of [`scan_lossy`]. If [`scan`](super::super::scan()) accepts the SQL, the
/// comments are those of [`comments`](super::super::comments).
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
/// A part that the scanner rejects belongs to the statement around it. Otherwise this works like
/// [`split_with_scanner`](super::super::split_with_scanner). ([`parse_script`](super::super::parse_script) finds the ends of wrong
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
    fn add(&mut self, part: &str, start: usize, options: ParserOptions) -> Result<(), Error> {
        let scan =
            with_arena(|arena| Scan::lossy(ffi::c_string(part, arena)?, options.normalized))?;
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

    /// Returns the end of the last token or error.
    fn end(&self) -> usize {
        let token = self.scan.tokens.last().map_or(0, |token| token.end as usize);
        self.errors.last().map_or(token, |error| error.range.end.max(token))
    }

    /// Returns tokens and errors, in order; an error counts as a token that the grammar does not know.
    fn all(self) -> Vec<(Token, Range<usize>)> {
        let tokens = self.scan.tokens.into_iter().map(|token| (token.token, token.range()));
        let errors = self.errors.into_iter().map(|error| (Token::Nul, error.range));
        let mut all: Vec<_> = tokens.chain(errors).collect();
        // Merges two ordered runs.
        sort_by_key(&mut all, |(_, range)| (range.start as u64, 0));
        all
    }
}

/// Cuts the text that an error quotes to where the scan continues: PostgreSQL quotes all that follows.
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
