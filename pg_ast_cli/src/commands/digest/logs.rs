//! Reads the logs of PostgreSQL, and data of pg_stat_statements.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::batch::{Batches, Calls};

/// The column of a csvlog with the message, see PostgreSQL's manual, "Using CSV-Format Log Output".
const CSVLOG_MESSAGE: usize = 13;
/// The maximum number of bytes in a line.
const MAX_LINE: usize = 64 << 20;

/// Reads lines of `log_destination = stderr`: a message may have several, of which all but the first begin with a tab.
pub(super) fn stderr(reader: &mut dyn BufRead, batches: &mut Batches) -> Result<()> {
    let mut message = String::new();
    let mut bytes = Vec::new();
    while next_line(reader, &mut bytes)? {
        let line = String::from_utf8_lossy(&bytes);
        match line.strip_prefix('\t') {
            Some(line) if !message.is_empty() => {
                if message.len() + line.len() > MAX_LINE {
                    bail!("a message has more than {MAX_LINE} bytes");
                }
                message.push('\n');
                message += line;
            }
            _ => {
                push(&message, batches)?;
                message.clear();
                if let Some((_, start)) = line.split_once("LOG:  ") {
                    message += start;
                }
            }
        }
    }
    push(&message, batches)
}

/// Reads a line without its end; false if there is none.
fn next_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    let read = (&mut *reader).take(MAX_LINE as u64).read_until(b'\n', line)?;
    if read == MAX_LINE {
        bail!("a line has more than {MAX_LINE} bytes");
    }
    while line.last().is_some_and(|byte| b"\r\n".contains(byte)) {
        line.pop();
    }
    Ok(read > 0)
}

pub(super) fn csvlog(reader: &mut dyn BufRead, batches: &mut Batches) -> Result<()> {
    let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader);
    let mut line = csv::ByteRecord::new();
    while lines.read_byte_record(&mut line)? {
        let message = line.get(CSVLOG_MESSAGE).context("too few columns for a csvlog")?;
        push(&String::from_utf8_lossy(message), batches)?;
    }
    Ok(())
}

pub(super) fn jsonlog(reader: &mut dyn BufRead, batches: &mut Batches) -> Result<()> {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow, default)]
        message: Cow<'a, str>,
    }
    let mut bytes = Vec::new();
    let mut number = 0;
    while next_line(reader, &mut bytes)? {
        number += 1;
        if !bytes.is_empty() {
            let line: Line =
                serde_json::from_slice(&bytes).with_context(|| format!("line {number}"))?;
            push(&line.message, batches)?;
        }
    }
    Ok(())
}

pub(super) fn pg_stat_statements(reader: &mut dyn BufRead, batches: &mut Batches) -> Result<()> {
    #[derive(Deserialize)]
    struct Line<'a> {
        query: Cow<'a, str>,
        calls: u64,
        /// PostgreSQL 13 and later.
        total_exec_time: Option<f64>,
        total_time: Option<f64>,
    }
    let mut lines = csv::Reader::from_reader(reader);
    let header = lines.headers()?.clone();
    let mut line = csv::StringRecord::new();
    while lines.read_record(&mut line)? {
        let line: Line = line.deserialize(Some(&header))?;
        let time = line.total_exec_time.or(line.total_time).unwrap_or_default();
        batches.push(&line.query, Calls { count: line.calls, time })?;
    }
    Ok(())
}

/// Counts the statement that a message logs, if there is one.
fn push(message: &str, batches: &mut Batches) -> Result<()> {
    match statement(message) {
        Some((sql, time)) => batches.push(sql, Calls { count: 1, time }),
        None => Ok(()),
    }
}

