//! Reports of errors and findings, for people and programs.

mod diagnostic;
mod full;
mod github;
mod gitlab;
mod json;
mod junit;
mod record;
mod sarif;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use pg_ast::{ColumnUnit, LineIndex};

use self::record::Record;
use crate::args::Output;
use crate::input::Source;

pub(crate) use self::diagnostic::{Diagnostic, DiagnosticLevel, expected, one_line};

/// The report of a run. What is a document is written at its end, all else as it comes.
#[derive(Debug)]
pub(crate) struct Report {
    output: Output,
    /// The names of all files.
    files: Vec<String>,
    found: Vec<Record>,
}

impl Report {
    pub(crate) fn new(output: Output) -> Self {
        Self { output, files: Vec::new(), found: Vec::new() }
    }

    /// Begins with a file.
    pub(crate) fn file<'a>(&'a mut self, source: &'a Source) -> Reporter<'a> {
        self.files.push(source.name.clone());
        Reporter::of(self, source)
    }

    /// Writes the document, if it is one.
    pub(crate) fn finish(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.output {
            Output::Full | Output::Short | Output::Json | Output::Github => Ok(()),
            Output::Gitlab => gitlab::write(&self.found, out),
            Output::Sarif => sarif::write(&self.found, out),
            Output::Junit => junit::write(&self.files, &self.found, out),
        }
    }
}

/// Reports diagnostics of one text.
pub(crate) struct Reporter<'a> {
    report: &'a mut Report,
    source: &'a Source,
    lines: LineIndex<'a>,
}

impl<'a> Reporter<'a> {
    fn of(report: &'a mut Report, source: &'a Source) -> Self {
        Self { report, source, lines: LineIndex::new(&source.text) }
    }

    /// Returns the text that diagnostics are about.
    pub(crate) fn text(&self) -> &'a str {
        &self.source.text
    }

    pub(crate) fn print(&mut self, out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
        match self.report.output {
            Output::Full => self.print_full(out, diagnostic),
            Output::Short => self.print_short(out, diagnostic),
            Output::Json => json::write(&self.record(diagnostic), out),
            Output::Github => github::write(&self.record(diagnostic), out),
            Output::Gitlab | Output::Sarif | Output::Junit => {
                let record = self.record(diagnostic);
                self.report.found.push(record);
                Ok(())
            }
        }
    }

    fn record(&self, diagnostic: &Diagnostic) -> Record {
        Record::new(self.source, &self.lines, diagnostic)
    }

    fn print_short(&self, out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
        let (line, column) = place(self.text(), &self.lines, diagnostic.range.start);
        let rule = diagnostic.rule.map(|rule| format!("[{rule}]")).unwrap_or_default();
        let (file, message) = (one_line(&self.source.name), one_line(&diagnostic.message));
        writeln!(out, "{file}:{line}:{column}: {}{rule}: {message}", diagnostic.level.name())
    }
}

/// A byte order mark, which is in no column of its line.
pub(crate) const MARK: char = '\u{feff}';

/// Returns the line and the column of an offset, both counted from 1, the column in characters.
fn place(text: &str, lines: &LineIndex<'_>, offset: usize) -> (usize, usize) {
    let place = lines.line_column(offset, ColumnUnit::Characters);
    let mark = usize::from(place.line == 0 && text.starts_with(MARK));
    (place.line + 1, place.column.saturating_sub(mark) + 1)
}

/// Prints why the program failed.
pub(crate) fn failure(error: &anyhow::Error) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into()));
    anstream::eprintln!("{style}error{style:#}: {error:#}");
}
