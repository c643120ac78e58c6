//! Trees of SQL with mistakes.

use super::ffi::expect::{Expect, Repair, symbol_name};
use super::print::edits::Edits;
use super::read::expect::{find_suggestion, symbols, terminals, with_names};
use super::read::parse::{ParseResult, parse};
use crate::types::error::{Error, ErrorKind};
use crate::types::expected::{Change, Expected};
use crate::types::options::ParserOptions;

/// The tree of SQL with mistakes: the result of [`parse_lossy`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LossyParse {
    /// The tree of [`sql`](Self::sql); its locations are offsets into that.
    pub tree: ParseResult,
    /// The SQL without the mistakes.
    pub sql: String,
    /// The changes to the original SQL, in order; empty if it was correct.
    pub changes: Vec<Change>,
}

/// The number of words that are replaced by keywords that they resemble.
const MAX_SUGGESTIONS: usize = 8;

/// Parses SQL with mistakes, for editors that need tables and aliases while somebody is typing.
///
/// Where PostgreSQL's grammar rejects a token, another one is inserted before it, or the token is removed or replaced:
/// whichever keeps most of what follows. Whatever is open at the end is closed. A name that is missing becomes
/// `_`.
///
/// ```
/// let lossy = pg_ast::parse_lossy("SELECT u. FROM app.users AS u WHERE (u.id =")?;
/// assert_eq!(lossy.sql, "SELECT u. _ FROM app.users AS u WHERE (u.id = _ )");
/// assert_eq!(lossy.tree.tables(), ["app.users"]);
/// assert_eq!(lossy.changes.len(), 2);
/// assert_eq!((lossy.changes[0].range.clone(), lossy.changes[0].text.as_str()), (10..10, "_ "));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The error of [`parse`](super::super::parse()), if it is not a syntax error, or if no such change helps.
pub fn parse_lossy(sql: &str) -> Result<LossyParse, Error> {
    let error = match parse(sql) {
        Ok(tree) => return Ok(LossyParse { tree, sql: sql.to_owned(), changes: Vec::new() }),
        Err(error) => error,
    };
    if error.kind() != ErrorKind::Syntax {
        return Err(error);
    }
    corrected(sql).ok_or(error)
}

/// Changes a text into one that the grammar accepts.
fn corrected(sql: &str) -> Option<LossyParse> {
    let edits = edits(sql)?;
    let changes = edits.changes().ok()?.into_iter();
    let changes = changes.map(|(range, text)| Change { range, text }).collect();
    let sql = edits.apply().ok()?;
    Some(LossyParse { tree: parse(&sql).ok()?, sql, changes })
}

/// Returns the edits that make the grammar accept a text.
fn edits(sql: &str) -> Option<Edits<'_>> {
    let mut edits = Edits::new(sql);
    let options = ParserOptions::default();
    // A part that the scanner rejects: an open quote, or anything else, which is removed with all that follows.
    let (mut all, mistake) = terminals(sql, options).ok()?;
    let (mut text_end, mut behind) = (sql.len(), String::new());
    if let Some(place) = mistake {
        let quote = closing(&sql[place..]);
        let closed = quote.and_then(|quote| {
            let found = terminals(&format!("{sql}{quote}"), options).ok();
            found.filter(|(_, mistake)| mistake.is_none()).map(|(terminals, _)| (terminals, quote))
        });
        match closed {
            Some((terminals, quote)) => (all, behind) = (terminals, quote),
            None => text_end = place,
        }
    }

    let (mut all, places) = with_names(sql, all);
    for place in places {
        edits.insert_before(place, "_ ");
    }
    for _ in 0..MAX_SUGGESTIONS {
        let refused = Expect::count_taken(&symbols(&all)).ok()?;
        let Some((place, suggestion, symbol)) = find_suggestion(sql, &all, refused) else { break };
        all[place].symbol = symbol;
        edits.replace(suggestion.range, suggestion.keyword);
    }

    let start = |index: usize| all.get(index).and_then(|terminal| terminal.start);
    let repair = Repair::new(&symbols(&all)).ok()??;
    for change in repair.changes() {
        let text = text_of(change.symbol).unwrap_or_default();
        match start(change.index) {
            None => behind = behind + " " + text,
            Some(start_at) if change.removes => {
                let next = start(change.index + 1).unwrap_or(text_end);
                let end = start_at + token_len(sql.get(start_at..next)?);
                edits.replace(start_at..end, text);
            }
            Some(start_at) => {
                edits.insert_before(start_at, format!("{text} "));
            }
        }
    }
    if !behind.is_empty() || text_end < sql.len() {
        edits.replace(text_end..sql.len(), behind);
    }
    Some(edits)
}

/// Returns the end of the literal that a text begins with.
fn closing(text: &str) -> Option<String> {
    let quoted = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let quoted = quoted.strip_prefix('&').unwrap_or(quoted);
    match quoted.chars().next()? {
        quote @ ('\'' | '"') => Some(quote.to_string()),
        '$' => Some(format!("${}$", quoted[1..].split('$').next()?)),
        '/' => Some("*/".to_owned()),
        _ => None,
    }
}

/// Returns the length in bytes of the token that a text begins with, if another token follows: blanks and comments
/// stay.
fn token_len(text: &str) -> usize {
    let quote = text.starts_with(['\'', '"', '$'])
        || text.as_bytes().get(1).is_some_and(|byte| *byte == b'\'');
    let end =
        if quote { text.len() } else { text.find("--").or(text.find("/*")).unwrap_or(text.len()) };
    let end = if end == 0 { text.len() } else { end };
    text[..end].trim_end().len()
}

/// Returns text that scans as the token.
fn text_of(symbol: u16) -> Option<&'static str> {
    if symbol == 0 {
        return None;
    }
    Some(match Expected::of(symbol_name(symbol)?)? {
        Expected::Keyword(text) | Expected::Symbol(text) => text,
        Expected::Identifier => "_",
        Expected::String => "''",
        Expected::BitString => "B''",
        Expected::Number => "0",
        Expected::Parameter => "$1",
        Expected::Operator => "||",
        Expected::End => return None,
    })
}
