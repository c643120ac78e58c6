//! Messages about a text.

use std::ops::Range;

use pg_ast::{Error, Expected, Severity, Warning};
use pg_ast_lint::Applicability;
use serde::Serialize;

/// The maximum number of expected tokens to list.
const MAX_EXPECTED: usize = 8;

/// The number of bytes after a statement to look at: enough for a whole word.
const BEHIND: usize = 128;

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
    /// The fix: ranges of the text, and their replacements. Its title is the last line of the help.
    pub(crate) fix: Vec<(Range<usize>, String)>,
    pub(crate) applicability: Applicability,
    /// What tells a finding again in a changed text.
    pub(crate) fingerprint: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DiagnosticLevel {
    Error,
    Warning,
    Info,
}

impl DiagnosticLevel {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
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
            applicability: Applicability::Guess,
            fingerprint: None,
        }
    }

    /// Reports an error with the expected tokens and the likely meaning, in a statement that ends at `end`. Text after it
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
                _ => DiagnosticLevel::Info,
            },
            rule: None,
            message: warning.message.clone(),
            range: start..start + word_len(&sql[start..]),
            label: String::new(),
            help: help.into_iter().flatten().cloned().collect(),
            fix: Vec::new(),
            applicability: Applicability::Guess,
            fingerprint: None,
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

/// Writes line breaks and what else changes how a text looks as Rust does: a message may contain a part of the SQL.
pub(crate) fn one_line(text: &str) -> String {
    let escaped =
        |c: char| if changes_looks(c) { c.escape_default().to_string() } else { c.into() };
    text.chars().map(escaped).collect()
}

/// Returns whether a character commands a terminal, or turns the direction of text.
pub(super) fn changes_looks(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control()
}

/// Returns the last character boundary up to this place.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
