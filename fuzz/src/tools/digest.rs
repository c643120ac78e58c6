//! Digests: each statement is counted, and each line accounted for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pg_ast::Version;
use pg_ast_cli::inside::{Digested, digest};
use pg_ast_syntax::Script;

use super::{Result, ensure};

/// The formats of logs, each with the byte that an input of the fuzz target begins with.
pub const FORMATS: [(u8, &str); 7] = [
    (b'a', "auto"),
    (b'c', "csvlog"),
    (b'e', "stderr"),
    (b'j', "jsonlog"),
    (b'p', "pg-stat-statements"),
    (b'q', "sql"),
    (b'y', "syslog"),
];

/// Reads a log of a format, whatever is in it.
pub fn of_log(format: &str, log: &[u8]) -> Result {
    let found = digest(Version::newest(), format, log)
        .map_err(|error| format!("{format} is not read: {error}"))?;
    accounts_for_lines(&found, log)
}

fn accounts_for_lines(found: &Digested, log: &[u8]) -> Result {
    let ends = log.iter().filter(|&&byte| byte == b'\n').count();
    let lines = (ends + usize::from(log.last().is_some_and(|&byte| byte != b'\n'))) as u64;
    ensure(found.lines == lines && found.understood + found.lost == lines, || {
        format!("{lines} lines: {found:?}")
    })
}

/// Counts kinds and errors.
fn counts(stmts: impl Iterator<Item = Option<u64>>) -> Digested {
    let mut counts = Digested::default();
    for fingerprint in stmts {
        match fingerprint {
            Some(fingerprint) => *counts.kinds.entry(fingerprint).or_default() += 1,
            None => counts.errors += 1,
        }
    }
    counts
}

fn same(found: &Digested, expected: &Digested, of: &str) -> Result {
    ensure(found.kinds == expected.kinds && found.errors == expected.errors, || {
        let only = |a: &BTreeMap<u64, u64>, b: &BTreeMap<u64, u64>| {
            a.iter().filter(|&(kind, count)| b.get(kind) != Some(count)).count()
        };
        let kinds = [only(&found.kinds, &expected.kinds), only(&expected.kinds, &found.kinds)];
        format!(
            "{of}: {} errors, not {}; kinds that differ: {kinds:?}",
            found.errors, expected.errors
        )
    })
}

/// Counts the statements of a script, and the same statements in logs.
pub fn of_script(script: &str) -> Result {
    let version = Version::newest();
    let read = |format: &str, input: &str| {
        let found =
            digest(version, format, input.as_bytes()).map_err(|error| format!("{error}"))?;
        accounts_for_lines(&found, input.as_bytes()).map(|()| found)
    };
    let stmts = pg_ast::parse_script(script);
    let results = stmts.iter().map(|stmt| {
        // A tree does not know whether a string is empty or missing; only a script has commands and settings.
        let Ok(tree) = &stmt.result else { return of_variables(stmt.text(script)) };
        let of_text = pg_ast::fingerprint(stmt.text(script)).ok();
        Some(of_text.unwrap_or_else(|| tree.fingerprint()).value)
    });
    let expected = counts(results);
    same(&read("sql", script)?, &expected, "the script")?;

    // As a server logs them: one by one, without a setting.
    let texts: Vec<_> = stmts
        .iter()
        .map(|stmt| stmt.text(script))
        .filter(|sql| !sql.contains(['\r', '\0']))
        .collect();
    let fingerprints = texts.iter().map(|sql| pg_ast::fingerprint(sql).ok().map(|it| it.value));
    let expected = counts(fingerprints);
    for (format, log) in
        [("stderr", stderr(&texts)), ("csvlog", csvlog(&texts)), ("jsonlog", jsonlog(&texts))]
    {
        for name in [format, "auto"].into_iter().take(1 + usize::from(!texts.is_empty())) {
            let found = read(name, &log)?;
            same(&found, &expected, &format!("{format} as {name}"))?;
            ensure(found.lost == 0, || format!("{} lines of {format} are lost", found.lost))?;
        }
    }
    Ok(())
}

/// Returns the fingerprint of a wrong statement that is correct but for variables of psql.
fn of_variables(sql: &str) -> Option<u64> {
    let script = Script::parse(sql).ok()?;
    let written = script.written();
    let is_correct = script.check().iter().all(|stmt| stmt.result.is_ok());
    let found = pg_ast::fingerprint(written.text()).ok()?;
    (is_correct && written.has_replaced()).then_some(found.value)
}

fn stderr(stmts: &[&str]) -> String {
    stmts.iter().enumerate().fold(String::new(), |mut log, (number, sql)| {
        let sql = sql.replace('\n', "\n\t");
        let _ =
            writeln!(log, "2026-01-01 10:00:00.000 UTC [{}] LOG:  statement: {sql}", number % 3);
        log
    })
}

fn csvlog(stmts: &[&str]) -> String {
    stmts.iter().enumerate().fold(String::new(), |mut log, (number, sql)| {
        let (session, sql) = (number % 3, sql.replace('"', "\"\""));
        let _ = writeln!(
            log,
            "2026-01-01 10:00:00.000 UTC,\"u\",\"d\",{session},\"[local]\",69a1b2c3.{session},1,\"idle\",\
             2026-01-01 10:00:00 UTC,3/2,0,LOG,00000,\"statement: {sql}\",,,,,,,,,\"psql\",\"client backend\",,0"
        );
        log
    })
}

fn jsonlog(stmts: &[&str]) -> String {
    stmts.iter().enumerate().fold(String::new(), |mut log, (number, sql)| {
        let session = number % 3;
        let _ = write!(
            log,
            "{{\"timestamp\":\"t\",\"pid\":{session},\"session_id\":\"69a1.{session}\",\
             \"error_severity\":\"LOG\",\"message\":\"statement: "
        );
        for c in sql.chars() {
            match c {
                '"' | '\\' => log.extend(['\\', c]),
                ..' ' => drop(write!(log, "\\u{:04x}", c as u32)),
                _ => log.push(c),
            }
        }
        log += "\"}\n";
        log
    })
}
