//! Reads a script region by region: a statement, with what comes before it.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use pg_ast::{Error, ParserOptions};
use rowan::{GreenNode, GreenToken, NodeOrToken};

use super::pg::seam::lex::{comment, dollar_quoted, is_word, line_comment, quoted, string, word};
use super::pg::seam::{
    ExtraKind, ScriptExtra, ScriptFound, ScriptReader, ScriptRegionEnd, ScriptSetting, sort_by_key,
};
use super::stand_ins::StandIns;
use super::syntax_kind::SyntaxKind;
use super::tree_source::TreeSource;
use crate::script_options::ScriptOptions;

/// A statement with what comes before it, and the data of a `COPY`. The last one of a script may have no statement.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) start: usize,
    /// What comes from here on has no effect on it.
    pub(super) looked: usize,
    /// The number of parts of the root before it.
    pub(super) parts: usize,
    /// The state of the reader before it; `None` if it is not read again from here on.
    pub(super) state: Option<Arc<ScriptSetting>>,
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
    reader: ScriptReader<'a>,
    options: ScriptOptions,
    /// Where the next region begins.
    at: usize,
    /// The last state that has been shared.
    state: Arc<ScriptSetting>,
}

impl<'a> RegionReader<'a> {
    pub(super) fn new(text: &'a str, options: ScriptOptions) -> Self {
        let reader = ScriptReader::new(text, options.parser);
        Self { text, reader, options, at: 0, state: Arc::default() }
    }

    /// Goes on at a region. The text before it has been read, as has `read_again` of it.
    pub(super) fn resume(
        text: &'a str,
        read: &str,
        options: ScriptOptions,
        state: Arc<ScriptSetting>,
        read_again: usize,
    ) -> Self {
        let reader = ScriptReader::resume(text, read, options.parser, &state, read_again);
        Self { text, reader, options, at: read.len(), state }
    }

    /// Returns where the next region begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the text up to the next region, for the parser.
    pub(super) fn clean(&self) -> &str {
        &self.reader.text()[..self.at]
    }

    pub(super) fn into_clean(self) -> String {
        self.reader.into_text()
    }

    /// Returns what has been read again so far.
    pub(super) fn read_again(&self) -> usize {
        self.reader.read_again()
    }

    /// Returns the state before the next region, if the text from there on tells everything else.
    pub(super) fn state(&mut self) -> Option<Arc<ScriptSetting>> {
        let setting = self.reader.state()?;
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
        self.reader.begin_region(start);
        let stmt = self.stmt();
        let ScriptRegionEnd { at: end, looked, mut extras } = self.reader.end_region();
        self.at = end;
        region.looked = looked;
        sort_by_key(&mut extras, |extra| (extra.range.start as u64, 0));
        let mut at = start;
        if let Some(mut stmt) = stmt {
            let stmt_end = stmt.end(self.reader.text(), &extras);
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
        parts.extend(self.source(at..end, &extras, self.options.parser).tokens());
        Ok(Some(region))
    }

    /// Reads the next statement, with what variables stand for.
    fn stmt(&mut self) -> Option<RegionStmt> {
        let trial = self.reader.trial()?;
        if let Some(range) = trial.range.clone() {
            let stand_ins = if trial.is_correct {
                StandIns::default()
            } else {
                self.stand_ins(&range, trial.options)
            };
            if trial.is_plain || stand_ins.fit {
                return Some(RegionStmt::new(self.reader.take(range, &trial), stand_ins));
            }
        }
        let stmt = self.reader.stmt()?;
        let stand_ins = match stmt.error {
            None => StandIns::default(),
            Some(_) => self.stand_ins(&stmt.range, stmt.options),
        };
        Some(RegionStmt::new(stmt, stand_ins))
    }

    /// Finds the variables and placeholders in a statement that is wrong with them.
    fn stand_ins(&self, range: &Range<usize>, options: ParserOptions) -> StandIns {
        let source = self.source(range.clone(), &[], options);
        let extras = self.reader.extras().iter();
        let extras = extras.filter(|extra| extra.kind == ExtraKind::Backslash);
        let ends: HashSet<_> = extras.map(|extra| extra.range.end).collect();
        let is_escaped = |at| ends.contains(&(range.start + at));
        StandIns::find(&source.clean, self.options.placeholders, source.options, &is_escaped)
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
        let clean = &self.reader.text()[range];
        let conforming = options.standard_conforming_strings(true);
        let mut clean =
            if options == conforming { Cow::Borrowed(clean) } else { without_escapes(clean) };
        // The parser has got a blank there.
        if let Some(last) = text.bytes().next_back()
            && !clean.ends_with(char::from(last))
            && last.is_ascii()
            && extras.last().is_none_or(|(extra, _)| extra.end < text.len())
        {
            let end = text.len();
            clean.to_mut().replace_range(end - 1..end, &text[end - 1..]);
        }
        TreeSource { text, clean, extras, options: conforming, ..TreeSource::default() }
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
    fn new(stmt: ScriptFound, stand_ins: StandIns) -> Self {
        let ScriptFound { range, sent, options, error, copy_data } = stmt;
        Self { range, sent, options, stand_ins, error, copy_data, part: 0 }
    }

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
