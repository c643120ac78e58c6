//! Finds the tokens that may come next, after a mistake or at a place in the SQL.

use std::collections::HashSet;

use super::ffi::expect::{Expect, Terminals, symbol_name, symbol_names};
use super::view::{self, Node};
use super::{ffi, raw};
use crate::runtime::arena::with_arena;
use crate::runtime::order::sort_by_key;
use crate::types::error::Error;
use crate::types::expected::{Completion, Expected, NameKind, Suggestion, TableInScope};
use crate::types::options::ParserOptions;

/// A token as the grammar gets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    pub(super) symbol: u16,
    /// Its start in bytes; `None` for the terminal of the parser's mode.
    pub(super) start: Option<usize>,
}

/// Returns the terminals of a text up to the scanner's error, if there is one, and its place.
pub(super) fn terminals(
    sql: &str,
    options: ParserOptions,
) -> Result<(Vec<Terminal>, Option<usize>), Error> {
    with_arena(|arena| {
        let found = Terminals::new(ffi::c_string(sql, arena)?, options)?;
        let terminal = |terminal: &raw::ShimTerminal| Terminal {
            symbol: terminal.symbol,
            start: usize::try_from(terminal.start).ok(),
        };
        let mistake = found.error(sql).map(|error| error.cursor().unwrap_or(sql.len()));
        Ok((found.get().iter().map(terminal).collect(), mistake))
    })
}

pub(super) fn symbols(terminals: &[Terminal]) -> Vec<u16> {
    terminals.iter().map(|terminal| terminal.symbol).collect()
}

/// Returns the number of terminals before a place.
pub(super) fn before(terminals: &[Terminal], offset: usize) -> usize {
    terminals.partition_point(|terminal| terminal.start.is_none_or(|start| start < offset))
}

/// Returns the tokens that may come after terminals.
fn expected_of(expect: &Expect) -> Vec<Expected> {
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
    Some(meant(sql, &terminals, before(&terminals, offset))?.1)
}

/// Finds the keyword that is meant where the grammar rejects a terminal, or at the one before: the terminal that it
/// replaces, with the symbol that it then has.
pub(super) fn meant(
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
        let mut mended = symbols(&terminals[..end]);
        mended[place] = symbol;
        let taken = Expect::new(&mended, false).ok()?.taken();
        // The rejected one is accepted now, and so is what follows, up to the next mistake.
        (taken > refused).then_some((taken, distance, (place, suggestion, symbol)))
    });
    let best = best.max_by_key(|(taken, distance, _)| (*taken, usize::MAX - distance));
    best.map(|(_, _, meant)| meant)
}

/// Returns the word that starts at a place, without quotes.
fn word_at(sql: &str, start: usize) -> &str {
    let rest = sql.get(start..).unwrap_or_default();
    let end = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
    if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..end] }
}

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Completes SQL at a place, for editors.
///
/// The place is a byte offset. If a word is being typed there, the result lists what can replace it. Wrong tokens
/// before the place are skipped.
///
/// The keywords are exactly those that PostgreSQL's grammar accepts there. The kinds of objects that a name can refer to
/// follow from the grammar rules that are active there.
///
/// ```
/// use pg_ast::{Expected, NameKind};
///
/// let sql = "SELECT u. FROM app.users AS u WHE";
/// let at_the_end = pg_ast::complete(sql, sql.len());
/// assert_eq!(at_the_end.word, 30..33);
/// assert!(at_the_end.expected.contains(&Expected::Keyword("WHERE")));
///
/// let at_the_dot = pg_ast::complete(sql, 9);
/// assert!(at_the_dot.names.contains(&NameKind::Column));
/// let table = &at_the_dot.tables[0];
/// assert_eq!((table.table_name.as_str(), table.alias.as_deref()), ("users", Some("u")));
///
/// // Within a string there is nothing to complete.
/// assert!(pg_ast::complete("SELECT 'a b", 9).expected.is_empty());
/// ```
#[must_use]
pub fn complete(sql: &str, offset: usize) -> Completion {
    try_complete(sql, offset).unwrap_or_default()
}

fn try_complete(sql: &str, offset: usize) -> Option<Completion> {
    let options = ParserOptions::default();
    let offset = (0..=offset.min(sql.len())).rev().find(|offset| sql.is_char_boundary(*offset))?;
    let begun = sql[..offset].trim_end_matches(is_in_word).len();
    let digits = sql[begun..].starts_with(|c: char| c.is_ascii_digit() || c == '$');
    let mut word = if digits { offset..offset } else { begun..offset };

    let (mut terminals, mut mistake) = terminals(&sql[..word.start], options).ok()?;
    if let Some(quote) = mistake.filter(|place| sql[*place..].starts_with('"')) {
        // An unfinished name in quotes.
        word.start = quote;
        (terminals, mistake) = self::terminals(&sql[..quote], options).ok()?;
    }
    if mistake.is_some() {
        return Some(Completion { word: offset..offset, ..Completion::default() });
    }

    let expect = Expect::new(&symbols(&terminals), true).ok()?;
    let mut names: Vec<_> = expect.becomes().filter_map(NameKind::of).collect();
    let mut expected = expected_of(&expect);
    // For some words, the next one decides which terminal they are.
    if let Some(other) = terminals.last().and_then(|last| with_look_ahead(last.symbol)) {
        let mut others = symbols(&terminals);
        others.pop();
        others.push(other);
        let other = Expect::new(&others, true).ok()?;
        if other.taken() > expect.taken() {
            expected.clear();
            names.clear();
        }
        if other.taken() >= expect.taken() {
            expected.extend(expected_of(&other));
            names.extend(other.becomes().filter_map(NameKind::of));
        }
    }
    expected.sort_unstable();
    expected.dedup();
    names.sort_unstable();
    names.dedup();

    // The whole text, with a name at the place.
    let place = terminals.len();
    let identifier = symbol_named("IDENT")?;
    if expect.next().any(|(symbol, _)| symbol == identifier) {
        terminals.push(Terminal { symbol: identifier, start: Some(word.start) });
    }
    let end = offset + sql[offset..].find(|c| !is_in_word(c)).unwrap_or(sql.len() - offset);
    if let Ok((behind, _)) = self::terminals(&sql[end..], options) {
        terminals.extend(behind.into_iter().map(|terminal| Terminal {
            start: terminal.start.map(|start| start + end),
            ..terminal
        }));
    }
    if sql[word.start..].starts_with('"') {
        expected.retain(|expected| *expected == Expected::Identifier);
    }
    let tables = tables(sql, &terminals, place).unwrap_or_default();
    Some(Completion { word, expected, names, tables })
}

