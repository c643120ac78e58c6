//! Prints the table.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use serde::Serialize;
use terminal_size::terminal_size_of;

use super::account::{Account, Lost, Skipped};
use super::batch::Calls;
use super::count::{Counts, Kind, Sample, hex};
use super::html;
use super::tallies::{Group, Tallies};
use crate::args::{Digest, Sort};
use crate::commands::list::in_one_line;

/// The columns of a line if the width is unknown.
const WIDTH: usize = 120;
/// The columns for the names of tables.
const TABLES: usize = 24;
/// The number of names, and of messages of errors, to print.
const NAMES: usize = 5;
const MESSAGES: usize = 3;
/// The number of messages of errors in a report.
const REPORTED: usize = 100;

/// A kind of statement. Times are in milliseconds.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    pub(super) fingerprint: String,
    pub(super) calls: u64,
    pub(super) total_time: f64,
    pub(super) mean_time: Option<f64>,
    pub(super) p95_time: Option<f64>,
    pub(super) max_time: Option<f64>,
    pub(super) rows: Option<u64>,
    pub(super) errors: u64,
    pub(super) tables: String,
    pub(super) query: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) samples: &'a [Sample],
}

/// What there is besides the lines: all that has been counted, and all that has not been understood.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pub(super) statements: u64,
    /// In milliseconds.
    pub(super) total_time: f64,
    pub(super) kinds: usize,
    /// Of kinds beyond the limit.
    pub(super) others: u64,
    pub(super) errors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_error: Option<FirstError<'a>>,
    /// Those that the server has logged.
    pub(super) server_errors: u64,
    pub(super) server_errors_without_statement: u64,
    /// The most frequent of them.
    pub(super) messages: Vec<ErrorMessage<'a>>,
    pub(super) databases: Vec<Named>,
    pub(super) users: Vec<Named>,
    pub(super) applications: Vec<Named>,
    /// The length of a period in seconds.
    pub(super) period: i64,
    pub(super) periods: Vec<Named>,
    /// Calls whose SQL is hidden.
    pub(super) hidden: u64,
    /// Durations without their statement.
    pub(super) durations: u64,
    /// The lines of all inputs: those understood, those skipped, and those of `not_understood`.
    pub(super) lines: u64,
    pub(super) understood: u64,
    pub(super) skipped: Vec<SkippedLines>,
    pub(super) not_understood: Vec<&'a Lost>,
    /// Lines with bytes that are not UTF-8.
    pub(super) not_utf8: u64,
    pub(super) without_statements: Vec<&'a str>,
}

#[derive(Serialize)]
pub(super) struct FirstError<'a> {
    pub(super) message: &'a str,
    pub(super) query: &'a str,
}

#[derive(Serialize)]
pub(super) struct ErrorMessage<'a> {
    pub(super) message: &'a str,
    pub(super) count: u64,
}

/// The calls of a database, a user, an application, or a period of time.
#[derive(Serialize)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) calls: u64,
    pub(super) total_time: f64,
    pub(super) errors: u64,
}

#[derive(Serialize)]
pub(super) struct SkippedLines {
    pub(super) kind: Skipped,
    pub(super) lines: u64,
}

/// Returns a sum of milliseconds without the digits that depend on the order in which it has been added up.
fn rounded(time: f64) -> f64 {
    const DIGITS: f64 = 1e6;
    (time * DIGITS).round() / DIGITS
}

impl Named {
    fn new(name: String, calls: &Calls) -> Self {
        Self { name, calls: calls.count, total_time: rounded(calls.time), errors: calls.errors }
    }
}

impl<'a> Line<'a> {
    fn new(fingerprint: u64, kind: &'a Kind) -> Self {
        let calls = &kind.calls;
        Self {
            fingerprint: hex(fingerprint),
            calls: calls.count,
            total_time: rounded(calls.time),
            mean_time: calls.mean().map(rounded),
            p95_time: kind.p95(),
            // An old pg_stat_statements has no maximum, and no call takes no time.
            max_time: (calls.max > 0.0).then_some(calls.max),
            rows: (calls.rowed > 0).then_some(calls.rows),
            errors: calls.errors,
            tables: kind.tables.join(" "),
            query: &kind.text,
            samples: &kind.samples,
        }
    }
}

