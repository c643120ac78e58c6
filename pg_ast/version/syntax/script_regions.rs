//! Reads a script region by region: a statement, with what comes before it.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use rowan::{GreenNode, GreenToken, NodeOrToken};

use super::ffi::raw_parse;
use super::names::raw;
use super::read::recover::Recovery;
use super::read::script::{Reader, ScriptStmt};
use super::stand_ins::StandIns;
use super::syntax_kind::SyntaxKind;
use super::tree_source::TreeSource;
use crate::foundation::order::sort_by_key;
use crate::text::psql::lex::{comment, dollar_quoted, is_word, line_comment, quoted, string, word};
use crate::text::psql::{ExtraKind, PieceEnd, ScriptExtra, ScriptPieces, Setting};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;
use crate::types::script_options::{Placeholders, ScriptOptions};

/// A script with more savepoints is not read again from there.
const MOST_SAVEPOINTS: usize = 16;

/// A statement with what comes before it, and the data of a `COPY`. The last one of a script may have no statement.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) start: usize,
    /// What comes from here on has no effect on it.
    pub(super) looked: usize,
    /// The number of parts of the root before it.
    pub(super) parts: usize,
    /// The state of the reader before it; `None` if it is not read again from here on.
    pub(super) state: Option<Arc<Setting>>,
    /// The byte before it, in the text for the parser.
    pub(super) before: u8,
    /// What has been read again before it.
    pub(super) read_again: usize,
    /// The statement. Its places are those of when it was read.
    pub(super) stmt: Option<Arc<RegionStmt>>,
    /// Where the region was when it was read.
    pub(super) read_at: usize,
}

/// A part of the root.
pub(super) type ScriptElement = NodeOrToken<GreenNode, GreenToken>;

pub(super) struct RegionReader<'a> {
    text: &'a str,
    reader: Reader<'a>,
    placeholders: Placeholders,
    /// Where the next region begins.
    at: usize,
    /// What the reader had left to read again, at the start of the script.
    budget: usize,
    /// The last state that has been shared.
    state: Arc<Setting>,
}

impl<'a> RegionReader<'a> {
    pub(super) fn new(text: &'a str, options: ScriptOptions) -> Self {
        let pieces = ScriptPieces::new(text, raw::PG_VERSION_NUM >= 160_000);
        Self::of(text, pieces, options, Arc::default())
    }

    /// Goes on at a region. The text before it has been read, as has `read_again` of it.
    pub(super) fn resume(
        text: &'a str,
        read: &str,
        options: ScriptOptions,
        state: Arc<Setting>,
        read_again: usize,
    ) -> Self {
        let mut pieces = ScriptPieces::resume(text, read, raw::PG_VERSION_NUM >= 160_000);
        pieces.backslash_escapes = !state.is_on();
        let mut this = Self::of(text, pieces, options, state);
        this.at = read.len();
        this.reader.recovery.left = this.budget.saturating_sub(read_again);
        this
    }

    fn of(
        text: &'a str,
        pieces: ScriptPieces<'a>,
        options: ScriptOptions,
        state: Arc<Setting>,
    ) -> Self {
        let recovery = Recovery::new(text);
        let budget = recovery.left;
        let reader = Reader {
            pieces,
            options: options.parser,
            conforming_strings: Setting::clone(&state),
            recovery,
            sent: None,
        };
        let placeholders = options.placeholders;
        Self { text, reader, placeholders, at: 0, budget, state }
    }

    /// Returns where the next region begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the text up to the next region, for the parser.
    pub(super) fn clean(&self) -> &str {
        &self.reader.pieces.text()[..self.at]
    }

    pub(super) fn into_clean(self) -> String {
        self.reader.pieces.into_text()
    }

    /// Returns what has been read again so far.
    pub(super) fn read_again(&self) -> usize {
        self.budget - self.reader.recovery.left
    }

    /// Returns the state before the next region, if the text from there on tells everything else.
    pub(super) fn state(&mut self) -> Option<Arc<Setting>> {
        let setting = &self.reader.conforming_strings;
        if self.reader.pieces.has_data_ahead() || setting.savepoints() > MOST_SAVEPOINTS {
            return None;
        }
        if *self.state != *setting {
            self.state = Arc::new(setting.clone());
        }
        Some(self.state.clone())
    }

