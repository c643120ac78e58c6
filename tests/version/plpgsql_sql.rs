//! Functions in SQL beside those in PL/pgSQL: their bodies and places, and the analysis of statements with bodies.

#![cfg(feature = "plpgsql")]

use pg_ast::{ErrorKind, ParserOptions};

use super::pg::plpgsql::{self, SqlFunction};
use super::pg::{NodeRef, ParseResult};
use super::pg_plpgsql;

fn functions(sql: &str) -> Vec<SqlFunction> {
    plpgsql::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error:#}")).sql_functions
}

fn body(sql: &str) -> ParseResult {
    let mut functions = functions(sql);
    assert_eq!(functions.len(), 1, "{sql}");
    functions.remove(0).body.unwrap_or_else(|error| panic!("{sql}: {error:#}"))
}

/// Returns the text at the places of the names of tables.
fn tables<'a>(sql: &'a str, body: &ParseResult) -> Vec<&'a str> {
    let places = body.nodes().filter_map(|node| match node {
        NodeRef::RangeVar(table) => usize::try_from(table.location).ok(),
        _ => None,
    });
    places.map(|at| &sql[at..at + 3]).collect()
}

#[test]
fn bodies_in_all_quotes_have_places_in_the_sql() {
    let header = "SELECT 1; CREATE FUNCTION s.f(a int) RETURNS int LANGUAGE sql AS";
    for literal in [
        "$$ TABLE t_1; DELETE FROM t_2; $$",
        "$x$TABLE t_1; DELETE FROM t_2$x$",
        "'TABLE t_1; DELETE FROM t_2'",
        "'SELECT ''a'', 1 FROM t_1; DELETE FROM t_2 WHERE b = '''''",
        "'TABLE ' -- comment '\n 't_1; DELETE ' \n 'FROM t_2'",
        "/* 'comment' */ E'SELECT \\'a\\' FROM t_1;\\n\\tDELETE FROM\\u0020t_2'",
        "U&'SELECT ''\\00e9'' FROM\\0020t_1;DELETE FROM t_2'",
        "U&'SELECT ''!00e9\\!!'' FROM!0020t_1;DELETE FROM t_2' /* ' */ UESCAPE '!'",
    ] {
        let sql = format!("{header} {literal}; SELECT 2");
        let body = body(&sql);
        assert_eq!(tables(&sql, &body), ["t_1", "t_2"], "{sql}");
        let stmts = &body.protobuf.stmts;
        assert_eq!(stmts.len(), 2, "{sql}");
        let of = |index: usize| {
            let start = usize::try_from(stmts[index].stmt_location).unwrap();
            &sql[start..start + usize::try_from(stmts[index].stmt_len).unwrap()]
        };
        assert!(of(0).trim().ends_with("t_1"), "{}", of(0));
        assert!(of(1).contains("DELETE") && of(1).contains("t_2"), "{}", of(1));
    }
}

#[test]
fn wrong_bodies_have_errors_of_their_own() {
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT ''a'' FROM FROM';
        CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE FUNCTION h() RETURNS int LANGUAGE c AS 'h';
        CREATE FUNCTION i() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'";
    let parsed = plpgsql::parse(sql).unwrap();
    assert_eq!(parsed.functions.len(), 1);
    let [wrong, right] = &parsed.sql_functions[..] else { panic!("{parsed:?}") };
    let error = wrong.body.as_ref().unwrap_err();
    assert_eq!(error.message(), "syntax error at or near \"FROM\"");
    assert_eq!(error.cursor(), sql.find("FROM';"));
    assert_eq!((right.name.as_str(), right.is_procedure), ("g", false));
    assert!(sql[right.range.clone()].starts_with("CREATE FUNCTION g"));
    assert!(sql[right.range.clone()].ends_with("'SELECT 1'"));
}

#[test]
fn atomic_bodies() {
    let sql = "CREATE PROCEDURE s.p() BEGIN ATOMIC INSERT INTO t_1 VALUES (1); TABLE t_2; END;
        CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql RETURN a + (SELECT max(b) FROM t_3)";
    let functions = functions(sql);
    let [procedure, function] = &functions[..] else { panic!("{functions:?}") };
    assert_eq!((procedure.name.as_str(), procedure.is_procedure), ("s.p", true));
    let body = procedure.body.as_ref().unwrap();
    assert_eq!(body.stmts().map(NodeRef::name).collect::<Vec<_>>(), ["InsertStmt", "SelectStmt"]);
    assert_eq!(tables(sql, body), ["t_1", "t_2"]);
    let body = function.body.as_ref().unwrap();
    assert_eq!(body.stmts().map(NodeRef::name).collect::<Vec<_>>(), ["ReturnStmt"]);
    assert_eq!(tables(sql, body), ["t_3"]);
    assert_eq!(body.tables(), ["t_3"]);
}

#[test]
fn limits() {
    let sql = format!(
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql RETURN {}; DO 'BEGIN NULL; END'",
        "1 + ".repeat(100) + "1"
    );
    let parsed = plpgsql::parse_with(&sql, ParserOptions::default().max_depth(50)).unwrap();
    let error = parsed.sql_functions[0].body.as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
    assert!(parsed.functions[0].function.is_ok());
}

#[test]
fn analysis_with_bodies() {
    let sql = "CREATE TABLE t_0 (a int);
        CREATE FUNCTION f(v int) RETURNS int LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE t_1 AS x SET a = g(1) WHERE x.b = v;
            EXECUTE format('DELETE FROM t_2 WHERE c = %L', v);
            EXECUTE v;
            RETURN 1;
        END $$;
        CREATE FUNCTION h() RETURNS int LANGUAGE sql AS 'SELECT i() FROM t_3 WHERE d = 1';
        CREATE FUNCTION j() RETURNS int BEGIN ATOMIC SELECT 1 FROM t_4; END;
        DO 'BEGIN TRUNCATE t_5; END';
        DO LANGUAGE plperl '..';
        CREATE FUNCTION k() RETURNS int LANGUAGE sql AS 'SELECT FROM FROM';
        CREATE FUNCTION l() RETURNS int LANGUAGE plpgsql AS 'BEGIN'";
    let tree = super::pg::parse(sql).unwrap();
    assert_eq!(tree.tables(), ["t_0", "t_4"]);
    let found = pg_plpgsql::analyze_with_bodies(&tree);
    let tables: Vec<_> =
        found.analysis.tables.iter().map(|table| table.name.name.as_str()).collect();
    assert_eq!(tables, ["t_0", "t_4", "t_1", "t_2", "t_3", "t_5"]);
    let functions: Vec<_> =
        found.analysis.functions.iter().map(|function| function.name.name.as_str()).collect();
    assert_eq!(functions, ["f", "h", "j", "k", "l", "g", "format", "i"]);
    let columns: Vec<_> =
        found.analysis.filter_columns.iter().map(|column| column.column.as_str()).collect();
    assert_eq!(columns, ["b", "c", "d"]);
    assert_eq!(found.analysis.aliases["x"], "t_1");
    assert_eq!((found.errors.len(), found.unread, found.other_languages), (2, 1, 1));
}