impl<'a> Summary<'a> {
    fn new(counts: &'a Counts, tallies: &'a mut Tallies, account: &'a Account) -> Self {
        let periods = tallies.periods.all();
        let tallies = &*tallies;
        let mut total = counts.others;
        total.add(counts.errors);
        counts.kinds.values().for_each(|kind| total.add(kind.calls));
        // Nothing is known about them if there is no name.
        let named = |group| {
            let by = tallies.by(group);
            let is_known = by.iter().any(|(name, _)| !name.is_empty());
            let by = by.into_iter().filter(|_| is_known);
            by.map(|(name, calls)| Named::new(name, &calls)).collect()
        };
        let mut messages: Vec<_> = tallies.errors.iter().collect();
        messages.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        messages.truncate(REPORTED);
        let messages =
            messages.into_iter().map(|(message, count)| ErrorMessage { message, count: *count });
        Self {
            statements: total.count,
            total_time: rounded(total.time),
            kinds: counts.kinds.len(),
            others: counts.others.count,
            errors: counts.errors.count,
            first_error: counts
                .error
                .as_ref()
                .map(|(message, query)| FirstError { message, query }),
            server_errors: tallies.error_count,
            server_errors_without_statement: tallies.errors_without_stmt,
            messages: messages.collect(),
            databases: named(Group::Database),
            users: named(Group::User),
            applications: named(Group::Application),
            period: tallies.periods.length / 1000,
            periods: periods
                .into_iter()
                .map(|(start, calls)| Named::new(start.shown(), &calls))
                .collect(),
            hidden: account.hidden,
            durations: account.durations,
            lines: account.lines,
            understood: account.understood,
            skipped: account
                .skipped
                .iter()
                .map(|(kind, lines)| SkippedLines { kind: *kind, lines: *lines })
                .collect(),
            not_understood: account.lost().collect(),
            not_utf8: account.not_utf8,
            without_statements: account
                .without_stmts
                .iter()
                .map(|(name, _)| name.as_str())
                .collect(),
        }
    }

    /// Returns the lines that are not understood.
    pub(super) fn lost(&self) -> u64 {
        self.not_understood.iter().map(|lost| lost.lines).sum()
    }
}

pub(super) fn report(
    args: &Digest,
    counts: &Counts,
    tallies: &mut Tallies,
    account: &Account,
    out: &mut dyn Write,
) -> Result<()> {
    let summary = Summary::new(counts, tallies, account);
    let mut lines: Vec<_> =
        counts.kinds.iter().map(|(value, kind)| Line::new(*value, kind)).collect();
    sort(&mut lines, args.sort);
    if args.html {
        let mut times = super::histogram::Histogram::default();
        counts.kinds.values().for_each(|kind| times.merge(&kind.times));
        return Ok(html::page(&lines, args.limit, &summary, &times, out)?);
    }
    if args.limit > 0 {
        lines.truncate(args.limit);
    }
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
        // A table has no place for them.
        for line in &mut lines {
            line.samples = &[];
        }
        lines.iter().try_for_each(|line| csv.serialize(line))?;
        csv.flush()?;
        print_summary(&summary, account, &mut io::stderr().lock())?;
        return Ok(());
    }
    print(&lines, &summary, args.sort, out)?;
    print_summary(&summary, account, out)?;
    Ok(())
}

pub(super) fn sort(lines: &mut [Line<'_>], sort: Sort) {
    lines.sort_by(|a, b| {
        let by_time = b.total_time.total_cmp(&a.total_time);
        let by_count = b.calls.cmp(&a.calls);
        let times =
            |a: Option<f64>, b: Option<f64>| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0));
        let order = match sort {
            Sort::Count => by_count,
            Sort::Time => by_time,
            Sort::Mean => times(a.mean_time, b.mean_time),
            Sort::P95 => times(a.p95_time, b.p95_time),
            Sort::Max => times(a.max_time, b.max_time),
            Sort::Rows => b.rows.cmp(&a.rows),
            Sort::Errors => b.errors.cmp(&a.errors),
        };
        let order = order.then(by_count).then(by_time);
        // So that the order of equal ones is the same in each run.
        order.then(a.fingerprint.cmp(&b.fingerprint))
    });
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
    if summary.errors > 0 && summary.errors == summary.statements && summary.server_errors == 0 {
        writeln!(out, "no statement that PostgreSQL accepts; --format tells what a log is")?;
    }
    if let Some(FirstError { message, query }) = summary.first_error {
        let message = cut(&in_one_line(message), usize::MAX);
        writeln!(out, "the first error: {message}, in {}", cut(&in_one_line(query), WIDTH))?;
    }
    let groups = [
        ("database", &summary.databases),
        ("user", &summary.users),
        ("application", &summary.applications),
    ];
    for (name, by) in groups {
        if !by.is_empty() {
            print_names(name, by, summary.statements, out)?;
        }
    }
    print_errors(summary, out)?;
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
    let skipped: u64 = summary.skipped.iter().map(|skipped| skipped.lines).sum();
    if skipped > 0 {
        writeln!(out, "skipped: {skipped} of {} lines", summary.lines)?;
    }
    for SkippedLines { kind, lines } in &summary.skipped {
        writeln!(out, "{lines:>10} {}", kind.explanation())?;
    }
    if summary.lost() > 0 {
        writeln!(out, "not understood: {} of {} lines", summary.lost(), summary.lines)?;
    }
    for Lost { kind, lines, first } in &summary.not_understood {
        let text = cut(&in_one_line(&first.text), WIDTH);
        let explanation = kind.explanation();
        writeln!(
            out,
            "{lines:>10} {explanation}; the first is {}:{}{}{text}",
            cut(&first.file, usize::MAX),
            first.line,
            if text.is_empty() { "" } else { ": " }
        )?;
    }
    for (name, lines) in &account.without_stmts {
        let name = cut(name, usize::MAX);
        writeln!(out, "no statement in {name}, which has {lines} lines")?;
    }
    Ok(())
}

