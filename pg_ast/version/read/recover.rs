//! Finds the ends of the wrong statements in a script.

use core::ops::Range;

use std::collections::HashSet;

use super::expect::{Terminal, before, symbols, terminals};
use super::ffi::expect::{Expect, symbol_name};
use super::ffi::raw_parse;
use crate::foundation::order::sort_by_key;
use crate::text::psql::lex::{dollar_quoted, is_word, word};
use crate::text::psql::{Mark, PieceEnd, ScriptPiece, ScriptPieces};
use crate::types::expected::Expected;
use crate::types::options::ParserOptions;

/// The maximum that is read again, in lengths of the script, so that the time is linear.
const READ_AGAIN: usize = 16;

/// An additional number of bytes, for short scripts.
const LEAST_READ_AGAIN: usize = 16 * 1024;

/// The cost of asking the grammar about a text, however short: about that of this many bytes.
const ASKED: usize = 32;

/// The maximum distance at which the start of a line is looked for.
const LONGEST_INDENTATION: usize = 4096;

/// The maximum length of the text after the end of a quote, for a piece that covers that end.
const LONGEST_BEHIND_QUOTE: usize = 64 * 1024;

/// The number of lines in a quote that begin with a keyword, counted from the last, that are tried one by one.
const LAST_LINES: usize = 3;

/// Finds the ends of wrong statements.
pub(crate) struct Recovery {
    /// The number of bytes that may still be read again.
    pub(crate) left: usize,
    /// The words that statements begin with, in upper case, once they have been needed.
    keywords: Option<HashSet<&'static str>>,
}

/// The end of a wrong statement, and the start of the next one.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) end: usize,
    pub(crate) next: usize,
}

/// A place where a wrong statement may end.
enum WrongEnd {
    Semicolon,
    /// The first token of a line, after the semicolon at this place.
    Line(Option<usize>),
    /// It is quoted up to here.
    Literal(usize),
}

/// A wrong piece, and the grammar's result for it.
struct WrongPiece<'a> {
    start: usize,
    end: usize,
    piece: &'a ScriptPiece,
    options: ParserOptions,
    terminals: Vec<Terminal>,
    /// The number of terminals that the grammar accepts.
    taken: usize,
    /// The place where the scanner stops.
    scanned: usize,
    /// The indentation of its first line.
    left: usize,
}

/// Returns whether a statement may begin with a text.
pub(crate) fn viable(text: &str, options: ParserOptions) -> bool {
    let Ok((terminals, mistake)) = terminals(text, options) else { return true };
    let taken = Expect::count_taken(&symbols(&terminals));
    mistake.is_none() && taken.is_ok_and(|taken| taken == terminals.len())
}

impl WrongPiece<'_> {
    /// Returns the index of the terminal at a place.
    fn index(&self, at: usize) -> usize {
        before(&self.terminals, at - self.start)
    }
}

impl Recovery {
    pub(crate) fn new(script: &str) -> Self {
        Self { left: Self::budget(script.len()), keywords: None }
    }

    /// Returns how much may be read again in a script of this length.
    pub(crate) fn budget(length: usize) -> usize {
        length.saturating_mul(READ_AGAIN).saturating_add(LEAST_READ_AGAIN)
    }

    /// Returns whether anything may be read again.
    pub(crate) fn is_on(&self) -> bool {
        self.left > 0
    }

    /// Records that `bytes` bytes are read again; false if that is too much.
    fn spend(&mut self, bytes: usize) -> bool {
        let bytes = bytes.saturating_add(ASKED);
        let enough = bytes <= self.left;
        self.left = if enough { self.left - bytes } else { 0 };
        enough
    }

