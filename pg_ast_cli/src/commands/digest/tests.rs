//! Tests of all readers: what they understand, and that they account for every line.

use std::path::Path;
use std::sync::mpsc::sync_channel;

use super::account::{Account, Skipped};
use super::batch::{Batch, Batches, Calls, Form};
use super::*;

/// Reads a log of a format, and returns the calls in it.
fn read(format: LogFormat, log: &[u8]) -> (Vec<(String, Calls, Form)>, Account) {
    let (sender, receiver) = sync_channel(1_000);
    let mut batches = Batches::new(sender);
    let mut account = Account::default();
    "log".clone_into(&mut account.file);
    let format =
        if format == LogFormat::Auto { detect::format(Path::new("log"), log) } else { format };
    let mut reader = log;
    let filter = Filter::default();
    let mut log = Log::new(&mut account, &mut batches, &filter);
    let result = read_as(format, &mut reader, Version::newest(), &mut log);
    // Whatever is in it, it can be read.
    result.and_then(|()| log.finish()).unwrap();
    batches.send().unwrap();
    drop(batches);
    let batches: Vec<_> = receiver.into_iter().collect();
    let stmts = batches.iter().flat_map(Batch::stmts);
    let calls = stmts.filter(|stmt| stmt.calls.count > 0);
    (calls.map(|stmt| (stmt.sql.to_owned(), stmt.calls, stmt.form)).collect(), account)
}

/// Statements with their times, and reasons for lines that are not understood with their numbers.
type Found = (Vec<(String, f64)>, Vec<(Reason, u64)>);

/// Returns the statements of a log whose format is detected, with their times, and the reasons for lines that are not
/// understood with their numbers.
fn found(log: &str) -> Found {
    let (mut stmts, account) = read(LogFormat::Auto, log.as_bytes());
    stmts.sort_by(|a, b| a.0.cmp(&b.0));
    let lost = account.lost().map(|lost| (lost.kind, lost.lines));
    (stmts.into_iter().map(|(sql, calls, _)| (sql, calls.time)).collect(), lost.collect())
}

fn stmts(expected: &[(&str, f64)]) -> Found {
    (expected.iter().map(|(sql, time)| ((*sql).to_owned(), *time)).collect(), Vec::new())
}

const STDERR: &str = "\
2026-01-01 10:00:00.000 UTC [7] LOG:  statement: SELECT 1
\tFROM t
2026-01-01 10:00:00.000 UTC [8] LOG:  execute s1: SELECT $1
2026-01-01 10:00:00.000 UTC [8] DETAIL:  parameters: $1 = '1'
2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.250 ms
2026-01-01 10:00:00.000 UTC [8] LOG:  duration: 0.500 ms
2026-01-01 10:00:00.000 UTC [8] LOG:  duration: 0.125 ms
2026-01-01 10:00:00.000 UTC [7] ERROR:  relation \"t\" does not exist at character 9
2026-01-01 10:00:00.000 UTC [7] STATEMENT:  SELECT 1
\tFROM t
2026-01-01 10:00:00.000 UTC [9] LOG:  duration: 2.000 ms  statement: UPDATE t SET a = 'é'
";

const CSVLOG: &str = "\
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",7,\"[local]\",69a1b2c3.7,1,\"idle\",2026-01-01 10:00:00 UTC,3/2,0,LOG,00000,\"statement: SELECT \"\"a\"\"
, 1\",,,,,,,,,\"psql\",\"client backend\",,0
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",8,\"[local]\",69a1b2c3.8,1,\"idle\",2026-01-01 10:00:00 UTC,3/2,0,LOG,00000,\"disconnection\",,,,,,,,,\"psql\",\"client backend\",,0
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",7,\"[local]\",69a1b2c3.7,2,\"SELECT\",2026-01-01 10:00:00 UTC,3/2,0,LOG,00000,\"duration: 0.250 ms\",,,,,,,,,\"psql\",\"client backend\",,0
";

const JSONLOG: &str = r#"{"timestamp":"t","pid":7,"session_id":"69a1.7","error_severity":"LOG","message":"statement: SELECT \"a\"\n"}
{"timestamp":"t","pid":8,"session_id":"69a1.8","error_severity":"LOG","message":"disconnection"}
{"timestamp":"t","pid":7,"session_id":"69a1.7","error_severity":"LOG","message":"duration: 0.250 ms"}
"#;

