//! Reads `log_destination = csvlog`, see PostgreSQL's manual, "Using CSV-Format Log Output".

use std::borrow::Cow;

use anyhow::Result;

use super::account::{Reason, Skipped};
use super::json::is_error;
use super::lines::Lines;
use super::log::{Log, Message};
use super::records::{Fields, Record, Records};
use super::times::Time;

const TIME: usize = 0;
const USER: usize = 1;
const DATABASE: usize = 2;
const SESSION: usize = 5;
const SEVERITY: usize = 11;
const CODE: usize = 12;
const MESSAGE: usize = 13;
const DETAIL: usize = 14;
const STMT: usize = 19;
const APPLICATION: usize = 22;

/// The least number of columns, that of PostgreSQL 9.0: later versions have added to them.
const COLUMNS: usize = 23;

pub(super) fn read(lines: &mut Lines<'_>, log: &mut Log<'_>) -> Result<()> {
    let mut records = Records::new(lines, b',', begins);
    while let Some(record) = records.next()? {
        if record == Record::TooLong {
            log.lose(Reason::TooLong, records.count, records.number, &records.text());
            continue;
        }
        let (count, number) = (records.count, records.number);
        if record == Record::Whole {
            let fields = records.fields();
            let is_blank = fields.len() <= 1 && fields.get(0).unwrap_or_default().is_empty();
            if is_blank {
                log.skip(Skipped::Blank, count);
                continue;
            }
            if fields.len() >= COLUMNS && fields.get(MESSAGE).is_some() {
                message(fields, (count, number), log)?;
                continue;
            }
        }
        let reason = if record == Record::Cut { Reason::Cut } else { Reason::Columns };
        let text = records.text();
        log.lose(reason, records.drop_first_line(), number, &text);
    }
    Ok(())
}

fn message(fields: Fields<'_>, (lines, number): (u64, u64), log: &mut Log<'_>) -> Result<()> {
    let field = |index| {
        let bytes = fields.get(index).unwrap_or_default();
        // Which is several times as fast for what is right.
        let text = std::str::from_utf8(bytes).map(Cow::Borrowed);
        text.unwrap_or_else(|_| String::from_utf8_lossy(bytes))
    };
    let text = log.text(fields.get(MESSAGE).unwrap_or_default());
    let (session, user, database) = (field(SESSION), field(USER), field(DATABASE));
    let (application, detail, stmt) = (field(APPLICATION), field(DETAIL), field(STMT));
    log.message(&Message {
        session: &session,
        at: Time::find(&field(TIME)),
        database: &database,
        user: &user,
        application: &application,
        text: &text,
        detail: &detail,
        stmt: &stmt,
        is_error: is_error(&field(SEVERITY), &field(CODE)),
        lines,
        number,
    })
}

/// Returns whether a line begins a record: with a time, and with a process as its fourth column. In an export, all columns
/// may have quotes.
pub(super) fn begins(line: &[u8]) -> bool {
    const TIME: &[u8] = b"0000-00-00 00:00:00.000 ";
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let is_time = line.len() > TIME.len()
        && TIME.iter().zip(line).all(|(form, byte)| match form {
            b'0' => byte.is_ascii_digit(),
            form => form == byte,
        });
    let mut columns = line.split(|&byte| byte == b',');
    // Behind the time zone, a log of another format has more.
    let has_zone = columns.clone().next().is_some_and(|time| {
        time.get(TIME.len()..).is_some_and(|zone| !zone.contains(&b' ') && !zone.contains(&b':'))
    });
    is_time
        && has_zone
        && columns
            .nth(3)
            .map(|process| process.strip_prefix(b"\"").unwrap_or(process))
            .map(|process| process.strip_suffix(b"\"").unwrap_or(process))
            .is_some_and(|process| !process.is_empty() && process.iter().all(u8::is_ascii_digit))
}
