//! Scripts that are split part by part have the statements of the whole.

use std::fmt::Write as _;

use pg_ast::{PartEnd, ScriptState, Version};

use crate::common::corpus;

/// Splits a script in parts of at least `size` bytes.
fn split(script: &str, size: usize) -> Vec<String> {
    let mut state = ScriptState::default();
    let mut stmts = Vec::new();
    let (mut start, mut wanted) = (0_usize, size);
    loop {
        let mut at = script.len().min(start.saturating_add(wanted));
        while !script.is_char_boundary(at) {
            at += 1;
        }
        let end = if at < script.len() { PartEnd::More } else { PartEnd::End };
        let part = Version::newest().split_part(&script[start..at], end, &mut state);
        stmts.extend(part.stmts.iter().map(|stmt| part.text[stmt.range.clone()].to_owned()));
        start += part.taken;
        wanted = if part.taken == 0 { 2 * wanted } else { size };
        if end == PartEnd::End {
            assert_eq!(start, script.len());
            return stmts;
        }
    }
}

fn whole(script: &str) -> Vec<String> {
    let stmts = Version::newest().parse_script(script);
    stmts.into_iter().map(|stmt| script[stmt.range].to_owned()).collect()
}

fn scripts() -> Vec<String> {
    let mut statements = corpus::own_statements();
    statements.extend(corpus::statements());
    // Commands of psql are blanks in what is split. What follows a COPY may be its data.
    statements.retain(|sql| {
        let lower = sql.to_lowercase();
        let copies = lower.contains("copy") && lower.contains("std");
        !copies && !sql.contains('\\') && !lower.contains("standard_conforming_strings")
    });
    statements.chunks(500).map(|statements| statements.join("\n;\n")).collect()
}

#[test]
fn parts_have_the_statements_of_the_whole() {
    let scripts = scripts();
    assert!(scripts.len() > 60, "{}", scripts.len());
    for script in scripts {
        let expected = whole(&script);
        assert_eq!(split(&script, usize::MAX / 2), expected);
        // The end of a wrong statement may depend on what follows it.
        let correct =
            Version::newest().parse_script(&script).iter().all(|stmt| stmt.result.is_ok());
        if correct {
            assert_eq!(split(&script, 2_000), expected);
        }
    }
}

#[test]
fn wrong_statements_end_at_the_same_places() {
    for script in scripts().iter().step_by(7) {
        // Of every tenth statement, a part is missing.
        let mut wrong = String::new();
        for (index, sql) in script.split("\n;\n").enumerate() {
            let missing = if index % 10 == 0 {
                sql.len() / 2..(sql.len() / 2 + 3).min(sql.len())
            } else {
                0..0
            };
            let kept = |range| sql.get(range).unwrap_or_default();
            let _ = writeln!(wrong, "{}{};", kept(0..missing.start), kept(missing.end..sql.len()));
        }
        assert_eq!(split(&wrong, usize::MAX / 2), whole(&wrong));
    }
}

#[test]
fn what_statements_do_holds_for_later_parts() {
    let script = "SET standard_conforming_strings = off;\nSELECT 'a\\';';\nRESET standard_conforming_strings;\n\
                  SELECT '\\';\nCOPY t FROM stdin; SELECT 1;\n;'\n\\.\nSELECT 2;\n\\copy t from stdin\n';\n\\.\n\
                  CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;\nSELECT 3 \\gset\nSELECT 4";
    let expected = [
        "SET standard_conforming_strings = off",
        "SELECT 'a\\';'",
        "RESET standard_conforming_strings",
        "SELECT '\\'",
        "COPY t FROM stdin",
        "SELECT 1",
        "SELECT 2",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END",
        "SELECT 3",
        "SELECT 4",
    ];
    assert_eq!(whole(script), expected);
    for size in 1..script.len() {
        assert_eq!(split(script, size), expected, "{size}");
    }
}

#[test]
fn what_is_too_long_is_skipped() {
    let mut state = ScriptState::default();
    let version = Version::newest();
    let part = version.split_part("SELECT 'a\n", PartEnd::TooLong, &mut state);
    assert_eq!((part.stmts.len(), part.taken, part.too_long), (0, 10, Some(0..10)));
    assert!(state.is_in_long_stmt());
    let part = version.split_part("b\n';\nSELECT 2;\n", PartEnd::End, &mut state);
    assert_eq!((part.too_long, state.is_in_long_stmt()), (Some(0..5), false));
    assert_eq!(
        part.stmts.iter().map(|stmt| &part.text[stmt.range.clone()]).collect::<Vec<_>>(),
        ["SELECT 2"]
    );
}