const WRAPPED: &str = r#"{"log":"2026-01-01 [7] LOG:  statement: SELECT 1\n","stream":"stderr","time":"t"}
{"log":"\tFROM t\n","stream":"stderr","time":"t"}
{"textPayload":"2026-01-01 [8] LOG:  duration: 0.5 ms  statement: SELECT 2\n\tFROM t","resource":{"type":"x"}}
{"level":"info","logger":"postgres","msg":"record","record":{"process_id":"9","error_severity":"LOG","message":"duration: 0.25 ms  execute a: SELECT $1"}}
{"message":"2026-01-01 [7] LOG:  duration: 0.125 ms","log":{"file":{"path":"p"}},"tags":["a",1]}
{"time":"t","properties":{"message":"2026-01-01 [5] LOG:  statement: SELECT 4","errorLevel":"LOG"}}
{"log":"{\"error_severity\":\"LOG\",\"pid\":3,\"message\":\"statement: SELECT 3\"}\n"}
"#;

const KUBERNETES: &str = "\
2026-01-01T10:00:00.000000000Z stderr F 2026-01-01 [7] LOG:  statement: SELECT 1
2026-01-01T10:00:00.000000000Z stderr F \tFROM t
2026-01-01T10:00:00.000000000Z stdout P {\"error_severity\":\"LOG\",\"message\":
2026-01-01T10:00:00.000000000Z stdout F \"statement: SELECT 2\"}
";

const SYSLOG: &str = "\
Jan  1 10:00:00 host postgres[7]: [5-1] 2026-01-01 LOG:  statement: SELECT a,
Jan  1 10:00:00 host postgres[8]: [9-1] 2026-01-01 LOG:  duration: 0.500 ms  statement: SELECT 2
Jan  1 10:00:00 host postgres[7]: [5-2] #011   b
Jan  1 10:00:00 host postgres[7]: [5-3]  FROM t
Jan  1 10:00:00 host postgres[7]: [6-1] 2026-01-01 LOG:  duration: 0.250 ms
<134>1 2026-01-01T10:00:00Z host postgres 9 - - [2-1] LOG:  statement: SELECT 3#012#011FROM u
";

const PLANS: &str = "\
2026-01-01 [7] LOG:  duration: 0.125 ms  plan:
\tQuery Text: SELECT a
\t  FROM t;
\tSeq Scan on t  (cost=0.00..35.50 rows=2550 width=4)
\t  Filter: b
2026-01-01 [7] LOG:  duration: 0.250 ms  statement: SELECT a
\t  FROM t;
2026-01-01 [8] LOG:  duration: 0.500 ms  execute s: SELECT $1
2026-01-01 [8] LOG:  duration: 0.375 ms  plan:
\tQuery Text: SELECT $1
\tResult  (cost=0.00..0.01 rows=1 width=4)
2026-01-01 [8] LOG:  duration: 1.000 ms  plan:
\tQuery Text: SELECT $1
\tResult  (cost=0.00..0.01 rows=1 width=4)
";

const GERMAN: &str = "\
2026-01-01 10:00:00.000 CET [7] LOG:  Anweisung: SELECT 1
2026-01-01 10:00:00.000 CET [7] LOG:  Dauer: 1.200 ms
2026-01-01 10:00:00.000 CET [7] FEHLER:  Relation »t« existiert nicht bei Zeichen 9
2026-01-01 10:00:00.000 CET [7] ANWEISUNG:  SELECT 1
2026-01-01 10:00:00.000 CET [7] LOG:  Dauer: 1.500 ms  Ausführen <unnamed>: SELECT $1
";

const STATEMENTS: &str = "\u{feff}userid;query;calls;total_exec_time\r
10;SAVEPOINT $1;7;3,5\r
10;\"SELECT \"\"a\"\",
 $1\";2;0.5\r
10;<insufficient privilege>;5;1\r
";

const SCRIPT: &str = "\
SELECT 1;
COPY t FROM stdin;
1\t';
\\.
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;
\\connect d
SELECT $$;
$$;
";

const ALL: [(LogFormat, &str); 10] = [
    (LogFormat::Stderr, STDERR),
    (LogFormat::Csvlog, CSVLOG),
    (LogFormat::Jsonlog, JSONLOG),
    (LogFormat::Jsonlog, WRAPPED),
    (LogFormat::Stderr, KUBERNETES),
    (LogFormat::Syslog, SYSLOG),
    (LogFormat::Stderr, PLANS),
    (LogFormat::Stderr, GERMAN),
    (LogFormat::PgStatStatements, STATEMENTS),
    (LogFormat::Sql, SCRIPT),
];

#[test]
fn stderr_joins_statements_with_their_durations() {
    let expected = [("SELECT $1", 0.5), ("SELECT 1\nFROM t", 0.25), ("UPDATE t SET a = 'é'", 2.0)];
    assert_eq!(found(STDERR), stmts(&expected));
    let (_, account) = read(LogFormat::Auto, STDERR.as_bytes());
    assert_eq!((account.lines, account.understood, account.durations), (11, 11, 1));
    assert_eq!(found(GERMAN), stmts(&[("SELECT $1", 1.5), ("SELECT 1", 1.2)]));
}

#[test]
fn csv_and_json_have_a_message() {
    assert_eq!(found(CSVLOG), stmts(&[("SELECT \"a\"\n, 1", 0.25)]));
    assert_eq!(found(JSONLOG), stmts(&[("SELECT \"a\"", 0.25)]));
}

/// Exports, such as those of `COPY (..) TO .. (FORMAT csv, FORCE_QUOTE *)` of a table of logs.
#[test]
fn csv_may_have_quotes_around_each_column() {
    let plain = CSVLOG.replace("2026-01-01 10:00:00.000 UTC,", "\"2026-01-01 10:00:00.000 UTC\",");
    assert_eq!(found(&plain), found(CSVLOG));
    assert_eq!(found(&plain.replace(",7,", ",\"7\",").replace(",8,", ",\"8\",")), found(CSVLOG));
}

#[test]
fn wrapped_lines_are_unwrapped() {
    let expected = [
        ("SELECT $1", 0.25),
        ("SELECT 1\nFROM t", 0.125),
        ("SELECT 2\nFROM t", 0.5),
        ("SELECT 3", 0.0),
        ("SELECT 4", 0.0),
    ];
    assert_eq!(found(WRAPPED), stmts(&expected));
    assert_eq!(found(KUBERNETES), stmts(&[("SELECT 1\nFROM t", 0.0), ("SELECT 2", 0.0)]));
}

#[test]
fn syslog_has_messages_in_parts() {
    let expected = [("SELECT 2", 0.5), ("SELECT 3\nFROM u", 0.0), ("SELECT a,\n   b FROM t", 0.25)];
    assert_eq!(found(SYSLOG), stmts(&expected));
}

#[test]
fn plans_count_as_executions_once() {
    let expected = [("SELECT $1", 0.5), ("SELECT $1", 1.0), ("SELECT a\n  FROM t;", 0.25)];
    assert_eq!(found(PLANS), stmts(&expected));
}

#[test]
fn pg_stat_statements_counts_calls() {
    let (stmts, account) = read(LogFormat::Auto, STATEMENTS.as_bytes());
    let expected = [
        ("SAVEPOINT $1".to_owned(), Calls::many(7, Some(3.5), None, None), Form::Normalized),
        ("SELECT \"a\",\n $1".to_owned(), Calls::many(2, Some(0.5), None, None), Form::Normalized),
    ];
    assert_eq!(stmts, expected);
    assert_eq!((account.hidden, account.lines, account.understood), (5, 5, 5));
    let (stmts, _) =
        read(LogFormat::Auto, b"calls,\"query\"\n2,\"SELECT 1\"\ncalls,query\n3,SELECT 2\n");
    assert_eq!(stmts.len(), 2);
}

#[test]
fn scripts_are_split_as_elsewhere() {
    let (found, lost) = found(SCRIPT);
    let stmts: Vec<_> = Version::newest().parse_script(SCRIPT);
    assert_eq!(found.len(), stmts.len());
    assert!(
        stmts.iter().all(|stmt| found.iter().any(|(sql, _)| *sql == SCRIPT[stmt.range.clone()]))
    );
    assert_eq!(lost, []);
}

#[test]
fn what_is_not_understood_is_named() {
    let reasons = |log: &str| found(log).1;
    let garbage = "what is this\n\tand this\n2026-01-01 LOG:  statement: SELECT 1\ngarbage\n";
    assert_eq!(reasons(garbage), [(Reason::NoSeverity, 2), (Reason::NoBeginning, 1)]);
    let (_, account) = read(LogFormat::Stderr, garbage.as_bytes());
    let first = &account.lost().next().unwrap().first;
    assert_eq!((first.file.as_str(), first.line, first.text.as_str()), ("log", 1, "what is this"));

    assert_eq!(
        reasons("{\"a\":1}\n{oops\n{\"message\":\"statem"),
        [(Reason::Cut, 1), (Reason::NotJson, 1), (Reason::NoMessage, 1)]
    );
    // A record that is cut off does not take the next ones with it, and neither does the last one.
    let cut = format!("{CSVLOG}{}\n{CSVLOG}{}", &CSVLOG[..120], &CSVLOG[..120]);
    let (stmts, lost) = found(&cut);
    assert_eq!((stmts.len(), lost), (2, vec![(Reason::Cut, 2)]));
    assert_eq!(reasons(&format!("{STATEMENTS}10;\"SELECT 1\n")), [(Reason::Cut, 1)]);
    assert_eq!(
        reasons(&format!("{STATEMENTS}10;\"SELECT 1;7\n{}", &STATEMENTS[40..])),
        [(Reason::Columns, 1)]
    );
    assert_eq!(
        reasons(&format!("{SYSLOG}Jan 1 host kernel: x\nJan 1 h postgres[6]: [3-2] #011x\n")),
        [(Reason::NoBeginning, 1), (Reason::NoSyslogHeader, 1)]
    );
}

/// A statement over the limit costs itself alone, in every format.
#[test]
fn too_long_messages_are_skipped() {
    let long = "a".repeat(lines::MAX + 100);
    let json = format!(
        "{{\"error_severity\":\"LOG\",\"message\":\"statement: SELECT '{long}'\"}}\n{JSONLOG}"
    );
    let csv = CSVLOG.replacen("SELECT ", &format!("SELECT '{long}' "), 1) + CSVLOG;
    let stderr = format!("2026-01-01 [7] LOG:  statement: SELECT '{long}'\n{STDERR}");
    let half = "a".repeat(lines::MAX / 2);
    let parts = format!("2026-01-01 [7] LOG:  statement: SELECT '{half}\n\t{half}\n\ta'\n{STDERR}");
    for (log, kept, lines) in [(json, 1, 1), (csv, 1, 2), (stderr, 3, 1), (parts, 3, 3)] {
        let (stmts, account) = read(LogFormat::Auto, log.as_bytes());
        assert_eq!(stmts.len(), kept);
        let lost: Vec<_> = account.lost().map(|lost| (lost.kind, lost.lines)).collect();
        assert_eq!(lost[0].0, Reason::TooLong);
        assert_eq!(lost.iter().map(|lost| lost.1).sum::<u64>(), lines, "{lost:?}");
    }
}

/// Whatever happens to a log, it can be read, and each of its lines is understood or named.
fn assert_accounted(format: LogFormat, log: &[u8]) {
    let lines = log.split_inclusive(|&byte| byte == b'\n').count() as u64;
    for format in [format, LogFormat::Auto] {
        let (_, account) = read(format, log);
        let lost: u64 = account.lost().map(|lost| lost.lines).sum();
        let shown = String::from_utf8_lossy(log);
        assert_eq!(account.lines, lines, "{format:?}: {shown}");
        let skipped: u64 = account.skipped.values().sum();
        assert_eq!(account.understood + skipped + lost, lines, "{format:?}: {shown}");
        let first = account.lost().all(|lost| (1..=lines).contains(&lost.first.line));
        assert!(first, "{format:?}: {shown}");
    }
}

#[test]
fn every_line_is_accounted_for() {
    const GARBAGE: [&str; 9] = [
        "",
        "garbage",
        "\"",
        "{",
        "\ttab",
        "\u{0}\u{1}",
        "LOG:  x",
        "a;b;c",
        "{\"message\":{\"log\":[1,\"\"]}}",
    ];
    for (format, log) in ALL {
        assert_accounted(format, log.as_bytes());
        for cut in 0..log.len() {
            assert_accounted(format, &log.as_bytes()[..cut]);
            assert_accounted(format, &log.as_bytes()[cut..]);
        }
        let lines: Vec<_> = log.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let (before, behind) = (lines[..at].concat(), lines[at..].concat());
            let dropped = before.clone() + &lines[at + 1..].concat();
            let doubled = before.clone() + lines[at] + &behind;
            assert_accounted(format, dropped.as_bytes());
            assert_accounted(format, doubled.as_bytes());
            for garbage in GARBAGE {
                assert_accounted(format, format!("{before}{garbage}\n{behind}").as_bytes());
            }
            assert_accounted(
                format,
                &[before.as_bytes(), b"\xff\xfe\n", behind.as_bytes()].concat(),
            );
        }
        // All as one format, whatever they are.
        for (other, _) in ALL {
            assert_accounted(other, log.as_bytes());
        }
    }
}

