//! What `pgast digest` counts, and what the messages of a log say.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use snapbox::cmd::cargo_bin;

/// What is counted by fingerprint.
pub(crate) type Kinds = BTreeMap<u64, Kind>;

/// A kind of statement, with its time in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) calls: u64,
    pub(crate) time: u64,
    pub(crate) errors: u64,
    pub(crate) rows: Option<u64>,
}

/// Returns the fingerprint of a statement.
pub(crate) fn value(sql: &str) -> u64 {
    pg_ast::Version::newest()
        .fingerprint(sql)
        .unwrap_or_else(|error| panic!("{error}: {sql}"))
        .value
}

/// Returns microseconds.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn micros(ms: f64) -> u64 {
    (ms * 1000.0).round() as u64
}

/// Runs `pgast digest` on a log without a name. Every line of it has to be understood.
pub(crate) fn digested(path: &Path) -> Kinds {
    let output = Command::new(cargo_bin!("pgast"))
        .args(["digest", "--json", "-n", "0"])
        .stdin(File::open(path).unwrap())
        .output()
        .unwrap();
    let name = path.display();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut kinds = Kinds::new();
    for line in printed.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(fingerprint) = line["fingerprint"].as_str() else {
            assert_summary(&line["summary"], path);
            continue;
        };
        let number = |key: &str| line[key].as_u64();
        kinds.insert(
            u64::from_str_radix(fingerprint, 16).unwrap(),
            Kind {
                calls: number("calls").unwrap(),
                time: micros(line["total_time"].as_f64().unwrap()),
                errors: number("errors").unwrap(),
                rows: number("rows"),
            },
        );
    }
    kinds
}

fn assert_summary(summary: &Value, path: &Path) {
    let name = path.display();
    assert_eq!(summary["not_understood"], serde_json::json!([]), "{name}: {summary}");
    assert_eq!(summary["errors"], 0, "{name}: {summary}");
    let skipped = summary["skipped"].as_array().unwrap().iter();
    let skipped: u64 = skipped.map(|skipped| skipped["lines"].as_u64().unwrap()).sum();
    let lines = fs::read(path).unwrap().iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(summary["lines"], lines, "{name}");
    assert_eq!(summary["understood"].as_u64().unwrap() + skipped, lines, "{name}");
}

/// Counts what the messages of a log with JSON say, in English.
pub(crate) fn of_messages(path: &Path) -> Kinds {
    let mut kinds = Kinds::new();
    // The statement that a session has logged last.
    let mut last: BTreeMap<u64, u64> = BTreeMap::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = line["message"].as_str().unwrap();
        let session = line["pid"].as_u64().unwrap();
        if line["error_severity"] == "ERROR" {
            kinds.entry(value(line["statement"].as_str().unwrap())).or_default().errors += 1;
            last.remove(&session);
            continue;
        }
        let (time, rest) =
            match message.strip_prefix("duration: ").and_then(|it| it.split_once(" ms")) {
                Some((time, rest)) => (Some(micros(time.parse().unwrap())), rest.trim_start()),
                None => (None, message),
            };
        let sql = rest
            .strip_prefix("statement: ")
            .or_else(|| Some(rest.strip_prefix("execute ")?.split_once(": ")?.1));
        match (sql, time) {
            (Some(sql), time) => {
                let kind = kinds.entry(value(sql)).or_default();
                kind.calls += 1;
                kind.time += time.unwrap_or(0);
                last.insert(session, value(sql));
            }
            (None, Some(time)) if rest.is_empty() => {
                // That of a step before is another message's, which has no statement.
                if let Some(fingerprint) = last.remove(&session) {
                    kinds.entry(fingerprint).or_default().time += time;
                }
            }
            _ => {}
        }
    }
    kinds
}
