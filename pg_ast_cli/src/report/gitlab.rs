//! `--output gitlab`: GitLab's code quality report.

use std::io::{self, Write};

use serde::Serialize;

use super::diagnostic::DiagnosticLevel;
use super::record::{Record, fingerprints};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

pub(super) fn write(found: &[Record], out: &mut dyn Write) -> io::Result<()> {
    let issues = found.iter().zip(fingerprints(found)).map(|(record, fingerprint)| {
        let lines = Lines { begin: record.region.start_line, end: record.region.end_line };
        Issue {
            description: record.text(),
            check_name: record.rule(),
            fingerprint,
            severity: match record.level {
                DiagnosticLevel::Error => "critical",
                DiagnosticLevel::Warning => "minor",
                DiagnosticLevel::Info => "info",
            },
            location: Location { path: &record.file, lines },
        }
    });
    serde_json::to_writer_pretty(&mut *out, &issues.collect::<Vec<_>>())?;
    writeln!(out)
}