/// Everything that a server may write of one statement, in all formats.
#[test]
fn errors_have_their_statements() {
    let stderr = "\
2026-01-01 10:00:00.000 UTC [7] u@d ERROR:  division by zero
2026-01-01 10:00:00.000 UTC [7] u@d CONTEXT:  PL/pgSQL function f() line 1
\tat more
2026-01-01 10:00:00.000 UTC [7] u@d STATEMENT:  SELECT 1
\t/ 0
2026-01-01 10:00:00.000 UTC [8] u@d FATAL:  terminating connection
2026-01-01 10:00:00.000 UTC [7] u@d WARNING:  there is no transaction in progress
2026-01-01 10:00:00.000 UTC [7] u@d STATEMENT:  COMMIT
";
    let syslog = "\
Jan  1 10:00:00 h postgres[7]: [9-1] 2026-01-01 10:00:00 [7-1] u@d ERROR:  division by zero
Jan  1 10:00:00 h postgres[7]: [9-2] 2026-01-01 10:00:00 [7-2] u@d STATEMENT:  SELECT 1
Jan  1 10:00:00 h postgres[7]: [9-3] #011/ 0
Jan  1 10:00:00 h postgres[8]: [3-1] 2026-01-01 10:00:00 [8-9] u@d FATAL:  terminating connection
<134>1 2026-01-01T10:00:00Z h postgres 9 - - [2-1] u@d WARNING:  a#012u@d STATEMENT:  COMMIT
";
    let csvlog = "\
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",7,\"[local]\",69a1b2c3.7,1,\"SELECT\",2026-01-01 10:00:00 UTC,3/2,0,ERROR,22012,\"division by zero\",,,,,,\"SELECT 1
/ 0\",,,\"psql\",\"client backend\",,0
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",8,\"[local]\",69a1b2c3.8,1,\"SELECT\",2026-01-01 10:00:00 UTC,3/2,0,ÖLÜMCÜL,57P01,\"terminating connection\",,,,,,,,,\"psql\",\"client backend\",,0
2026-01-01 10:00:00.000 UTC,\"u\",\"d\",8,\"[local]\",69a1b2c3.8,1,\"SELECT\",2026-01-01 10:00:00 UTC,3/2,0,WARNING,25P01,\"no transaction\",,,,,,\"COMMIT\",,,\"psql\",\"client backend\",,0
";
    let jsonlog = r#"{"timestamp":"2026-01-01 10:00:00.000 UTC","user":"u","dbname":"d","pid":7,"error_severity":"ERROR","state_code":"22012","message":"division by zero","statement":"SELECT 1\n/ 0"}
{"timestamp":"2026-01-01 10:00:00.000 UTC","user":"u","dbname":"d","pid":8,"error_severity":"ΜΟΙΡΑΙΟ","state_code":"57P01","message":"terminating connection"}
{"timestamp":"2026-01-01 10:00:00.000 UTC","user":"u","dbname":"d","pid":8,"error_severity":"WARNING","message":"no transaction","statement":"COMMIT"}
"#;
    for log in [stderr, syslog, csvlog, jsonlog] {
        let (sender, receiver) = sync_channel(1_000);
        let mut batches = Batches::new(sender);
        let mut account = Account::default();
        let filter = Filter::default();
        let format = detect::format(Path::new("stdin"), log.as_bytes());
        let mut reader = log.as_bytes();
        let mut log = Log::new(&mut account, &mut batches, &filter);
        read_as(format, &mut reader, Version::newest(), &mut log).unwrap();
        batches.send().unwrap();
        let tallies = std::mem::take(&mut batches.tallies);
        drop(batches);
        let sent: Vec<_> = receiver.into_iter().collect();
        let stmts: Vec<_> =
            sent.iter().flat_map(Batch::stmts).map(|stmt| (stmt.sql, stmt.calls)).collect();
        assert_eq!(stmts, [("SELECT 1\n/ 0", Calls::failed())], "{format:?}");
        assert_eq!((tallies.error_count, tallies.errors_without_stmt), (2, 1), "{format:?}");
        assert_eq!(tallies.errors["terminating connection"], 1, "{format:?}");
        assert_eq!(tallies.by(super::tallies::Group::Database)[0].0, "d", "{format:?}");
        assert_eq!(account.lost().count(), 0, "{format:?}");
    }
}

