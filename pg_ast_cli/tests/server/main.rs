//! Holds `pgast digest` to logs that a PostgreSQL server writes at the same time in all formats, and to pgBadger.
//!
//! What is expected is known from what the test has run, and from the durations in the log with one JSON object per message.
//! Without a server of the right version, a message says so, and nothing is tested; the same holds for pgBadger, which the
//! environment variable `PGBADGER` may name, for syslog, and for messages in another language.

#[cfg(unix)]
mod badger;
#[cfg(unix)]
mod cluster;
#[cfg(unix)]
mod digested;
#[cfg(unix)]
mod syslog;

#[cfg(unix)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Write as _;

    use crate::cluster::{Cluster, Phase};
    use crate::digested::{Kinds, digested, of_messages, value};
    use crate::{badger, syslog};

    const TABLES: &str = "CREATE TABLE app(id int PRIMARY KEY, name text, doc jsonb);
INSERT INTO app SELECT g, 'n' || g, '{}' FROM generate_series(1, 100) g;
";

    /// Statements with their calls and errors in one run.
    const SCRIPT: [(&str, u64, u64); 12] = [
        ("SELECT *\n  FROM app\n WHERE name = 'it''s; -- x';", 1, 0),
        ("SELECT count(*) FROM app WHERE id IN (1, 2, 3);", 1, 0),
        ("SELECT nope FROM app;", 0, 1),
        ("SELECT name FROM app WHERE id / 0 = 1;", 0, 1),
        ("INSERT INTO app VALUES (1, 'dup\n\tlicate', NULL);", 0, 1),
        (
            "SELECT id AS \"q\"\"q\", 'new\nline \"q\"', E'tab\\t' FROM app WHERE name = '文 #011';",
            1,
            0,
        ),
        ("PREPARE p AS SELECT doc FROM app WHERE id = 1;", 1, 0),
        ("DO $$ BEGIN RAISE NOTICE 'x'; END $$;", 1, 0),
        ("BEGIN;", 1, 0),
        ("UPDATE app SET name = 'y' WHERE id = 3;", 1, 0),
        ("ROLLBACK;", 1, 0),
        ("SELECT name, doc FROM app ORDER BY name LIMIT 3;", 1, 0),
    ];

    /// Each session runs this so often.
    const TRANSACTIONS: u64 = 40;
    const SESSIONS: u64 = 3;
    const BENCH: [&str; 2] =
        ["SELECT doc->>'a' FROM app WHERE id = :id;", "UPDATE app SET doc = '{}' WHERE id = :id;"];

    /// Says what is not tested, also where the output of tests that pass is not shown.
    fn not_tested(what: &str) {
        let _ = writeln!(std::io::stderr(), "\nNOT TESTED: {what}\n");
    }

    fn script() -> String {
        SCRIPT.map(|(sql, ..)| sql).join("\n") + "\n"
    }

    /// Returns the calls and errors by fingerprint after so many runs of the script, and all modes of `pgbench`.
    fn expected(runs: u64, modes: u64) -> BTreeMap<u64, (u64, u64)> {
        let mut expected: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut add = |sql: &str, calls, errors| {
            let known = expected.entry(value(sql)).or_default();
            *known = (known.0 + calls, known.1 + errors);
        };
        for (sql, calls, errors) in SCRIPT {
            add(sql, calls * runs, errors * runs);
        }
        for sql in BENCH {
            add(&sql.replace(":id", "1"), modes * SESSIONS * TRANSACTIONS, 0);
        }
        expected.retain(|_, counts| *counts != (0, 0));
        expected
    }

    /// Compares what `digest` counts with what has been run.
    fn assert_counts(what: &str, kinds: &Kinds, expected: &BTreeMap<u64, (u64, u64)>) {
        for (fingerprint, counts) in expected {
            let found = kinds.get(fingerprint).map(|kind| (kind.calls, kind.errors));
            assert_eq!(found, Some(*counts), "{what}: {fingerprint:016x}");
        }
    }

    /// All formats have the same kinds with the same calls, times and errors, which are those of the messages.
    fn assert_equal(what: &str, phase: &Phase) -> Kinds {
        let truth = of_messages(&phase.file("log.json"));
        assert!(truth.len() > 5, "{what}: {truth:?}");
        for format in ["log.json", "log.csv", "log.log", "log.syslog"] {
            let path = phase.file(format);
            if format == "log.syslog" && !path.exists() {
                continue;
            }
            // Told by its contents, for it has no name.
            let kinds = digested(&path);
            for (fingerprint, kind) in &truth {
                let found = kinds.get(fingerprint);
                assert_eq!(found, Some(kind), "{what}, {format}: {fingerprint:016x}");
            }
            assert_eq!(kinds.len(), truth.len(), "{what}, {format}");
        }
        truth
    }

    #[test]
    fn logs_of_a_server_are_counted() {
        let cluster = match Cluster::new() {
            Ok(cluster) => cluster,
            Err(why) => {
                not_tested(&format!("digest against a server: {why}"));
                return;
            }
        };
        let syslog = syslog::Socket::open().inspect_err(|why| {
            not_tested(&format!("digest of syslog: {why}"));
        });
        let socket = syslog.as_ref().ok();
        cluster.run(&[], &[], None, |server| server.script(TABLES));

        // Statements with their times. In the syslog of several sessions, pgBadger loses calls with parameters, which are in
        // another part of their message.
        for modes in [&["simple"][..], &["extended", "prepared"]] {
            let settings = ["log_min_duration_statement = 0"];
            let phase = cluster.run(&settings, &[], socket, |server| {
                server.script(&script());
                for mode in modes {
                    server.bench(mode, SESSIONS, TRANSACTIONS, &BENCH);
                }
            });
            let kinds = assert_equal("durations", &phase);
            assert_counts("durations", &kinds, &expected(1, modes.len() as u64));
            match badger::of(&phase, modes == ["simple"]) {
                Ok(all) => {
                    for (format, theirs) in all {
                        badger::assert_equal(format, &kinds, &theirs);
                    }
                }
                Err(why) => not_tested(&format!("digest against pgBadger: {why}")),
            }
        }

        // Durations of their own.
        let settings = ["log_statement = all", "log_duration = on"];
        let phase = cluster.run(&settings, &[], socket, |server| {
            server.script(&script());
            server.bench("simple", SESSIONS, TRANSACTIONS, &BENCH);
            server.bench("prepared", SESSIONS, TRANSACTIONS, &BENCH);
        });
        let kinds = assert_equal("durations of their own", &phase);
        // A statement that fails is logged before it does.
        let mut counts = expected(1, 2);
        for (sql, calls, errors) in SCRIPT {
            counts.entry(value(sql)).and_modify(|counts| counts.0 = calls.max(errors));
        }
        assert_counts("durations of their own", &kinds, &counts);

        // Plans, alone and beside the statement itself.
        for (format, both) in [("text", false), ("json", true), ("yaml", false), ("xml", true)] {
            let mut settings = vec![
                "session_preload_libraries = auto_explain".to_owned(),
                "auto_explain.log_min_duration = 0".to_owned(),
                "auto_explain.log_analyze = on".to_owned(),
                format!("auto_explain.log_format = {format}"),
            ];
            if both {
                settings.push("log_min_duration_statement = 0".to_owned());
            }
            let settings: Vec<_> = settings.iter().map(String::as_str).collect();
            let phase = cluster.run(&settings, &[], socket, |server| {
                server.bench("simple", SESSIONS, TRANSACTIONS, &BENCH);
                server.bench("prepared", SESSIONS, TRANSACTIONS, &BENCH);
            });
            for file in ["log.json", "log.csv", "log.log"] {
                let kinds = digested(&phase.file(file));
                for sql in BENCH {
                    let kind = &kinds[&value(&sql.replace(":id", "1"))];
                    assert_eq!(kind.calls, 2 * SESSIONS * TRANSACTIONS, "{format}, {file}");
                    // A row of each SELECT.
                    let rows = if sql.starts_with("SELECT") { kind.calls } else { 0 };
                    assert_eq!(kind.rows, Some(rows), "{format}, {file}");
                    assert!(kind.time > 0, "{format}, {file}");
                }
            }
        }

        // Another language.
        let settings = ["log_min_duration_statement = 0", "lc_messages = 'C.UTF-8'"];
        for (language, word) in [("de", "Dauer: "), ("ru", "продолжительность: "), ("ja", "期間: ")]
        {
            let environment = [("LANGUAGE", language), ("LC_ALL", "C.UTF-8")];
            let phase = cluster.run(&settings, &environment, socket, |server| {
                server.script(&script());
                server.bench("prepared", SESSIONS, TRANSACTIONS, &BENCH);
            });
            let log = std::fs::read_to_string(phase.file("log.log")).unwrap();
            if !log.contains(word) {
                not_tested(&format!(
                    "digest of messages in {language}: the server has no translation"
                ));
                continue;
            }
            let files = ["log.json", "log.csv", "log.log"].map(|file| digested(&phase.file(file)));
            for kinds in &files {
                assert_counts(language, kinds, &expected(1, 1));
                assert_eq!(kinds, &files[0], "{language}");
            }
        }
    }
}
