//! `--output github`: workflow commands, which GitHub shows at the lines of a pull request.

use std::io::{self, Write};

use super::diagnostic::{DiagnosticLevel, changes_looks};
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

/// Escapes what is after the second `::`. What would change how the log of a run looks is written as Rust does.
fn data(text: &str) -> String {
    let is_shown = |c: char| c == '\n' || !changes_looks(c);
    let shown = |c: char| if is_shown(c) { c.into() } else { c.escape_default().to_string() };
    escaped(&text.chars().map(shown).collect::<String>())
}

/// Escapes a value before it.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