#[test]
fn no_statement_is_no_call() {
    let log = "2026-01-01 [7] LOG:  duration: 0.500 ms  statement: ;\n\
               2026-01-01 [7] LOG:  duration: 0.500 ms  execute <unnamed>: \n\
               2026-01-01 [7] LOG:  duration: 0.500 ms  statement: ;SELECT 1\n";
    assert_eq!(found(log), stmts(&[(";SELECT 1", 0.5)]));
    let (_, account) = read(LogFormat::Auto, log.as_bytes());
    assert_eq!((account.understood, account.skipped[&Skipped::Empty]), (1, 2));
}

/// Some programs join blanks, which is no reason to lose a statement.
#[test]
fn blanks_may_be_joined() {
    let log = "2026-01-01 10:00:00 UTC:10.0.0.1:u@d:[7]:LOG: duration: 0.500 ms statement: SELECT 1\n\
               2026-01-01 10:00:00 UTC:10.0.0.1:u@d:[7]:LOG: statement: SELECT 'LOG:  x'\n";
    let (stmts, lost) = found(log);
    assert_eq!(lost, []);
    assert_eq!(stmts, [("SELECT 'LOG:  x'".to_owned(), 0.0), ("SELECT 1".to_owned(), 0.5)]);
}

/// A detail does not become a part of the statement before it, whatever syslog makes of it.
#[test]
fn details_are_no_statements() {
    let log = "\
Jan  1 10:00:00 h postgres[7]: [9-1] u@d LOG:  duration: 0.500 ms  execute s: SELECT $1
Jan  1 10:00:00 h postgres[7]: [9-2] u@d DETAIL:  parameters: $1 = 'x'
Jan  1 10:00:00 h postgres[7]: [10-1] u@d LOG:  duration: 0.250 ms  statement: SELECT 2,
Jan  1 10:00:00 h postgres[7]: [10-2]  3
<134>1 2026-01-01T10:00:00Z h postgres 9 - - [2-1] u@d LOG:  execute s: SELECT#012#011 $1#012u@d DETAIL:  parameters: $1 = '2'
";
    assert_eq!(
        found(log),
        stmts(&[("SELECT\n $1", 0.0), ("SELECT $1", 0.5), ("SELECT 2, 3", 0.25)])
    );
}