fn print_names(name: &str, by: &[Named], total: u64, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "by {name}:")?;
    for (index, named) in by.iter().take(NAMES).enumerate() {
        let name =
            if named.name.is_empty() { "(unknown)".to_owned() } else { in_one_line(&named.name) };
        let comma = if index > 0 { "," } else { "" };
        write!(
            out,
            "{comma} {} {} ({:.1}%)",
            cut(&name, TABLES),
            named.calls,
            share(named.calls, total)
        )?;
    }
    if by.len() > NAMES {
        write!(out, ", {} more", by.len() - NAMES)?;
    }
    writeln!(out)
}

fn print_errors(summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    if summary.server_errors == 0 {
        return Ok(());
    }
    let without = summary.server_errors_without_statement;
    writeln!(
        out,
        "{} errors that the server has logged, {without} without a statement",
        summary.server_errors
    )?;
    for ErrorMessage { message, count } in summary.messages.iter().take(MESSAGES) {
        writeln!(out, "{count:>10} {}", cut(&in_one_line(message), WIDTH))?;
    }
    Ok(())
}

pub(super) fn share(part: u64, total: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let share = 100.0 * part as f64 / total.max(1) as f64;
    share
}

/// A column: its title, its width, and its cells.
type Column<'a> = (&'a str, usize, Vec<String>);

fn print(
    kinds: &[Line<'_>],
    summary: &Summary<'_>,
    sort: Sort,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = terminal_size_of(io::stdout()).map_or(WIDTH, |(width, _)| usize::from(width.0));
    let bold = Style::new().bold();
    let cells = |cell: &dyn Fn(&Line<'_>) -> String| kinds.iter().map(cell).collect::<Vec<_>>();
    let time = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |time| format!("{time:.3}"));
    let mut columns: Vec<Column<'_>> = vec![
        ("calls", 10, cells(&|line| line.calls.to_string())),
        (
            "share",
            6,
            // Of what they are sorted by.
            cells(&|line| match sort {
                Sort::Time if summary.total_time > 0.0 => {
                    format!("{:.1}%", 100.0 * line.total_time / summary.total_time)
                }
                _ => format!("{:.1}%", share(line.calls, summary.statements)),
            }),
        ),
    ];
    if kinds.iter().any(|line| line.total_time > 0.0) {
        columns.push(("total ms", 12, cells(&|line| format!("{:.3}", line.total_time))));
        columns.push(("mean", 9, cells(&|line| time(line.mean_time))));
        if kinds.iter().any(|line| line.p95_time.is_some()) {
            columns.push(("p95", 9, cells(&|line| time(line.p95_time))));
        }
        if kinds.iter().any(|line| line.max_time.is_some()) {
            columns.push(("max", 9, cells(&|line| time(line.max_time))));
        }
    }
    if kinds.iter().any(|line| line.rows.is_some()) {
        let rows =
            |line: &Line<'_>| line.rows.map_or_else(|| "-".to_owned(), |rows| rows.to_string());
        columns.push(("rows", 9, cells(&rows)));
    }
    if kinds.iter().any(|line| line.errors > 0) {
        columns.push(("errors", 6, cells(&|line| line.errors.to_string())));
    }
    let used: usize = columns.iter().map(|(_, width, _)| width + 1).sum::<usize>() + 20;
    // The statement names them as well.
    let has_tables = used + TABLES + 2 + 40 <= width;
    let heads: Vec<_> =
        columns.iter().map(|(title, width, _)| format!("{title:>width$}")).collect();
    let tables = if has_tables { format!("{:<TABLES$}  ", "tables") } else { String::new() };
    writeln!(out, "{bold}{}  {:<16}  {tables}statement{bold:#}", heads.join(" "), "fingerprint")?;
    for (index, kind) in kinds.iter().enumerate() {
        let cells = columns.iter().map(|(_, width, cells)| format!("{:>width$}", cells[index]));
        let cells = cells.collect::<Vec<_>>().join(" ");
        let tables = cut(&kind.tables, TABLES);
        let tables = if has_tables { format!("{tables:<TABLES$}  ") } else { String::new() };
        let line = format!("{cells}  {}  {tables}", kind.fingerprint);
        let room = width.saturating_sub(line.chars().count()).max(20);
        writeln!(out, "{line}{}", cut(&in_one_line(kind.query), room))?;
        for sample in kind.samples {
            let at = sample.at.as_deref().unwrap_or_default();
            let parameters = if sample.parameters.is_empty() { "" } else { " -- " };
            writeln!(
                out,
                "{:>10} {at} {}{parameters}{}",
                time(sample.time),
                cut(&in_one_line(&sample.query), usize::MAX),
                cut(&in_one_line(&sample.parameters), usize::MAX)
            )?;
        }
    }
    Ok(())
}

/// Cuts text to at most `width` characters, the last of which marks the cut. None of them is a command to a terminal.
fn cut(text: &str, width: usize) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width - 1).map(plain).chain(['…']).collect(),
        None => text.chars().map(plain).collect(),
    }
}