    /// Reads the next region, and adds its parts.
    pub(super) fn next(&mut self, parts: &mut Vec<ScriptElement>) -> Result<Option<Region>, Error> {
        let start = self.at;
        if start >= self.text.len() {
            return Ok(None);
        }
        let mut region = Region {
            start,
            looked: start,
            parts: parts.len(),
            state: self.state(),
            before: self.clean().bytes().next_back().unwrap_or(0),
            read_again: self.read_again(),
            stmt: None,
            read_at: start,
        };
        // The first one has been looked at for a byte order mark.
        self.reader.pieces.looked = start.max('\u{FEFF}'.len_utf8());
        let stmt = self.stmt();
        self.reader.pieces.pass_data();
        let end = self.reader.pieces.at();
        self.at = end;
        region.looked = self.reader.pieces.looked.max(end);
        let mut extras: Vec<_> =
            self.reader.pieces.extras.extract_if(.., |extra| extra.range.start < end).collect();
        sort_by_key(&mut extras, |extra| (extra.range.start as u64, 0));
        let mut at = start;
        if let Some(mut stmt) = stmt {
            let stmt_end = stmt.end(self.reader.pieces.text(), &extras);
            parts.extend(self.source(at..stmt.range.start, &extras, stmt.options).tokens());
            let mut source = self.source(stmt.range.start..stmt_end, &extras, stmt.options);
            if stmt_end > stmt.range.end {
                source.set_semicolon();
            }
            source.stand_ins = Some(&stmt.stand_ins);
            let node = source.derive(SyntaxKind::SCRIPT_STMT)?;
            stmt.part = parts.len() - region.parts;
            parts.push(node.into());
            region.stmt = Some(Arc::new(stmt));
            at = stmt_end;
        }
        parts.extend(self.source(at..end, &extras, self.reader.options).tokens());
        Ok(Some(region))
    }

    /// Reads the next statement as [`Reader::next`] does, but without its tree; and with what variables stand for.
    fn stmt(&mut self) -> Option<RegionStmt> {
        let reader = &mut self.reader;
        let mark = reader.pieces.mark();
        let at = reader.pieces.at();
        let piece = reader.read(reader.recovery.is_on())?;
        if piece.ended != PieceEnd::Refused
            && let Some(range) = piece.range
        {
            let options = reader.options();
            let (sql, _) = reader.pieces.for_parser(&range);
            let is_correct = raw_parse(sql, options).is_ok();
            let is_plain =
                is_correct && piece.ended == PieceEnd::Sent && !reader.has_effect(&range);
            let stand_ins =
                if is_correct { StandIns::default() } else { self.stand_ins(&range, options) };
            if is_plain || stand_ins.fit {
                let reader = &mut self.reader;
                let is_sent = piece.ended == PieceEnd::Sent;
                let sent = is_sent.then_some(reader.pieces.at());
                reader.begin_session();
                let mut copy_data = None;
                if !is_plain {
                    // There may be data behind it.
                    let result = Err(Error::new(ErrorKind::Syntax, ""));
                    let stmt = ScriptStmt { range: range.clone(), result, copy_data: None };
                    copy_data = reader.follow(&stmt);
                }
                let (error, part) = (None, 0);
                return Some(RegionStmt {
                    range,
                    sent,
                    options,
                    stand_ins,
                    error,
                    copy_data,
                    part,
                });
            }
        }
        let reader = &mut self.reader;
        reader.pieces.go_back(&mark, at);
        let stmt = reader.next()?;
        let (options, sent) = (reader.options(), reader.sent);
        let copy_data = reader.follow(&stmt);
        let (range, error) = (stmt.range, stmt.result.err());
        let stand_ins = match error {
            None => StandIns::default(),
            Some(_) => self.stand_ins(&range, options),
        };
        Some(RegionStmt { range, sent, options, stand_ins, error, copy_data, part: 0 })
    }

    /// Finds the variables and placeholders in a statement that is wrong with them.
    fn stand_ins(&self, range: &Range<usize>, options: ParserOptions) -> StandIns {
        let source = self.source(range.clone(), &[], options);
        let extras = self.reader.pieces.extras.iter();
        let extras = extras.filter(|extra| extra.kind == ExtraKind::Backslash);
        let ends: HashSet<_> = extras.map(|extra| extra.range.end).collect();
        let is_escaped = |at| ends.contains(&(range.start + at));
        StandIns::find(&source.clean, self.placeholders, source.options, &is_escaped)
    }

