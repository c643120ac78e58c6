//! Reports of errors and findings, for people and programs.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use pg_ast::{ColumnUnit, Error, Expected, LineIndex, Severity, Warning};
use serde::Serialize;

use crate::args::Output;
use crate::input::Source;

/// The maximum number of expected tokens to list.
const MAX_EXPECTED: usize = 8;

/// The number of bytes after a statement to look at: enough for a whole word.
const BEHIND: usize = 128;

/// The maximum number of bytes to show of long lines, such as the inserts of a dump, besides
/// some context: each of many findings would print the whole line.
const LONGEST: usize = 4096;
const AROUND: usize = 256;

/// A message about a text.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    pub(crate) level: DiagnosticLevel,
    /// The rule that found it, if it is not an error of PostgreSQL's.
    pub(crate) rule: Option<&'static str>,
    pub(crate) message: String,
    /// The range in the text, in bytes.
    pub(crate) range: Range<usize>,
    /// The label below the range.
    pub(crate) label: String,
    /// Further lines.
    pub(crate) help: Vec<String>,
    /// The fix: ranges of the text, and their replacements.
    pub(crate) fix: Vec<(Range<usize>, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DiagnosticLevel {
    Error,
    Warning,
    Note,
}

impl DiagnosticLevel {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Diagnostic {
    /// Makes a diagnostic of an error's place and message only.
    pub(crate) fn of_place(error: &Error, sql: &str) -> Self {
        let start = error.cursor().unwrap_or(0).min(sql.len());
        Self {
            level: DiagnosticLevel::Error,
            rule: None,
            message: error.message().to_owned(),
            range: start..start + word_len(&sql[start..]),
            label: String::new(),
            help: Vec::new(),
            fix: Vec::new(),
        }
    }

    /// Does the same with the expected tokens and the likely meaning, in a statement that ends at `end`. Text after it
    /// is not read: each of many errors would read the rest of a script.
    pub(crate) fn of_error(error: &Error, sql: &str, end: usize) -> Self {
        // An error may be after a statement without a semicolon.
        let end = end.max(error.cursor().unwrap_or(0)).saturating_add(BEHIND);
        let sql = &sql[..boundary(sql, end)];
        let suggestion = error.suggestion(sql);
        let label = expected(&error.expected(sql));
        let help = [error.detail(), error.hint(), error.context()];
        let mut help: Vec<_> = help.into_iter().flatten().map(str::to_owned).collect();
        let fix = suggestion.map(|suggestion| {
            help.push(format!("did you mean {}?", suggestion.keyword));
            (suggestion.range, suggestion.keyword.to_owned())
        });
        Self { label, help, fix: fix.into_iter().collect(), ..Self::of_place(error, sql) }
    }

    pub(crate) fn of_warning(warning: &Warning, sql: &str) -> Self {
        let start = warning.cursor.unwrap_or(0).min(sql.len());
        let help = [&warning.detail, &warning.hint];
        Self {
            level: match warning.severity {
                Severity::Warning => DiagnosticLevel::Warning,
                _ => DiagnosticLevel::Note,
            },
            rule: None,
            message: warning.message.clone(),
            range: start..start + word_len(&sql[start..]),
            label: String::new(),
            help: help.into_iter().flatten().cloned().collect(),
            fix: Vec::new(),
        }
    }
}

/// Lists some of the expected tokens; empty if there are none.
pub(crate) fn expected(expected: &[Expected]) -> String {
    let some = &expected[..expected.len().min(MAX_EXPECTED)];
    let names = some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match expected.len() {
        0 => String::new(),
        1 => format!("expected {names}"),
        2..=MAX_EXPECTED => format!("expected one of {names}"),
        all => format!("expected one of {names} and {} more", all - MAX_EXPECTED),
    }
}

/// Returns the length of the word that a text begins with, or of its first character.
fn word_len(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
    word.max(text.chars().next().map_or(0, char::len_utf8))
}

/// Prints diagnostics of one text.
pub(crate) struct Reporter<'a> {
    source: &'a Source,
    lines: LineIndex<'a>,
    output: Output,
}

/// A line of `--output json`.
#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    level: DiagnosticLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    message: &'a str,
    /// Both counted from 1, in characters.
    line: usize,
    column: usize,
    /// In bytes.
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    help: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fix: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
struct Replacement<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(source: &'a Source, output: Output) -> Self {
        Self { source, lines: LineIndex::new(&source.text), output }
    }

    /// Returns the text that diagnostics are about.
    pub(crate) fn text(&self) -> &'a str {
        &self.source.text
    }

    pub(crate) fn print(&self, out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
        let place = self.lines.line_column(diagnostic.range.start, ColumnUnit::Characters);
        let (line, column) = (place.line + 1, place.column + 1);
        let Diagnostic { level, rule, message, range, label, help, fix } = diagnostic;
        let file = &self.source.name;
        match self.output {
            Output::Full => self.print_full(out, diagnostic),
            Output::Short => {
                let rule = rule.map(|rule| format!("[{rule}]")).unwrap_or_default();
                let (file, message) = (one_line(file), one_line(message));
                writeln!(out, "{file}:{line}:{column}: {}{rule}: {message}", level.name())
            }
            Output::Json => {
                let fix = fix.iter().map(|(range, text)| {
                    let (start, end) = (range.start, range.end);
                    Replacement { start, end, text }
                });
                let object = Json {
                    file,
                    level: *level,
                    rule: *rule,
                    message,
                    line,
                    column,
                    start: range.start,
                    end: range.end,
                    label,
                    help,
                    fix: fix.collect(),
                };
                serde_json::to_writer(&mut *out, &object)?;
                writeln!(out)
            }
        }
    }

    fn print_full(&self, out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
        let level = match diagnostic.level {
            DiagnosticLevel::Error => Level::ERROR,
            DiagnosticLevel::Warning => Level::WARNING,
            DiagnosticLevel::Note => Level::NOTE,
        };
        let mut title = level.primary_title(diagnostic.message.as_str());
        if let Some(rule) = diagnostic.rule {
            title = title.id(rule);
        }
        let part = self.part(std::slice::from_ref(&diagnostic.range));
        let annotation = AnnotationKind::Primary
            .span(part.within(&diagnostic.range))
            .label((!diagnostic.label.is_empty()).then_some(diagnostic.label.as_str()));
        let mut snippet = Snippet::source(part.text).line_start(part.line).annotation(annotation);
        let name = self.source.name.as_str();
        let mut group = Group::with_title(title);
        if part.is_cut {
            let place = self.lines.line_column(diagnostic.range.start, ColumnUnit::Characters);
            let origin = Origin::path(name).line(place.line + 1).char_column(place.column + 1);
            group = group.element(origin);
        } else {
            snippet = snippet.path(name);
        }
        group = group.element(snippet);
        let (fix, help) = match diagnostic.help.split_last() {
            Some((last, help)) if !diagnostic.fix.is_empty() => (Some(last), help),
            _ => (None, diagnostic.help.as_slice()),
        };
        for help in help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let mut report = vec![group];
        report.extend(fix.map(|fix| self.fix(fix, &diagnostic.fix)));
        writeln!(out, "{}\n", Renderer::styled().render(&report))
    }

    /// Shows the text with a fix.
    fn fix<'b>(&'b self, title: &'b str, fix: &'b [(Range<usize>, String)]) -> Group<'b> {
        let ranges: Vec<_> = fix.iter().map(|(range, _)| range.clone()).collect();
        let part = self.part(&ranges);
        let shown = fix.iter().filter(|(range, _)| part.has(range));
        let patches = shown.map(|(range, text)| Patch::new(part.within(range), text.as_str()));
        Level::HELP
            .secondary_title(title)
            .element(Snippet::source(part.text).line_start(part.line).patches(patches))
    }

    /// Returns the lines that contain ranges: the whole text would be scanned for each diagnostic.
    fn part(&self, ranges: &[Range<usize>]) -> Part<'_> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(start);
        let line = |offset| self.lines.line_column(offset, ColumnUnit::Bytes).line;
        let (first, last) = (line(start), line(end));
        let mut shown = self.lines.line(first).map_or(0, |range| range.start)
            ..self.lines.line(last).map_or(self.source.text.len(), |range| range.end);
        let is_cut = shown.len() > LONGEST;
        if is_cut {
            let text = &self.source.text;
            shown.start = shown.start.max(boundary(text, start.saturating_sub(AROUND)));
            let most = end.min(start + LONGEST) + AROUND;
            shown.end = shown.end.min(boundary(text, most));
        }
        let line = line(shown.start) + 1;
        Part { text: &self.source.text[shown.clone()], start: shown.start, line, is_cut }
    }
}

/// Writes line breaks and other control characters as Rust does: a message may contain a part of the SQL.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(escaped).collect()
}

/// Returns the last character boundary up to this place.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Some lines of a text, or a part of them.
struct Part<'a> {
    text: &'a str,
    /// Its offset in bytes.
    start: usize,
    /// The number of its first line, counted from 1.
    line: usize,
    is_cut: bool,
}

impl Part<'_> {
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        let place = |offset: usize| (offset - self.start).min(self.text.len());
        place(range.start)..place(range.end)
    }

    fn has(&self, range: &Range<usize>) -> bool {
        range.end - self.start <= self.text.len()
    }
}

/// Prints why the program failed.
pub(crate) fn failure(error: &anyhow::Error) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into()));
    anstream::eprintln!("{style}error{style:#}: {error:#}");
}