/// Lines that cost the square of their length take minutes.
#[test]
fn hostile_lines_take_linear_time() {
    let start = std::time::Instant::now();
    for part in [
        "]: ",
        "[1]: ",
        ": ",
        ":  ",
        "=",
        "@",
        "user=",
        "2026-01-01 ",
        "LOG:  ",
        "{\"a\":",
        "\"",
        "#012",
        "''",
        "\t",
        "$1 ",
        "LOG: duration: 1 ms x ",
        "LOG: duration: 1 ms plan:{",
        "LOG: a: 1.000 ms b",
    ] {
        let line = part.repeat((1 << 18) / part.len());
        for log in [
            format!("{line}\n"),
            format!("{line}LOG:  statement: SELECT 1\n"),
            format!("2026-01-01 [7] LOG:  statement: {line}\n"),
            format!("2026-01-01 [7] LOG:  duration: 1.000 ms  plan:\n\tQuery Text: {line}\n"),
            format!("Jan  1 10:00:00 h postgres[7]: [1-1] ERROR:  {line}\n"),
            format!("{CSVLOG}{line}\n"),
            format!("{{\"message\":\"{line}\"}}\n"),
            format!("query;calls\n{line};1\n"),
        ] {
            assert_accounted(LogFormat::Auto, log.as_bytes());
        }
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Random logs of random lines and pieces of lines.
#[test]
fn mutated_logs_are_accounted_for() {
    // From Marsaglia's xorshift generator.
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from((state >> 16) % end.max(1) as u64).unwrap()
    };
    let lines: Vec<&[u8]> = ALL
        .iter()
        .flat_map(|(_, log)| log.as_bytes().split_inclusive(|byte| *byte == b'\n'))
        .collect();
    for _ in 0..4_000 {
        let mut log: Vec<u8> =
            (0..random(12)).flat_map(|_| lines[random(lines.len())].to_vec()).collect();
        for _ in 0..random(6) {
            let at = random(log.len() + 1);
            match random(4) {
                0 => log.truncate(at),
                1 => log.insert(at, [0, b'\n', b'"', b'\t', b'{', 0xff, b'\'', b';'][random(8)]),
                2 if at < log.len() => {
                    log.remove(at);
                }
                _ => {
                    let from = random(log.len() + 1).min(at);
                    let piece = log[from..at].to_vec();
                    log.splice(from..from, piece);
                }
            }
        }
        assert_accounted(ALL[random(ALL.len())].0, &log);
    }
}
