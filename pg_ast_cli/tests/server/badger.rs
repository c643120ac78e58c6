//! What pgBadger counts in the same logs.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::cluster::{PREFIX, Phase};
use crate::digested::{Kinds, micros};

/// The environment variable with the program.
const PROGRAM: &str = "PGBADGER";

/// Calls and microseconds by fingerprint.
pub(crate) type Theirs = BTreeMap<u64, (u64, u64)>;

/// Runs pgBadger on a log in several formats; the error is why it cannot be run.
pub(crate) fn of(phase: &Phase, with_syslog: bool) -> Result<Vec<(&'static str, Theirs)>, String> {
    let program = env::var_os(PROGRAM).unwrap_or_else(|| "pgbadger".into());
    let folder = tempdir().map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for (format, log) in [
        ("stderr", "log.log"),
        ("csv", "log.csv"),
        ("jsonlog", "log.json"),
        ("syslog", "log.syslog"),
    ] {
        let log = phase.file(log);
        if !log.exists() || (format == "syslog" && !with_syslog) {
            continue;
        }
        let out = folder.path().join(format!("{format}.json"));
        let mut command = Command::new(&program);
        command
            .args(["-q", "-x", "json", "--sample", "1000", "-f", format, "--pid-dir"])
            .arg(folder.path())
            .arg("-o")
            .arg(&out)
            .arg(&log);
        match format {
            "stderr" => command.args(["-p", PREFIX]),
            "syslog" => command.args(["-p", PREFIX, "-i", "postgres"]),
            _ => &mut command,
        };
        let output = command
            .output()
            .map_err(|error| format!("{} ({PROGRAM}): {error}", program.display()))?;
        let text = std::fs::read_to_string(&out).map_err(|_| {
            format!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )
        })?;
        all.push((format, read(&serde_json::from_str(&text).unwrap())));
    }
    Ok(all)
}

fn read(report: &Value) -> Theirs {
    let mut theirs = Theirs::new();
    for kinds in report["normalyzed_info"].as_object().unwrap().values() {
        for (text, kind) in kinds.as_object().unwrap() {
            // Of some samples it removes the parameters, and its own text is not SQL.
            let samples =
                kind["samples"].as_object().into_iter().flat_map(|samples| samples.values());
            let samples = samples.filter_map(|sample| sample["query"].as_str().map(str::to_owned));
            let fingerprint = samples
                .chain([text.replace('?', "1")])
                .map(|sql| sql.replace("= ;", "= 1;"))
                .find_map(|sql| pg_ast::Version::newest().fingerprint(&sql).ok());
            let Some(fingerprint) = fingerprint else { panic!("no SQL: {kind}") };
            let calls = kind["count"].as_u64().unwrap_or(0);
            if calls > 0 {
                let known = theirs.entry(fingerprint.value).or_default();
                known.0 += calls;
                known.1 += micros(kind["duration"].as_f64().unwrap_or(0.0));
            }
        }
    }
    theirs
}

/// Every kind has the same calls and the same total time.
pub(crate) fn assert_equal(format: &str, ours: &Kinds, theirs: &Theirs) {
    let ours: Theirs = ours
        .iter()
        .filter(|(_, kind)| kind.calls > 0)
        .map(|(fingerprint, kind)| (*fingerprint, (kind.calls, kind.time)))
        .collect();
    for (fingerprint, ours) in &ours {
        assert_eq!(theirs.get(fingerprint), Some(ours), "{format}: {fingerprint:016x}");
    }
    assert_eq!(ours.len(), theirs.len(), "{format}");
    let total: u64 = ours.values().map(|(calls, _)| calls).sum();
    println!("pgBadger, {format}: {} kinds, {total} calls, all equal", ours.len());
}