    /// Returns where a wrong piece ends, if that is before the end that its tokens say.
    pub(crate) fn cut(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        piece: &ScriptPiece,
        options: ParserOptions,
    ) -> Option<Cut> {
        if !piece.has_places() {
            return None;
        }
        let start = piece.start()?;
        let end = pieces.at();
        // With what is read if it ends nowhere else.
        if !self.spend(2 * (end - start)) {
            return None;
        }
        let (terminals, mistake) = terminals(&pieces.text()[start..end], options).ok()?;
        let taken = Expect::count_taken(&symbols(&terminals)).ok()?;
        let scanned = mistake.map_or(end, |mistake| start + mistake);
        let is_open = piece.ended != PieceEnd::Sent && !piece.semicolons.is_empty();
        if mistake.is_none() && taken == terminals.len() && !is_open {
            // If it is wrong, then not because of where it ends.
            return None;
        }
        let left = indentation(pieces.text(), start);
        let wrong = WrongPiece { start, end, piece, options, terminals, taken, scanned, left };
        for (at, place) in places(piece) {
            let cut = match place {
                WrongEnd::Semicolon => self.at_semicolon(pieces, mark, &wrong, at),
                WrongEnd::Line(semicolon) => self.at_line(pieces, mark, &wrong, at, semicolon),
                WrongEnd::Literal(end) => self.in_literal(pieces, mark, &wrong, at..end),
            };
            if cut.is_some() || self.left == 0 {
                return cut;
            }
        }
        None
    }

    /// Returns whether a piece has a place at which [`cut`](Self::cut) might end it if it is wrong. This needs no
    /// parser.
    pub(crate) fn may_cut(&mut self, pieces: &ScriptPieces<'_>, piece: &ScriptPiece) -> bool {
        let Some(start) = piece.start() else { return true };
        let text = pieces.text();
        if !piece.has_places() {
            return false;
        }
        let left = indentation(text, start);
        !piece.semicolons.is_empty()
            || piece.lines.iter().any(|&(at, behind_semicolon)| {
                at > start
                    && indentation(text, at) <= left
                    && self.begins_stmt(&text[at..], behind_semicolon)
            })
            || piece
                .literals
                .iter()
                .any(|literal| !self.lines(&text[literal.clone()], left).is_empty())
    }

    /// A semicolon in parentheses ends the wrong piece, unless the grammar accepts it: in rules, and function bodies.
    /// Before it, a correct statement may have begun that the grammar would accept within parentheses.
    fn at_semicolon(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        wrong: &WrongPiece<'_>,
        at: usize,
    ) -> Option<Cut> {
        if wrong.index(at) < wrong.taken || !self.is_refused(wrong, at) {
            return None;
        }
        let lines = wrong.piece.lines.iter().map(|(line, _)| *line);
        for line in lines.filter(|line| (wrong.start + 1..at).contains(line)) {
            if indentation(pieces.text(), line) <= wrong.left
                && self.begins_stmt(&pieces.text()[line..], false)
                && self.is_correct(pieces, mark, line, wrong.options)
            {
                return Some(Cut { end: line, next: line });
            }
        }
        Some(Cut { end: at, next: at + 1 })
    }

    /// A keyword there begins a statement if the grammar rejects it, or if something is open to the end; and if
    /// the statement that it begins is correct.
    fn at_line(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        wrong: &WrongPiece<'_>,
        at: usize,
        semicolon: Option<usize>,
    ) -> Option<Cut> {
        let text = pieces.text();
        if indentation(text, at) > wrong.left || !self.begins_stmt(&text[at..], semicolon.is_some())
        {
            return None;
        }
        let is_open = wrong.piece.ended != PieceEnd::Sent && semicolon.is_some();
        if !is_open && !self.is_refused(wrong, at) {
            return None;
        }
        let correct = self.is_correct(pieces, mark, at, wrong.options);
        correct.then_some(Cut { end: semicolon.unwrap_or(at), next: at })
    }

