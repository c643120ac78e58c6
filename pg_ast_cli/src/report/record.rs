//! A diagnostic with the places of its lines, for programs.

use std::collections::HashMap;
use std::ops::Range;

use pg_ast::LineIndex;
use pg_ast_lint::Applicability;
use serde::Serialize;

use super::diagnostic::{Diagnostic, DiagnosticLevel};
use super::place;
use crate::input::Source;

/// A diagnostic that does not need its text any more.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) file: String,
    pub(super) level: DiagnosticLevel,
    pub(super) rule: Option<&'static str>,
    pub(super) message: String,
    pub(super) region: Region,
    pub(super) label: String,
    pub(super) help: Vec<String>,
    pub(super) fix: Vec<(Region, String)>,
    pub(super) applicability: Applicability,
    pub(super) fingerprint: Option<u64>,
}

/// A part of a text. Lines and columns are counted from 1, columns in characters; the end is behind the last character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    #[serde(rename = "byteOffset")]
    pub(super) start: usize,
    #[serde(rename = "byteLength")]
    pub(super) len: usize,
}

impl Region {
    fn new(text: &str, lines: &LineIndex<'_>, range: &Range<usize>) -> Self {
        let [(start_line, start_column), (end_line, end_column)] =
            [range.start, range.end].map(|offset| place(text, lines, offset));
        Self {
            start_line,
            start_column,
            end_line,
            end_column,
            start: range.start,
            len: range.len(),
        }
    }
}

impl Record {
    pub(super) fn new(source: &Source, lines: &LineIndex<'_>, diagnostic: &Diagnostic) -> Self {
        let fix = diagnostic.fix.iter();
        let region = |range| Region::new(&source.text, lines, range);
        Self {
            file: source.name.clone(),
            level: diagnostic.level,
            rule: diagnostic.rule,
            message: diagnostic.message.clone(),
            region: region(&diagnostic.range),
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
            fix: fix.map(|(range, by)| (region(range), by.clone())).collect(),
            applicability: diagnostic.applicability,
            fingerprint: diagnostic.fingerprint,
        }
    }

    /// Returns the rule, or what has that place in formats that need a name.
    pub(super) fn rule(&self) -> &'static str {
        self.rule.unwrap_or("syntax-error")
    }

    /// Returns the message with the help, as one text.
    pub(super) fn text(&self) -> String {
        let label = Some(&self.label).filter(|label| !label.is_empty());
        let lines: Vec<_> = label.into_iter().chain(&self.help).map(String::as_str).collect();
        if lines.is_empty() {
            return self.message.clone();
        }
        format!("{}: {}", self.message, lines.join("; "))
    }
}

/// Returns a name for each finding, which stays the same while other lines of the file change.
pub(super) fn fingerprints(found: &[Record]) -> Vec<String> {
    let mut seen = HashMap::new();
    let mut names = Vec::with_capacity(found.len());
    for record in found {
        let key = (record.file.as_str(), record.rule(), &record.message, record.fingerprint);
        let count = seen.entry(key).or_insert(0_usize);
        *count += 1;
        let mut hash = Fnv::default();
        for text in [key.0, key.1, key.2, &format!("{:016x} {count}", key.3.unwrap_or(0))] {
            hash.write(text);
        }
        names.push(format!("{:016x}", hash.0));
    }
    names
}

/// The 64-bit FNV-1a hash of some texts, which is the same in every version of this program.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
