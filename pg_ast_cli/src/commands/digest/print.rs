//! Prints the table.

use std::cmp::Reverse;
use std::io::{self, Write};

use anstyle::Style;
use anyhow::Result;
use serde::Serialize;
use terminal_size::terminal_size_of;

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

pub(super) fn table(args: &Digest, counts: Counts, out: &mut dyn Write) -> Result<()> {
    let mut total = counts.others;
    total.add(counts.errors);
    counts.kinds.values().for_each(|kind| total.add(kind.calls));
    let distinct = counts.kinds.len();

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
        return Ok(());
    }
    if args.csv {
        let mut csv = csv::Writer::from_writer(out);
        lines.try_for_each(|line| csv.serialize(line))?;
        csv.flush()?;
        return Ok(());
    }
    print(&kinds, total, out)?;

    let (others, errors) = (counts.others.count, counts.errors.count);
    write!(out, "{} statements of {distinct} kinds", total.count)?;
    if others > 0 {
        write!(out, ", {others} of other kinds (--max-kinds)")?;
    }
    if errors > 0 {
        write!(out, ", {errors} with an error")?;
    }
    writeln!(out)?;
    if let Some((message, sql)) = counts.error {
        writeln!(out, "the first error: {message}, in {}", cut(&in_one_line(&sql), WIDTH))?;
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