/// Returns the symbol with a name in gram.y.
fn symbol_named(name: &str) -> Option<u16> {
    let symbol = symbol_names().iter().position(|found| *found == name)?;
    u16::try_from(symbol).ok()
}

/// Inserts a name where one is missing after a dot: between `u.` and `FROM`. The grammar accepts any word there,
/// but nobody means that one. Also returns where names were inserted.
pub(super) fn with_names(sql: &str, terminals: Vec<Terminal>) -> (Vec<Terminal>, Vec<usize>) {
    let Some(identifier) = symbol_named("IDENT") else { return (terminals, Vec::new()) };
    let mut with = Vec::with_capacity(terminals.len());
    let mut places = Vec::new();
    let mut dot = None;
    for terminal in terminals {
        if let (Some(dot), Some(start)) = (dot, terminal.start) {
            let apart = sql.get(dot + 1..start).is_some_and(|between| !between.is_empty());
            let word = word_at(sql, start);
            if apart && ffi::is_reserved(&word.to_ascii_lowercase()) {
                with.push(Terminal { symbol: identifier, start: Some(start) });
                places.push(start);
            }
        }
        dot = terminal.start.filter(|_| symbol_name(terminal.symbol) == Some("'.'"));
        with.push(terminal);
    }
    (with, places)
}

/// Returns the terminal that a word becomes before certain others: `NOT` before `IN`.
///
/// Mirrors `base_yylex` of PostgreSQL's `parser.c`.
fn with_look_ahead(symbol: u16) -> Option<u16> {
    let name = symbol_name(symbol)?;
    symbol_named(&format!("{}_LA", name.strip_suffix("_P").unwrap_or(name)))
}

/// Returns the tables of the statement at a place.
fn tables(sql: &str, terminals: &[Terminal], place: usize) -> Option<Vec<TableInScope>> {
    let is = |terminal: &Terminal, name| symbol_name(terminal.symbol) == Some(name);
    let ends = |terminal: &Terminal| is(terminal, "';'");
    let (before, behind) = terminals.split_at(place.min(terminals.len()));
    let first = before.iter().rposition(ends).map_or(0, |index| index + 1);
    let last = behind.iter().position(ends).map_or(terminals.len(), |index| place + index);
    let stmt = &terminals[first..last];

    // With the end, which is terminal 0: what is last is made when it is known that nothing follows.
    let mut all = symbols(stmt);
    all.push(0);
    let expect = Expect::new(&all, true).ok()?;
    let place = place - first;
    let text = |from: usize, to: usize| {
        let start = stmt.get(from)?.start?;
        let end = stmt.get(to).and_then(|terminal| terminal.start).unwrap_or(sql.len());
        sql.get(start..end)
    };
    // Names of one terminal, by where they are: an alias comes one after its table.
    let names: HashSet<_> = expect
        .made()
        .filter(|(symbol, from, to)| *symbol == "ColId" && *to == from + 1 && *from != place)
        .map(|(_, from, _)| from)
        .collect();
    let mut seen = HashSet::new();
    let mut tables = Vec::new();
    for (symbol, from, to) in expect.made() {
        let table = match symbol {
            "qualified_name" if !(from..to).contains(&place) => name(text(from, to)?),
            "common_table_expr" => name(text(from, from + 1)?),
            _ => None,
        };
        let Some(mut table) = table else { continue };
        if symbol == "qualified_name" {
            let at = to + usize::from(stmt.get(to).is_some_and(|terminal| is(terminal, "AS")));
            let alias = names.contains(&at).then(|| name(text(at, at + 1)?)).flatten();
            table.alias = alias.map(|alias| alias.table_name);
        }
        if seen.insert(table.clone()) {
            tables.push(table);
        }
    }
    Some(tables)
}

/// Splits the name of a table into its parts.
fn name(text: &str) -> Option<TableInScope> {
    let tree = view::parse(&format!("TABLE {text}")).ok()?;
    let table = tree.nodes().find_map(|node| match node {
        Node::RangeVar(table) => Some(table),
        _ => None,
    })?;
    let schema = Some(table.schemaname()).filter(|schema| !schema.is_empty());
    Some(TableInScope {
        schema_name: schema.map(str::to_owned),
        table_name: table.relname().to_owned(),
        alias: None,
    })
}