    /// A quote counts as open from its line on if it contains correct statements: the first one, if there is no end;
    /// otherwise up to the one at its end. What is at the end of a dollar quote has to be correct itself: between two
    /// of them are mostly bodies of functions, which contain what may be statements.
    fn in_literal(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        wrong: &WrongPiece<'_>,
        literal: Range<usize>,
    ) -> Option<Cut> {
        let text = &pieces.text()[literal.clone()];
        let is_dollar = text.starts_with('$');
        let lines = self.lines(text, wrong.left);
        let lines: Vec<_> = lines.into_iter().map(|line| literal.start + line).collect();
        // If the scanner rejects it, there is no end.
        if literal.end == pieces.text().len() && wrong.scanned <= literal.start {
            let found = lines
                .into_iter()
                .find(|&at| self.left > 0 && self.is_correct(pieces, mark, at, wrong.options));
            return found.map(|at| Cut { end: at, next: at });
        }

        pieces.go_back(mark, *lines.first()?);
        pieces.read_before(literal.end + LONGEST_BEHIND_QUOTE);
        let mut correct_from = None;
        let found = loop {
            let at = pieces.at();
            let range = pieces.next(&mut |_| true)?.range?;
            if !self.spend(pieces.at() - at) {
                return None;
            }
            let correct = is_correct(&pieces.text()[range.clone()], wrong.options);
            if range.end >= literal.end {
                // What is at the end of the quote may be wrong itself. Then it is open if it makes no sense closed.
                break correct_from
                    .or(Some(range.start))
                    .filter(|start| *start < literal.end)
                    .filter(|_| correct || !(is_dollar || self.is_credible(pieces, mark, wrong)));
            }
            correct_from = if correct { correct_from.or(Some(range.start)) } else { None };
        };
        let found = found.or_else(|| {
            let last = lines.into_iter().rev().take(LAST_LINES);
            let mut last = last.filter(|&at| {
                let end = self.correct_end(pieces, mark, at, wrong.options);
                end.is_some_and(|end| end >= literal.end)
            });
            last.next()
        });
        found.map(|start| Cut { end: start, next: start })
    }

    /// Returns whether a wrong piece ends as its tokens say: the text after it is correct.
    fn is_credible(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        wrong: &WrongPiece<'_>,
    ) -> bool {
        pieces.go_back(mark, wrong.start);
        pieces.read_before(wrong.end + LONGEST_BEHIND_QUOTE);
        let ends = pieces.next(&mut |_| true).is_some_and(|piece| piece.ended == PieceEnd::Sent);
        let at = pieces.at();
        if !self.spend(at - wrong.start) || !ends {
            return false;
        }
        let next = pieces.next(&mut |_| true).and_then(|piece| piece.range);
        self.spend(pieces.at() - at)
            && next.is_none_or(|range| is_correct(&pieces.text()[range], wrong.options))
    }

    /// Returns whether the grammar rejects the token at this place, after skipping what it rejected; or takes it only
    /// for a name.
    fn is_refused(&mut self, wrong: &WrongPiece<'_>, at: usize) -> bool {
        let index = wrong.index(at);
        if at >= wrong.scanned {
            return true;
        }
        let Some(terminal) = wrong.terminals.get(index) else { return true };
        if index == wrong.taken || !self.spend(at - wrong.start) {
            return index == wrong.taken;
        }
        let expect = Expect::only(&symbols(&wrong.terminals[..index]), true, terminal.symbol);
        expect.is_ok_and(|expect| expect.next().all(|(_, only_name)| only_name))
    }

    /// Returns whether the text at a place is a correct statement, up to the next semicolon.
    fn is_correct(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        at: usize,
        options: ParserOptions,
    ) -> bool {
        self.correct_end(pieces, mark, at, options).is_some()
    }

    /// Returns the end of the correct statement at a place.
    fn correct_end(
        &mut self,
        pieces: &mut ScriptPieces<'_>,
        mark: &Mark,
        at: usize,
        options: ParserOptions,
    ) -> Option<usize> {
        pieces.go_back(mark, at);
        let piece = pieces.next(&mut |text| viable(text, options))?;
        let range = piece.range.filter(|_| piece.ended != PieceEnd::Refused)?;
        let enough = self.spend(pieces.at() - at);
        (enough && is_correct(&pieces.text()[range.clone()], options)).then_some(range.end)
    }

