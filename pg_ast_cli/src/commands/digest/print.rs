//! Prints the table.

use std::cmp::Reverse;
use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use serde::Serialize;
use terminal_size::terminal_size_of;

use super::account::{Account, Lost};
use super::batch::Calls;
use super::count::{Counts, Kind, hex};
use crate::args::{Digest, Sort};
use crate::commands::list::in_one_line;

/// The columns of a line if the width is unknown.
const WIDTH: usize = 120;
/// The columns for the names of tables.
const TABLES: usize = 24;

#[derive(Serialize)]
struct Line<'a> {
    fingerprint: String,
    calls: u64,
    /// In milliseconds.
    total_time: f64,
    tables: String,
    query: &'a str,
}

/// What there is besides the lines: all that has been counted, and all that has not been understood.
#[derive(Serialize)]
struct Summary<'a> {
    statements: u64,
    kinds: usize,
    /// Of kinds beyond the limit.
    others: u64,
    errors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_error: Option<FirstError<'a>>,
    /// Calls whose SQL is hidden.
    hidden: u64,
    /// Durations without their statement.
    durations: u64,
    /// The lines of all inputs: those understood, and those of `not_understood`.
    lines: u64,
    understood: u64,
    not_understood: Vec<&'a Lost>,
    /// Lines with bytes that are not UTF-8.
    not_utf8: u64,
    without_statements: Vec<&'a str>,
}

#[derive(Serialize)]
struct FirstError<'a> {
    message: &'a str,
    query: &'a str,
}

pub(super) fn table(
    args: &Digest,
    counts: Counts,
    account: &Account,
    out: &mut dyn Write,
) -> Result<()> {
    let mut total = counts.others;
    total.add(counts.errors);
    counts.kinds.values().for_each(|kind| total.add(kind.calls));
    let first_error = counts.error.as_ref();
    let summary = Summary {
        statements: total.count,
        kinds: counts.kinds.len(),
        others: counts.others.count,
        errors: counts.errors.count,
        first_error: first_error.map(|(message, query)| FirstError { message, query }),
        hidden: account.hidden,
        durations: account.durations,
        lines: account.lines,
        understood: account.understood,
        not_understood: account.lost().collect(),
        not_utf8: account.not_utf8,
        without_statements: account.without_stmts.iter().map(|(name, _)| name.as_str()).collect(),
    };

    let mut kinds: Vec<_> = counts.kinds.into_iter().collect();
    kinds.sort_by(|(a, first), (b, second)| {
        let time = second.calls.time.total_cmp(&first.calls.time);
        let count = second.calls.count.cmp(&first.calls.count);
        let order = if args.sort == Sort::Time { time.then(count) } else { count.then(time) };
        // So that the order of equal ones is the same in each run.
        order.then(Reverse(b).cmp(&Reverse(a)))
    });
    if args.limit > 0 {
        kinds.truncate(args.limit);
    }
    let mut lines = kinds.iter().map(|(fingerprint, kind)| Line {
        fingerprint: hex(*fingerprint),
        calls: kind.calls.count,
        total_time: kind.calls.time,
        tables: kind.tables.join(" "),
        query: &kind.text,
    });
    if args.json {
        for line in lines {
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
        }
        serde_json::to_writer(&mut *out, &serde_json::json!({ "summary": summary }))?;
        writeln!(out)?;
        return Ok(());
    }
    if args.csv {
        let mut csv = csv::Writer::from_writer(out);
        lines.try_for_each(|line| csv.serialize(line))?;
        csv.flush()?;
        // A table has no place for it.
        print_summary(&summary, account, &mut io::stderr().lock())?;
        return Ok(());
    }
    print(&kinds, total, out)?;

    print_summary(&summary, account, out)?;
    Ok(())
}

fn print_summary(summary: &Summary<'_>, account: &Account, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{} statements of {} kinds", summary.statements, summary.kinds)?;
    if summary.others > 0 {
        write!(out, ", {} of other kinds (--max-kinds)", summary.others)?;
    }
    if summary.errors > 0 {
        write!(out, ", {} with an error", summary.errors)?;
    }
    writeln!(out)?;
    if let Some(FirstError { message, query }) = summary.first_error {
        writeln!(out, "the first error: {message}, in {}", cut(&in_one_line(query), WIDTH))?;
    }
    if summary.hidden > 0 {
        writeln!(out, "{} calls of statements whose SQL is hidden", summary.hidden)?;
    }
    if summary.durations > 0 {
        writeln!(out, "{} durations whose statements are not in the log", summary.durations)?;
    }
    if summary.not_utf8 > 0 {
        writeln!(
            out,
            "{} lines with bytes that are not UTF-8, which are replaced",
            summary.not_utf8
        )?;
    }
    let lost = summary.lines.saturating_sub(summary.understood);
    if lost > 0 {
        writeln!(out, "not understood: {lost} of {} lines", summary.lines)?;
    }
    for Lost { kind, lines, first } in &summary.not_understood {
        let text = cut(&in_one_line(&first.text), WIDTH);
        let explanation = kind.explanation();
        writeln!(
            out,
            "{lines:>10} {explanation}; the first is {}:{}{}{text}",
            first.file,
            first.line,
            if text.is_empty() { "" } else { ": " }
        )?;
    }
    for (name, lines) in &account.without_stmts {
        writeln!(out, "no statement in {name}, which has {lines} lines")?;
    }
    Ok(())
}

fn print(kinds: &[(u64, Kind)], total: Calls, out: &mut dyn Write) -> io::Result<()> {
    let width = terminal_size_of(io::stdout()).map_or(WIDTH, |(width, _)| usize::from(width.0));
    let timed = kinds.iter().any(|(_, kind)| kind.calls.time > 0.0);
    let bold = Style::new().bold();
    let time = if timed { format!("{:>12}  ", "ms") } else { String::new() };
    writeln!(
        out,
        "{bold}{:>10} {:>6}  {time}{:<16}  {:<TABLES$}  statement{bold:#}",
        "calls", "share", "fingerprint", "tables"
    )?;
    for (fingerprint, kind) in kinds {
        #[allow(clippy::cast_precision_loss)]
        let share = 100.0 * kind.calls.count as f64 / total.count.max(1) as f64;
        let time = if timed { format!("{:>12.3}  ", kind.calls.time) } else { String::new() };
        let tables = cut(&kind.tables.join(" "), TABLES);
        let line = format!(
            "{:>10} {share:>5.1}%  {time}{}  {tables:<TABLES$}  ",
            kind.calls.count,
            hex(*fingerprint)
        );
        let text =
            cut(&in_one_line(&kind.text), width.saturating_sub(line.chars().count()).max(20));
        writeln!(out, "{line}{text}")?;
    }
    Ok(())
}

/// Cuts text to at most `width` characters, the last of which marks the cut.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