#[test]
fn data_without_an_end_is_the_rest_of_the_script() {
    let long = "1\t';\n".repeat(1_000);
    for script in [
        "SELECT 1;\nCOPY t FROM stdin;\n1\nSELECT 2;\n".to_owned(),
        "SELECT 1; COPY t FROM stdin; SELECT 2; -- a\n1\nSELECT 3;".to_owned(),
        format!("SELECT 1;\n\\copy t from stdin\n{long}"),
        format!("COPY t FROM stdin;\n1\n\\.\nCOPY t FROM stdin;\n{long}SELECT 1;\n"),
        "COPY t FROM stdin;".to_owned(),
        "COPY t FROM stdin;\n".to_owned(),
        "COPY t FROM stdin;\n;\n".to_owned(),
    ] {
        let expected = whole(&script);
        for size in (1..40).chain([1_000, usize::MAX / 2]) {
            assert_eq!(split(&script, size), expected, "{size}: {script:.100}");
        }
        let mut state = ScriptState::default();
        let part = Version::newest().split_part(&script, PartEnd::End, &mut state);
        assert!(state.is_in_data(), "{script:.100}");
        let data = part.data.map(|data| &script[data]).unwrap_or_default();
        assert!(script.ends_with(data) && !data.contains("COPY"), "{data:.100}");
        assert_eq!(data.is_empty(), script.trim_end() == "COPY t FROM stdin;", "{data:.100}");
    }
}

#[test]
fn the_data_of_a_wrong_copy_is_looked_for() {
    let script = format!("COPY :t FROM stdin;\n{}\\.\nSELECT 1;\n", "1\t';\n".repeat(1_000));
    for size in [1, 20, 1_000, usize::MAX / 2] {
        assert_eq!(split(&script, size), ["COPY :t FROM stdin", "SELECT 1"]);
    }
}

/// The first parser to see such a statement would accept it.
#[test]
fn a_missing_semicolon_is_an_error() {
    let script =
        "SELECT 1;\nSELECT 2 FROM t WHERE a = 1\nUPDATE t SET a = 2;\nSELEC 3;\nSELECT (4;";
    let mut state = ScriptState::default();
    let part = Version::newest().split_part(script, PartEnd::End, &mut state);
    let checked = Version::newest().parse_script(script);
    let found: Vec<_> = part
        .stmts
        .iter()
        .map(|stmt| {
            let sql = &part.text[stmt.range.clone()];
            let error = stmt.error.clone();
            (
                stmt.range.clone(),
                error.is_some(),
                error.or_else(|| pg_ast::parse(sql).err()).is_some(),
            )
        })
        .collect();
    let expected: Vec<_> = checked
        .iter()
        .enumerate()
        .map(|(index, stmt)| (stmt.range.clone(), index == 1, stmt.result.is_err()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(part.stmts[1].error.as_ref(), checked[1].result.as_ref().err());
}

/// Whatever a part consists of, the next one begins after it.
#[test]
fn what_is_too_long_is_taken() {
    for script in [
        "SELECT 'a",
        "SELECT 1; SELECT 'a",
        "/* a",
        "-- a\n-- b",
        "COPY t FROM stdin;",
        "COPY t FROM stdin; SELECT 'a",
        "COPY t FROM stdin; SELECT 'a\n1\n",
        "COPY t FROM stdin; SELECT 'a\n1\n\\.\nb",
        "COPY t FROM stdin; -- a\n1\n\\.\n",
        "COPY t FRM stdin;\n1\n",
        "COPY t FRM stdin; SELECT 'a\n1\n\\.\nb",
        "SELECT 1\n\\copy t from stdin\n1\n",
        "\\copy t from stdin\n1",
    ] {
        let mut state = ScriptState::default();
        let (mut rest, mut calls) = (script, 0);
        while !rest.is_empty() && calls < 5 {
            let part = Version::newest().split_part(rest, PartEnd::TooLong, &mut state);
            rest = &rest[part.taken..];
            calls += 1;
        }
        // Of a line, the end may be missing.
        assert!(!rest.contains(['\n', ';']), "{script:?}: {rest:?}");
    }
}
