//! `--output json`: an object per line.

use std::io::{self, Write};

use serde::Serialize;

use super::diagnostic::DiagnosticLevel;
use super::record::Record;

/// A line. README.md describes it.
#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    level: DiagnosticLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    message: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    help: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fix: Vec<Replacement<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applicability: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

#[derive(Serialize)]
struct Replacement<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

pub(super) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let fix = record.fix.iter().map(|(region, text)| Replacement {
        start: region.start,
        end: region.start + region.len,
        text,
    });
    let region = &record.region;
    let object = Object {
        file: &record.file,
        level: record.level,
        rule: record.rule,
        message: &record.message,
        line: region.start_line,
        column: region.start_column,
        end_line: region.end_line,
        end_column: region.end_column,
        start: region.start,
        end: region.start + region.len,
        label: &record.label,
        help: &record.help,
        fix: fix.collect(),
        applicability: (!record.fix.is_empty()).then_some(record.applicability.name()),
        fingerprint: record.fingerprint.map(|it| format!("{it:016x}")),
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}
