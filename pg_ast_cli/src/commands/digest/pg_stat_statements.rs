//! Reads data of `pg_stat_statements` as CSV, with a header and any usual delimiter.

use anyhow::Result;

use super::account::{Reason, Skipped};
use super::batch::{Calls, Form, Pushed};
use super::lines::Lines;
use super::log::Log;
use super::messages;
use super::records::{Fields, Record, Records};

const DELIMITERS: &[u8] = b",;\t|^~\x1f:";

/// What it shows instead of the statements of others.
const HIDDEN: &[u8] = b"<insufficient privilege>";

/// The places of the columns.
#[derive(Clone, Copy)]
struct Columns {
    query: usize,
    calls: usize,
    time: Option<usize>,
    max: Option<usize>,
    rows: Option<usize>,
}

pub(super) fn read(lines: &mut Lines<'_>, log: &mut Log<'_>) -> Result<()> {
    let mut records = Records::new(lines, b',', |_| false);
    let mut columns: Option<Columns> = None;
    while let Some(record) = records.next()? {
        if record == Record::TooLong {
            log.lose(Reason::TooLong, records.count, records.number, &records.text());
            continue;
        }
        let (count, number) = (records.count, records.number);
        if record == Record::Whole {
            if columns.is_none()
                && let Some((delimiter, header)) = header(records.text().as_bytes())
            {
                records.set_delimiter(delimiter);
                columns = Some(header);
                log.understand(count);
                continue;
            }
            let fields = records.fields();
            // Several exports may follow each other.
            if columns.is_some_and(|columns| columns.is_header(fields)) {
                log.understand(count);
                continue;
            }
            if fields.len() <= 1 && fields.get(0).unwrap_or_default().is_empty() {
                log.skip(Skipped::Blank, count);
                continue;
            }
            if let Some((query, calls)) = columns.and_then(|columns| columns.read(fields)) {
                log.understand(count);
                if query == HIDDEN || query.is_empty() {
                    log.account.hidden = log.account.hidden.saturating_add(calls.count);
                } else {
                    let query = log.text(query);
                    let (sql, form) = (&*query, Form::Normalized);
                    log.batches.push(Pushed { sql, calls, form, ..Pushed::default() })?;
                }
                continue;
            }
        }
        let reason = if record == Record::Cut { Reason::Cut } else { Reason::Columns };
        let text = records.text();
        log.lose(reason, records.drop_first_line(), number, &text);
    }
    Ok(())
}

/// Finds the columns in a header, and the delimiter between them.
fn header(line: &[u8]) -> Option<(u8, Columns)> {
    DELIMITERS.iter().find_map(|&delimiter| {
        let names: Vec<_> = line
            .split(|&byte| byte == delimiter)
            .map(|name| name.trim_ascii().trim_ascii_end().to_ascii_lowercase())
            .collect();
        let find = |wanted: &str| {
            let quoted = format!("\"{wanted}\"");
            names.iter().position(|name| name == wanted.as_bytes() || name == quoted.as_bytes())
        };
        // PostgreSQL 13 has renamed the last one.
        let time = find("total_exec_time").or_else(|| find("total_time"));
        let max = find("max_exec_time").or_else(|| find("max_time"));
        let (query, calls, rows) = (find("query")?, find("calls")?, find("rows"));
        Some((delimiter, Columns { query, calls, time, max, rows }))
    })
}

/// Returns whether the line is a header of such data.
pub(super) fn is_header(line: &[u8]) -> bool {
    header(line).is_some()
}

impl Columns {
    fn is_header(self, fields: Fields<'_>) -> bool {
        fields.get(self.query) == Some(b"query") && fields.get(self.calls) == Some(b"calls")
    }

    fn read(self, fields: Fields<'_>) -> Option<(&[u8], Calls)> {
        let text = |index| Some(std::str::from_utf8(fields.get(index)?).ok()?.trim());
        let count = text(self.calls)?.parse().ok()?;
        // In some languages it has a comma.
        let time = |index: Option<usize>| messages::time(&text(index?)?.replace(',', "."));
        let rows = self.rows.and_then(|rows| text(rows)?.parse().ok());
        let calls = Calls::many(count, time(self.time), time(self.max), rows);
        Some((fields.get(self.query)?, calls))
    }
}
