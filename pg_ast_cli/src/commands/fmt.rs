//! `pgast fmt`.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use anyhow::{Result, anyhow};
use pg_ast::{ColumnUnit, DeparseOptions, ErrorKind, LineIndex, Version};
use similar::{ChangeTag, TextDiff};

use super::counted;
use crate::Outcome;
use crate::args::{Fmt, Output};
use crate::config;
use crate::format::Formatter;
use crate::input::Source;
use crate::report::{self, Diagnostic, Reporter};
use crate::write::replace;

/// The default number of columns to indent per level.
const INDENT: u16 = 2;
/// The default maximum of columns per line.
const WIDTH: u16 = 100;

pub(crate) fn run(
    args: &Fmt,
    version: Version,
    config: &config::Fmt,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let options = DeparseOptions::default()
        .indent_size(args.indent.or(config.indent).unwrap_or(INDENT))
        .max_line_length(args.width.or(config.width).unwrap_or(WIDTH))
        .commas_start_of_line(args.commas_first || config.commas_first.unwrap_or(false));
    let formatter = Formatter::new(version, options).map_err(|error| match error.kind() {
        ErrorKind::Unsupported => {
            anyhow!("PostgreSQL {version} has no layouts (--pg chooses a newer version): {error}")
        }
        _ => error.into(),
    })?;
    args.inputs.each(|source| format(args, &formatter, &source, out))
}

fn format(
    args: &Fmt,
    formatter: &Formatter,
    source: &Source,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let result = formatter.format(&source.text);
    let mut outcome = Outcome::Fine;
    if !result.errors.is_empty() {
        outcome = Outcome::Found;
        let mut stderr = anstream::stderr().lock();
        let reporter = Reporter::new(source, Output::Full);
        for (error, end) in &result.errors {
            let diagnostic = Diagnostic::of_error(error, &source.text, *end);
            reporter.print(&mut stderr, &diagnostic)?;
        }
    }
    let line =
        |offset| LineIndex::new(&source.text).line_column(offset, ColumnUnit::Bytes).line + 1;
    if let Some(difference) = &result.refused {
        outcome = Outcome::Failed;
        report::failure(&anyhow!(
            "{}:{}: not formatted: {} would change",
            source.name,
            line(difference.offset),
            difference.kind
        ));
    }
    if let Some(first) = result.kept.first() {
        anstream::eprintln!(
            "{}:{}: {} left as {}, since the layout would lose something",
            source.name,
            line(*first),
            counted(result.kept.len(), "statement"),
            if result.kept.len() == 1 { "it is" } else { "they are; this is the first" }
        );
    }
    let changed = result.text != source.text;
    if args.check || args.diff {
        if changed {
            outcome = Outcome::Found;
            if args.diff {
                print_diff(source, &result.text, out)?;
            } else {
                writeln!(out, "{} is not formatted", source.name)?;
            }
        }
        return Ok(outcome);
    }
    match &source.path {
        Some(path) if !args.stdout => {
            if changed {
                if let Err(error) = replace(path, &result.text) {
                    report::failure(&error);
                    return Ok(Outcome::Failed);
                }
                writeln!(out, "{} formatted", source.name)?;
            }
        }
        _ => out.write_all(result.text.as_bytes())?,
    }
    Ok(outcome)
}

/// Prints the changes, with three lines of context.
fn print_diff(source: &Source, formatted: &str, out: &mut dyn Write) -> io::Result<()> {
    let style = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    let diff = TextDiff::from_lines(source.text.as_str(), formatted);
    writeln!(out, "--- {}\n+++ {}, formatted", source.name, source.name)?;
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let cyan = style(AnsiColor::Cyan);
        writeln!(out, "{cyan}{}{cyan:#}", hunk.header())?;
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Delete => style(AnsiColor::Red),
                ChangeTag::Insert => style(AnsiColor::Green),
                ChangeTag::Equal => Style::new(),
            };
            let line = change.value().trim_end_matches('\n');
            writeln!(out, "{style}{}{line}{style:#}", change.tag())?;
            if change.missing_newline() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}