    /// Returns the first tokens of the quoted lines that begin like statements; not those in dollar quotes in there.
    fn lines(&mut self, text: &str, left: usize) -> Vec<usize> {
        let mut found = Vec::new();
        // The last character that is not blank.
        let mut last = None;
        let mut start = 0;
        // The end of the last dollar quote.
        let mut quoted = 0;
        for line in text.split_inclusive('\n') {
            let token = start + line.bytes().take_while(|byte| is_blank(*byte)).count();
            let behind_semicolon = last == Some(b';');
            let is_free = start >= quoted.max(1);
            quoted = self.end_of_dollar_quotes(text, start..start + line.len(), quoted);
            if is_free
                && (behind_semicolon || token - start <= left)
                && self.begins_stmt(&text[token..], behind_semicolon)
            {
                found.push(token);
            }
            last = line.trim_ascii_end().bytes().last().or(last);
            start += line.len();
        }
        found
    }

    /// Returns the end of the last dollar quote that begins in a line, if that is after `quoted`, which is the end of those
    /// before it.
    fn end_of_dollar_quotes(&mut self, text: &str, line: Range<usize>, mut quoted: usize) -> usize {
        let mut at = line.start.max(quoted);
        while let Some(dollar) = text.get(at..line.end).and_then(|rest| rest.find('$')) {
            at += dollar;
            let is_in_word = at > 0 && is_word(text.as_bytes()[at - 1]);
            if !self.is_on() {
                break;
            }
            let length = if at == 0 || is_in_word { 1 } else { dollar_quoted(&text[at..]) };
            if length > 1 && !self.spend(length) {
                break;
            }
            at += length.max(1);
            // One without an end is not closed.
            if length > 1 && at < text.len() {
                quoted = at;
            } else if length > 1 {
                break;
            }
        }
        quoted
    }

    /// Returns whether a text begins like a statement; after a semicolon, a parenthesis counts, too.
    fn begins_stmt(&mut self, text: &str, behind_semicolon: bool) -> bool {
        if text.starts_with('(') {
            return behind_semicolon;
        }
        if !text.bytes().next().is_some_and(is_word) {
            return false;
        }
        let word = text[..word(text)].to_ascii_uppercase();
        self.keywords.get_or_insert_with(first_keywords).contains(word.as_str())
    }
}

/// Returns the keywords that statements begin with.
fn first_keywords() -> HashSet<&'static str> {
    let Ok(expect) = Expect::new(&[], true) else { return HashSet::new() };
    let first = expect.next().filter_map(|(symbol, _)| Expected::of(symbol_name(symbol)?));
    let first = first.filter_map(|first| match first {
        Expected::Keyword(keyword) => Some(keyword),
        _ => None,
    });
    first.collect()
}

fn is_correct(text: &str, options: ParserOptions) -> bool {
    raw_parse(text, options).is_ok()
}

/// Returns the places after its first token at which a piece may end, in order.
fn places(piece: &ScriptPiece) -> Vec<(usize, WrongEnd)> {
    let start = piece.start().unwrap_or(0);
    let semicolons = piece.semicolons.iter().map(|&at| (at, WrongEnd::Semicolon));
    let mut behind = piece.semicolons.iter().copied().peekable();
    let mut last = None;
    let lines = piece.lines.iter().map(move |&(at, behind_semicolon)| {
        while let Some(semicolon) = behind.next_if(|semicolon| *semicolon < at) {
            last = Some(semicolon);
        }
        (at, WrongEnd::Line(last.filter(|_| behind_semicolon)))
    });
    let literals =
        piece.literals.iter().map(|literal| (literal.start, WrongEnd::Literal(literal.end)));
    let mut places: Vec<_> = semicolons.chain(lines).chain(literals).collect();
    places.retain(|(at, place)| *at > start || matches!(place, WrongEnd::Literal(_)));
    sort_by_key(&mut places, |(at, _)| (*at as u64, 0));
    places
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Returns the indentation of the line of a place, in bytes.
fn indentation(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[at.saturating_sub(LONGEST_INDENTATION)..at];
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    before[line..].iter().take_while(|byte| is_blank(**byte)).count()
}
