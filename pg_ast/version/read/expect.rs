//! Finds the tokens that may come where the SQL has a mistake.

use super::ffi;
use super::ffi::expect::{Expect, Terminals, symbol_name, symbol_names};
use super::names::raw;
use crate::foundation::arena::with_arena;
use crate::foundation::order::sort_by_key;
use crate::types::error::Error;
use crate::types::expected::{Expected, Suggestion};
use crate::types::options::ParserOptions;

/// A token as the grammar gets it.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The number of its symbol in the grammar.
    pub symbol: u16,
    /// Its start in bytes; `None` for the terminal of the parser's mode.
    pub start: Option<usize>,
    /// Its end in bytes.
    pub end: usize,
}

/// Returns the terminals of a text up to the scanner's error, if there is one, and its place.
pub(crate) fn terminals(
    sql: &str,
    options: ParserOptions,
) -> Result<(Vec<Terminal>, Option<usize>), Error> {
    with_arena(|arena| {
        let found = Terminals::new(ffi::c_string(sql, arena)?, options)?;
        let terminal = |terminal: &raw::ShimTerminal| Terminal {
            symbol: terminal.symbol,
            start: usize::try_from(terminal.start).ok(),
            end: usize::try_from(terminal.end).unwrap_or(0),
        };
        let mistake = found.error(sql).map(|error| error.cursor().unwrap_or(sql.len()));
        Ok((found.get().iter().map(terminal).collect(), mistake))
    })
}

pub(crate) fn symbols(terminals: &[Terminal]) -> Vec<u16> {
    terminals.iter().map(|terminal| terminal.symbol).collect()
}

/// Returns the number of terminals before a place.
pub(crate) fn before(terminals: &[Terminal], offset: usize) -> usize {
    terminals.partition_point(|terminal| terminal.start.is_none_or(|start| start < offset))
}

/// Returns the tokens that may come after terminals.
pub(crate) fn expected_of(expect: &Expect) -> Vec<Expected> {
    let all = expect.next().filter_map(|(symbol, only_name)| {
        let expected = Expected::of(symbol_name(symbol)?)?;
        // All of them are names; that they are keywords does not matter there.
        let name = only_name && matches!(expected, Expected::Keyword(_));
        Some(if name { Expected::Identifier } else { expected })
    });
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the tokens that the grammar would have accepted where it rejected a text.
pub(crate) fn expected_at(sql: &str, offset: usize, options: ParserOptions) -> Vec<Expected> {
    let expect = terminals(sql, options).and_then(|(terminals, _)| {
        let count = before(&terminals, offset);
        let expect = Expect::new(&symbols(&terminals[..count]), false)?;
        Ok((expect.taken() == count).then_some(expect))
    });
    expect.ok().flatten().map_or_else(Vec::new, |expect| expected_of(&expect))
}

/// The number of terminals after a suggestion that are tried.
const TRIED_BEHIND: usize = 64;
/// The number of suggestions that are tried.
const TRIED: usize = 8;

/// Returns the keyword that was probably meant where the grammar rejected a text, or one word before.
pub(crate) fn suggestion_at(
    sql: &str,
    offset: usize,
    options: ParserOptions,
) -> Option<Suggestion> {
    let (terminals, _) = terminals(sql, options).ok()?;
    Some(find_suggestion(sql, &terminals, before(&terminals, offset))?.1)
}

/// Finds the keyword that is meant where the grammar rejects a terminal, or at the one before: the terminal that it
/// replaces, with the symbol that it then has.
pub(crate) fn find_suggestion(
    sql: &str,
    terminals: &[Terminal],
    refused: usize,
) -> Option<(usize, Suggestion, u16)> {
    let mut tried = Vec::new();
    if refused >= terminals.len() {
        // The end is rejected, and nothing shows that a word before it is wrong.
        return None;
    }
    // A wrong word is rejected itself, or was taken for a name, so that the next one is rejected.
    for place in [Some(refused), refused.checked_sub(1)].into_iter().flatten() {
        let Some(start) = terminals.get(place).and_then(|terminal| terminal.start) else {
            continue;
        };
        let word = word_at(sql, start);
        let expect = Expect::new(&symbols(&terminals[..place]), false).ok()?;
        if word.is_empty() || expect.taken() < place {
            continue;
        }
        let upper = word.to_ascii_uppercase();
        // A word that is a keyword itself is seldom a wrong one.
        let is_keyword = symbol_name(terminals[place].symbol)
            .and_then(Expected::of)
            .is_some_and(|this| matches!(this, Expected::Keyword(_)));
        let most = if upper.len() < 5 || is_keyword { 1 } else { 2 };
        for (symbol, only_name) in expect.next() {
            let Some(Expected::Keyword(keyword)) = symbol_name(symbol).and_then(Expected::of)
            else {
                continue;
            };
            let may_be = !only_name && keyword.len() > 1;
            if !may_be || keyword.len().abs_diff(upper.len()) > most {
                continue;
            }
            let distance = strsim::osa_distance(&upper, keyword);
            if (1..=most).contains(&distance) {
                let suggestion = Suggestion { keyword, range: start..start + word.len() };
                tried.push((distance, place, suggestion, symbol));
            }
        }
    }
    sort_by_key(&mut tried, |(distance, ..)| (*distance as u64, 0));
    let best = tried.into_iter().take(TRIED).filter_map(|(distance, place, suggestion, symbol)| {
        let end = terminals.len().min(refused + TRIED_BEHIND);
        let mut corrected = symbols(&terminals[..end]);
        corrected[place] = symbol;
        let taken = Expect::count_taken(&corrected).ok()?;
        // The rejected one is accepted now, and so is what follows, up to the next mistake.
        (taken > refused).then_some((taken, distance, (place, suggestion, symbol)))
    });
    let best = best.max_by_key(|(taken, distance, _)| (*taken, usize::MAX - distance));
    best.map(|(_, _, suggestion)| suggestion)
}

/// Returns the word that starts at a place, without quotes.
fn word_at(sql: &str, start: usize) -> &str {
    let rest = sql.get(start..).unwrap_or_default();
    let end = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
    if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..end] }
}

pub(crate) fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Returns the symbol with a name in gram.y.
pub(crate) fn symbol_named(name: &str) -> Option<u16> {
    let symbol = symbol_names().iter().position(|found| *found == name)?;
    u16::try_from(symbol).ok()
}

/// Inserts a name where one is missing after a dot: between `u.` and `FROM`. The grammar accepts any word there,
/// but nobody means that one. Also returns where names were inserted.
pub(crate) fn with_names(sql: &str, terminals: Vec<Terminal>) -> (Vec<Terminal>, Vec<usize>) {
    let Some(identifier) = symbol_named("IDENT") else { return (terminals, Vec::new()) };
    let mut with = Vec::with_capacity(terminals.len());
    let mut places = Vec::new();
    let mut dot = None;
    for terminal in terminals {
        if let (Some(dot), Some(start)) = (dot, terminal.start) {
            let apart = sql.get(dot + 1..start).is_some_and(|between| !between.is_empty());
            let word = word_at(sql, start);
            if apart && ffi::is_reserved(&word.to_ascii_lowercase()) {
                with.push(Terminal { symbol: identifier, start: Some(start), end: start });
                places.push(start);
            }
        }
        dot = terminal.start.filter(|_| symbol_name(terminal.symbol) == Some("'.'"));
        with.push(terminal);
    }
    (with, places)
}