    /// Makes the source of the tree of a range.
    fn source(
        &self,
        range: Range<usize>,
        extras: &[ScriptExtra],
        options: ParserOptions,
    ) -> TreeSource<'_> {
        let kind_of = |kind| match kind {
            ExtraKind::ByteOrderMark => Some(SyntaxKind::BYTE_ORDER_MARK),
            ExtraKind::Command => Some(SyntaxKind::PSQL_COMMAND),
            ExtraKind::CopyData => Some(SyntaxKind::COPY_DATA),
            ExtraKind::Backslash => None,
        };
        let first = extras.partition_point(|extra| extra.range.start < range.start);
        let extras = extras[first..].iter().take_while(|extra| extra.range.start < range.end);
        let extras = extras.map(|extra| {
            let place = extra.range.start - range.start..extra.range.end - range.start;
            (place, kind_of(extra.kind))
        });
        let extras: Vec<(Range<usize>, _)> = extras.collect();
        let text = &self.text[range.clone()];
        let clean = &self.reader.pieces.text()[range];
        let mut clean = if options.standard_conforming_strings {
            Cow::Borrowed(clean)
        } else {
            without_escapes(clean)
        };
        // The parser has got a blank there.
        if let Some(last) = text.bytes().next_back()
            && !clean.ends_with(char::from(last))
            && last.is_ascii()
            && extras.last().is_none_or(|(extra, _)| extra.end < text.len())
        {
            let end = text.len();
            clean.to_mut().replace_range(end - 1..end, &text[end - 1..]);
        }
        let options = options.standard_conforming_strings(true);
        TreeSource { text, clean, extras, options, ..TreeSource::default() }
    }
}

/// A statement of a region.
#[derive(Debug)]
pub(super) struct RegionStmt {
    pub(super) range: Range<usize>,
    /// The end of what ended it.
    pub(super) sent: Option<usize>,
    pub(super) options: ParserOptions,
    pub(super) stand_ins: StandIns,
    /// Why it is wrong without them.
    pub(super) error: Option<Error>,
    /// The data of a `COPY`.
    pub(super) copy_data: Option<Range<usize>>,
    /// The number of parts of the root between the start of the region and it.
    pub(super) part: usize,
}

impl RegionStmt {
    /// Returns the end of its node. A command that ends it may be followed by blanks.
    fn end(&self, clean: &str, extras: &[ScriptExtra]) -> usize {
        let Some(sent) = self.sent else { return self.range.end };
        let is_command = |extra: &&ScriptExtra| extra.kind == ExtraKind::Command;
        let command = extras.iter().rev().filter(is_command).map(|command| command.range.end);
        let command = command.into_iter().find(|end| *end <= sent);
        command
            .filter(|end| *end > self.range.end && clean[*end..sent].trim_ascii().is_empty())
            .unwrap_or(sent)
    }
}

/// Writes strings with backslashes that are escapes as strings without any, of the same length.
fn without_escapes(sql: &str) -> Cow<'_, str> {
    let mut written = Cow::Borrowed(sql);
    let mut at = 0;
    while at < sql.len() {
        let rest = &sql[at..];
        let length = match rest.as_bytes()[0] {
            b'-' if rest.starts_with("--") => line_comment(rest),
            b'/' if rest.starts_with("/*") => comment(rest).unwrap_or(rest.len()),
            b'"' => quoted(rest, b'"', false),
            b'$' => dollar_quoted(rest),
            b'\'' => {
                let length = quoted(rest, b'\'', true);
                replace_escapes(&mut written, at..at + length);
                length
            }
            byte if is_word(byte) => string(rest).unwrap_or_else(|| word(rest)),
            _ => 1,
        };
        at += length;
    }
    written
}

fn replace_escapes(sql: &mut Cow<'_, str>, range: Range<usize>) {
    let mut at = range.start;
    while let Some(found) = sql[at..range.end].find('\\') {
        at += found;
        let escaped = sql[at + 1..range.end].chars().next().filter(char::is_ascii);
        let end = at + 1 + usize::from(escaped.is_some());
        sql.to_mut().replace_range(at..end, &"_".repeat(end - at));
        at = end;
    }
}
