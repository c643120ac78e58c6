//! Scripts: the statements, their places, and what is wrong with some.

use pg_ast::ErrorKind;

use super::pg::{self, ScriptStmt, parse_script};
use crate::common::{corpus, without_locations};

fn texts<'a>(script: &'a str, stmts: &[ScriptStmt]) -> Vec<&'a str> {
    stmts.iter().map(|stmt| stmt.text(script)).collect()
}

#[test]
fn statements_are_what_psql_takes_for_them() {
    let script = r#"\set ON_ERROR_STOP on
-- a comment; with a semicolon
SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1; /* ; /* ; */ ; */ SELECT (1);
SELECT 2 \gset
BEGIN\; SELECT 3\; END;;
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;
create table "begin" (a int);
SELECT 4 -- the last one
"#;
    let stmts = parse_script(script);
    let expected = [
        r#"SELECT ';', E'\';', "a;b", $$;$$, $x$ ; $$ $x$, $1"#,
        "SELECT (1)",
        "SELECT 2",
        "BEGIN",
        "SELECT 3",
        "END",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END",
        "create table \"begin\" (a int)",
        "SELECT 4",
    ];
    assert_eq!(texts(script, &stmts), expected);
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{stmts:#?}");
}

#[test]
fn data_of_copy_is_passed_over() {
    let script = "COPY t FROM stdin;\n1;2'\n\\N\n\\.\nSELECT 1;\nCOPY t FROM 'file';\nSELECT 2;\n\
                  COPY t (a FROM stdin;\nSELECT 3;\nCOPY t TO stdout;\nCOPY t FROM stdin;\r\nx\r\n\\.\r\n\
                  SELECT 4;\nCOPY t FROM stdin;\nSELECT 5";
    let stmts = parse_script(script);
    let selects: Vec<_> =
        texts(script, &stmts).into_iter().filter(|text| text.starts_with("SELECT")).collect();
    assert_eq!(selects[..2], ["SELECT 1", "SELECT 2"]);
    // In parentheses that are not closed, a semicolon ends nothing.
    let rest = &script[script.find("COPY t (a").unwrap()..];
    let broken = stmts.iter().find(|stmt| stmt.result.is_err()).expect("an error");
    assert!(rest.starts_with(broken.text(script)));
    let script = &script[script.find("COPY t TO").unwrap()..];
    let stmts = parse_script(script);
    let expected =
        ["COPY t TO stdout", "COPY t FROM stdin", "SELECT 4", "COPY t FROM stdin", "SELECT 5"];
    assert_eq!(texts(script, &stmts), expected);
}

#[test]
fn an_error_is_its_statements_own() {
    let script =
        "SELECT 'é'; SELECT 'ü' FROM FROM; SELECT E'\\xff'; SELECT 3; SELECT 'no end; SELECT 4";
    let stmts = parse_script(script);
    let found: Vec<_> = stmts
        .iter()
        .map(|stmt| stmt.result.as_ref().map_err(|error| (error.kind(), error.cursor())).err())
        .collect();
    let second = script.find("FROM;").unwrap();
    assert_eq!(found[0], None);
    assert_eq!(found[1], Some((ErrorKind::Syntax, Some(second))));
    assert!(found[2].is_some());
    assert_eq!(found[3], None);
    assert_eq!(found[4], Some((ErrorKind::Syntax, Some(script.find("'no end").unwrap()))));
    assert_eq!(stmts[4].text(script), "SELECT 'no end; SELECT 4");
}

#[test]
fn settings_and_warnings() {
    let script = r"SET standard_conforming_strings TO off;
SELECT 'a\';b';
SET standard_conforming_strings = 'on';
SELECT 'a\'; SELECT 1";
    let stmts = parse_script(script);
    assert_eq!(stmts.len(), 5);
    assert!(stmts.iter().all(|stmt| stmt.result.is_ok()), "{stmts:#?}");
    let warning = &stmts[1].result.as_ref().unwrap().warnings[0];
    assert_eq!(warning.cursor, script.find(r"'a\';b'"));
    for text in ["", " ", "-- a", "/* ", "\\", "\\;", ";;", "\\.\n"] {
        assert_eq!(parse_script(text), [], "{text}");
    }
    // Characters of several bytes in every place.
    for text in ["é", "'é", "\"é", "E'\\é", "$é", "$é$é", "\\é", "--é", "/*é", "(é", "é$é;é"]
    {
        for stmt in parse_script(text) {
            assert!(!stmt.text(text).is_empty());
        }
    }
}

#[test]
fn trees_are_those_of_the_statements_alone() {
    let own = corpus::own_statements();
    let script = own.join(";\n");
    let stmts = parse_script(&script);
    let alone = |sql: &str| pg::parse(sql).map(|tree| without_locations(&tree.protobuf));
    for stmt in &stmts {
        let tree = stmt.result.as_ref().map(|tree| without_locations(&tree.protobuf));
        match (tree, alone(stmt.text(&script))) {
            (Ok(tree), Ok(alone)) => assert_eq!(tree, alone),
            (Err(error), Err(alone)) => {
                assert_eq!(error.message(), alone.message());
                let moved = alone.cursor().map(|cursor| cursor + stmt.range.start);
                assert_eq!(error.cursor(), moved);
            }
            (tree, alone) => panic!("{}: {tree:?} {alone:?}", stmt.text(&script)),
        }
    }
    assert!(stmts.len() >= own.len(), "{} of {}", stmts.len(), own.len());
    // Locations count in the whole script: the same as of the parser, where it takes all of it.
    let script = "SELECT a, 1 FROM t; UPDATE t SET b = $1 WHERE c IN (1, 2); SELECT count(*)";
    let whole = pg::parse(script).unwrap().into_protobuf().stmts;
    let parts = parse_script(script).into_iter().map(|stmt| stmt.result.unwrap());
    for (mut part, whole) in parts.zip(whole) {
        part.protobuf.stmts[0].stmt_len = whole.stmt_len;
        part.protobuf.stmts[0].stmt_location = whole.stmt_location;
        assert_eq!(part.protobuf.stmts[0], whole);
    }
}
