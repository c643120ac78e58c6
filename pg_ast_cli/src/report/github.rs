//! `--output github`: workflow commands, which GitHub shows at the lines of a pull request.

use std::io::{self, Write};

use super::diagnostic::DiagnosticLevel;
use super::record::Record;

pub(super) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let command = match record.level {
        DiagnosticLevel::Error => "error",
        DiagnosticLevel::Warning => "warning",
        DiagnosticLevel::Info => "notice",
    };
    let (file, title) = (property(&record.file), property(record.rule()));
    let region = &record.region;
    write!(out, "::{command} title={title},file={file},line={}", region.start_line)?;
    // Columns are only for one line.
    if region.start_line == region.end_line {
        write!(out, ",col={},endColumn={}", region.start_column, region.end_column)?;
    }
    writeln!(out, ",endLine={}::{}", region.end_line, data(&record.text()))
}

/// Escapes what is after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a value before it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
