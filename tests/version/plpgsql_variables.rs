//! Where PL/pgSQL's variables are used: names are looked up as a server does it.

#![cfg(feature = "plpgsql")]

use super::pg::plpgsql::{self, Function};
use super::pg_plpgsql;
use super::{MAJOR, NAME};

fn function(sql: &str) -> Function {
    let parsed = plpgsql::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error:#}"));
    let function = parsed.functions.into_iter().next().expect("a function");
    function.function.unwrap_or_else(|error| panic!("{sql}: {error:#}"))
}

/// The reads of variables: after each name, the texts from its places on; a `?` is before those that may be another's.
fn reads(sql: &str) -> Vec<String> {
    let function = function(sql);
    let mut reads = Vec::new();
    for uses in pg_plpgsql::variables(&function) {
        let declared = uses.declared.clone().map_or("", |range| &sql[range]);
        for it in &uses.reads {
            let name = sql[it.location..].split([' ', ';', ')', ',']).next().unwrap_or_default();
            let doubt = if it.is_certain { "" } else { "?" };
            reads.push(format!("{doubt}{name}: {declared}"));
        }
    }
    reads.sort();
    reads
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let sql = format!(
        "CREATE FUNCTION f(p int, anyelement) RETURNS anyelement LANGUAGE plpgsql AS $f$ {body} $f$"
    );
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(reads(&sql), expected, "{NAME}: {body}");
}

/// A scalar is not before a dot: the name is that of a label there, or of a table.
#[test]
fn before_a_dot_is_a_record_or_a_label() {
    check("DECLARE t int; BEGIN PERFORM t.a FROM t; END", &[]);
    check("DECLARE t record; BEGIN PERFORM t.a FROM t; END", &["?t.a: t record;"]);
    check("DECLARE t int; BEGIN PERFORM t.* FROM t; END", &[]);
    check("DECLARE r record; BEGIN PERFORM r.*; END", &["r.*: r record;"]);
    check(
        "<<p>> DECLARE x int; BEGIN DECLARE p int; x text; BEGIN PERFORM p.x; END; END",
        &["p.x: x int;"],
    );
    check(
        "<<b>> DECLARE r record; BEGIN PERFORM b.r.x, b.r.*, b.r; END",
        &["b.r.x: r record;", "b.r.*: r record;", "b.r: r record;"],
    );
    check("<<b>> DECLARE x int; BEGIN PERFORM b.x.y, b.*, b.x.y.z; END", &[]);
    check(
        "<<b>> DECLARE x int; BEGIN <<b>> DECLARE y int; BEGIN PERFORM b.x, b.y; END; END",
        &["b.x: x int;", "b.y: y int;"],
    );
    check(
        "<<o>> DECLARE r record; BEGIN <<r>> DECLARE f int; BEGIN PERFORM r.f, r.g; END; END",
        &["r.f: f int;", "r.g: r record;"],
    );
}

/// The parameters of a cursor, of a function, and PL/pgSQL's own variables have labels, too.
#[test]
fn labels_that_are_implicit() {
    check("DECLARE c CURSOR (a int) FOR SELECT c.a, a; BEGIN END", &["c.a: a int", "a: a int"]);
    check(
        "BEGIN PERFORM f.p, f.found, $1, $2, $0; RETURN $0; END",
        &["f.p: p int", "f.found: ", "$1: p int", "$2: anyelement", "$0: ", "RETURN: "],
    );
    check(
        "<<b>> BEGIN NULL; EXCEPTION WHEN OTHERS THEN PERFORM b.sqlerrm, sqlstate; END",
        &["b.sqlerrm: ", "sqlstate: "],
    );
    check("<<b>> BEGIN PERFORM sqlerrm, b.sqlstate; EXCEPTION WHEN OTHERS THEN NULL; END", &[]);
    let sql = "DO $$ BEGIN PERFORM inline_code_block.found; END $$";
    assert_eq!(reads(sql), ["inline_code_block.found: "]);
    let sql = "CREATE FUNCTION s.\"a.b\"(x int) RETURNS void LANGUAGE plpgsql AS
        $$ BEGIN PERFORM \"a.b\".x, b.x; END $$";
    assert_eq!(reads(sql), ["\"a.b\".x: x int"]);
}

/// A name may be that of a column of a result, or of a function in `FROM`.
#[test]
fn names_that_may_be_columns() {
    check("DECLARE x int; BEGIN PERFORM x ORDER BY x; END", &["?x: x int;", "?x: x int;"]);
    check("DECLARE x int; BEGIN PERFORM 1 AS x GROUP BY x; END", &["?x: x int;"]);
    check("DECLARE x int; BEGIN PERFORM x FROM g() x; END", &["?x: x int;"]);
    check("DECLARE x int; BEGIN PERFORM x FROM (SELECT 1) t; END", &["?x: x int;"]);
    check("DECLARE x int; BEGIN x := (WITH t AS (SELECT 1) SELECT x); END", &["x: x int;"]);
    if MAJOR >= 17 {
        let columns = "COLUMNS (x int PATH '$'))";
        check(
            &format!("DECLARE x int; BEGIN PERFORM x FROM JSON_TABLE('1', '$' {columns}; END"),
            &["?x: x int;"],
        );
    }
}

/// PostgreSQL does not analyze other statements, so that they cannot use variables.
#[test]
fn statements_without_variables() {
    check("DECLARE value int; BEGIN CREATE DOMAIN d AS int CHECK (value > 0); END", &[]);
    check("DECLARE x int; BEGIN PREPARE s AS SELECT x; END", &[]);
    for stmt in ["EXPLAIN SELECT x;", "CALL p(x);"] {
        check(&format!("DECLARE x int; BEGIN {stmt} END"), &["x: x int;"]);
    }
    check("DECLARE x int; BEGIN CREATE TABLE t AS SELECT x; END", &["?x: x int;"]);
}

/// `WITH` is before what a node has first.
#[test]
fn uses_are_in_the_order_of_the_text() {
    let sql = "DO $$ DECLARE x int; BEGIN
        PERFORM (WITH a AS (SELECT x + 1) SELECT x + 2 FROM a WHERE x + 3 > (SELECT x + 4));
    END $$";
    let function = function(sql);
    let variables = pg_plpgsql::variables(&function);
    let x = variables.iter().find(|it| it.name == "x").expect("x");
    let texts: Vec<_> = x.reads.iter().map(|it| &sql[it.location..it.location + 5]).collect();
    assert_eq!(texts, ["x + 1", "x + 2", "x + 3", "x + 4"]);
}