/// Returns the statement that a message logs, and its time in milliseconds; see `exec_simple_query` and
/// `exec_execute_message` in PostgreSQL's `src/backend/tcop/postgres.c`. Parse and bind, which have messages of
/// their own if they take long, are not calls.
fn statement(message: &str) -> Option<(&str, f64)> {
    let mut rest = message;
    let mut time = 0.0;
    if let Some(duration) = rest.strip_prefix("duration: ") {
        let (number, behind) = duration.split_once(" ms")?;
        time = number.parse().ok()?;
        rest = behind.trim_start();
    }
    if let Some(sql) = rest.strip_prefix("statement: ") {
        return Some((sql, time));
    }
    let (_name, sql) = rest.strip_prefix("execute ")?.split_once(": ")?;
    Some((sql, time))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::super::batch::Batch;
    use super::*;

    type Read = fn(&mut dyn BufRead, &mut Batches) -> Result<()>;

    fn read(read: Read, log: &str) -> Result<Vec<(String, Calls)>> {
        let (sender, receiver) = sync_channel(100);
        let mut batches = Batches::new(sender);
        read(&mut log.as_bytes(), &mut batches)?;
        batches.send()?;
        drop(batches);
        let batches: Vec<_> = receiver.into_iter().collect();
        let stmts = batches.iter().flat_map(Batch::stmts);
        Ok(stmts.map(|(sql, calls)| (sql.to_owned(), calls)).collect())
    }

    fn once(sql: &str, time: f64) -> (String, Calls) {
        (sql.to_owned(), Calls { count: 1, time })
    }

    #[test]
    fn messages_with_statements_are_known() {
        let statement = |message| statement(message);
        assert_eq!(statement("statement: SELECT 1"), Some(("SELECT 1", 0.0)));
        assert_eq!(statement("duration: 1.5 ms  statement: SELECT 1"), Some(("SELECT 1", 1.5)));
        assert_eq!(statement("execute <unnamed>: SELECT 1"), Some(("SELECT 1", 0.0)));
        assert_eq!(statement("duration: 2 ms  execute s1: SELECT 1"), Some(("SELECT 1", 2.0)));
        assert_eq!(statement("execute fetch from s1/c: SELECT 1"), Some(("SELECT 1", 0.0)));
        for other in [
            "duration: 1.5 ms",
            "duration: 1 ms  parse s1: SELECT 1",
            "checkpoint starting: time",
            "",
        ] {
            assert_eq!(statement(other), None, "{other}");
        }
    }

    #[test]
    fn stderr_has_lines_that_go_on() -> Result<()> {
        let log = "2026-01-01 [7] LOG:  statement: SELECT 1\n\
                   \tFROM t\n\
                   2026-01-01 [7] ERROR:  relation \"t\" does not exist at character 9\n\
                   2026-01-01 [7] STATEMENT:  SELECT 1\n\
                   \tFROM t\r\n\
                   LOG:  duration: 0.25 ms  execute a: SELECT $1\n\
                   DETAIL:  parameters: $1 = '1'\n";
        assert_eq!(read(stderr, log)?, [once("SELECT 1\nFROM t", 0.0), once("SELECT $1", 0.25)]);
        Ok(())
    }

    #[test]
    fn csv_and_json_have_a_message() -> Result<()> {
        let log = "t,u,d,1,h,s,1,c,t,v,0,LOG,00000,\"statement: SELECT \"\"a\"\"\n, 1\",,,\n\
                   t,u,d,1,h,s,2,c,t,v,0,LOG,00000,disconnection,,,\n";
        assert_eq!(read(csvlog, log)?, [once("SELECT \"a\"\n, 1", 0.0)]);
        let log =
            "{\"timestamp\":\"t\",\"message\":\"statement: SELECT \\\"a\\\"\\n\"}\n{\"pid\":1}\n";
        assert_eq!(read(jsonlog, log)?, [once("SELECT \"a\"\n", 0.0)]);
        assert!(read(csvlog, "a,b\n").is_err());
        assert_eq!(read(jsonlog, "{}\n{\n").unwrap_err().to_string(), "line 2");
        Ok(())
    }

    #[test]
    fn pg_stat_statements_counts_calls() -> Result<()> {
        let log = "userid,query,calls,total_exec_time\n10,\"SELECT $1, 2\",7,3.5\n";
        assert_eq!(
            read(pg_stat_statements, log)?,
            [("SELECT $1, 2".to_owned(), Calls { count: 7, time: 3.5 })]
        );
        Ok(())
    }
}
