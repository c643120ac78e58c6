//! Where names are looked up, and scripts of extensions.

use pg_ast_lint::{Applicability, Rule};

use crate::{becomes, by, finds, has_no_fix, passes};

/// A function in SQL with some words.
fn function(words: &str) -> String {
    format!("CREATE FUNCTION f() RETURNS int LANGUAGE sql {words} AS 'SELECT 1'")
}

#[test]
fn functions_with_the_rights_of_their_owners() {
    let rule = Rule::SecurityDefinerPath;
    finds(rule, &function("SECURITY DEFINER"), &["SECURITY DEFINER"]);
    finds(rule, &function("SECURITY DEFINER SET work_mem = '1MB'"), &["SECURITY DEFINER"]);
    passes(rule, &function("SECURITY DEFINER SET search_path = public"));
    passes(rule, &function("SECURITY DEFINER SET search_path FROM CURRENT"));
    passes(rule, &function("SECURITY INVOKER"));
    // Another statement sets it, or nothing is looked up when it runs.
    let later =
        function("SECURITY DEFINER") + "; ALTER FUNCTION f() SET search_path = pg_catalog, pg_temp";
    passes(rule, &later);
    passes(rule, "CREATE FUNCTION f() RETURNS int SECURITY DEFINER RETURN 1");
    passes(rule, "CREATE FUNCTION f() RETURNS int LANGUAGE c SECURITY DEFINER AS 'a', 'b'");

    let rule = Rule::UnsafeSearchPath;
    for path in
        ["public", "pg_catalog, public", "\"$user\", pg_temp", "public, pg_temp", "s", "pg_temp, s"]
    {
        let words = format!("SET search_path = {path}");
        finds(rule, &function(&format!("SECURITY DEFINER {words}")), &[&words]);
        passes(rule, &function(&words));
    }
    for path in ["''", "s, pg_temp", "pg_catalog, pg_temp", "pg_temp"] {
        passes(rule, &function(&format!("SECURITY DEFINER SET search_path = {path}")));
    }

    let rule = Rule::FunctionSearchPath;
    let first_line = "CREATE FUNCTION f() RETURNS int LANGUAGE sql  AS 'SELECT 1'";
    finds(rule, &function(""), &[first_line]);
    passes(rule, &function("SET search_path = s, pg_temp"));
    passes(rule, &function("SECURITY DEFINER"));
}

#[test]
fn paths_in_quotes() {
    let rule = Rule::QuotedSearchPath;
    becomes(
        rule,
        "SET search_path = 'a, \"$user\",$user , pg_temp'",
        "SET search_path = a, \"$user\", \"$user\", pg_temp",
    );
    let found = by(rule, "SET search_path = 'a, b'");
    assert_eq!(found[0].fix.as_ref().unwrap().applicability, Applicability::Unsafe);
    becomes(rule, &function("SET search_path TO 'a, b'"), &function("SET search_path TO a, b"));
    has_no_fix(rule, "SET search_path = 'A, b c'");
    has_no_fix(rule, "ALTER ROLE r SET search_path = \"a, b\"");
    passes(rule, "SET search_path = 'a', 'b'; SELECT set_config('search_path', 'a, b', false)");
    passes(rule, "SET DateStyle = 'ISO, DMY'");
}

#[test]
fn names_without_schemas() {
    let [function_rule, operator, name, case] = [
        Rule::UnqualifiedFunction,
        Rule::UnqualifiedOperator,
        Rule::UnqualifiedName,
        Rule::UnqualifiedCase,
    ];
    let sql = "SELECT f(a + 1), s.g(), b::t, CASE a WHEN 1 THEN 2 END FROM u, s.v";
    finds(function_rule, sql, &["f(a + 1)"]);
    finds(operator, sql, &["a + 1"]);
    finds(name, sql, &["t", "u"]);
    let aggregate = "CREATE AGGREGATE a(int) (SFUNC = s.f, STYPE = int)";
    finds(name, aggregate, &[aggregate]);
    finds(case, sql, &["CASE a WHEN 1 THEN 2 END"]);
    finds(operator, "SELECT a OPERATOR(pg_catalog.+) 1, b IN (1)", &["b IN (1)"]);
    // PostgreSQL's own words name no function and no type, and a part of WITH has no schema.
    passes(function_rule, "SELECT extract(day FROM a), trim(b), coalesce(c, 1), current_date");
    passes(name, "WITH w AS (SELECT 1) SELECT a::int, b::timestamp(3) with time zone FROM w");
    for safe in
        ["SET search_path = pg_catalog, pg_temp", "SELECT set_config('search_path', '', false)"]
    {
        for rule in [function_rule, operator, name, case] {
            passes(rule, &format!("SET search_path = s, pg_temp; {safe}; {sql}"));
            let reset = format!("{safe}; RESET search_path; {sql}");
            assert!(!by(rule, &reset).is_empty(), "{rule}");
        }
    }
    // The path of a function is its own.
    let body = |path: &str| {
        format!(
            "SET search_path = ''; CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql {path} AS $$ BEGIN DELETE FROM t; END $$"
        )
    };
    finds(name, &body(""), &["t"]);
    passes(name, &body("SET search_path = s, pg_temp"));
    finds(name, &body("SET search_path = public"), &["t"]);
    passes(name, "SET search_path = s, pg_temp; DO $$ BEGIN DELETE FROM t; END $$");
}

#[test]
fn extensions() {
    let guard = "\\echo Use \"CREATE EXTENSION e\" to load this file. \\quit\n";
    let extension = |sql: &str| format!("{guard}{sql}");
    let rule = Rule::ExtensionOrReplace;
    for sql in [
        "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE VIEW v AS SELECT 1",
        "CREATE OR REPLACE AGGREGATE a(int) (SFUNC = f, STYPE = int)",
    ] {
        finds(rule, &extension(sql), &[sql]);
        passes(rule, sql);
        let plain = sql.replacen("OR REPLACE ", "", 1);
        passes(rule, &extension(&plain));
        passes(rule, &extension(&format!("{plain}; {sql}")));
    }
    passes(rule, &extension("CREATE SCHEMA s; CREATE OR REPLACE VIEW s.v AS SELECT 1"));
    let function =
        "CREATE OR REPLACE FUNCTION @extschema@.f() RETURNS int LANGUAGE sql AS 'SELECT 1'";
    finds(rule, function, &[function]);
    // As editors of Windows save it, and psql reads it.
    let view = "CREATE OR REPLACE VIEW v AS SELECT 1";
    finds(rule, &format!("\u{feff}{}", extension(view)), &[view]);
    finds(rule, &format!("  {}", extension(view)), &[view]);

    let rule = Rule::ExtensionIfNotExists;
    for sql in [
        "CREATE TABLE IF NOT EXISTS t ()",
        "CREATE SEQUENCE IF NOT EXISTS q",
        "CREATE SCHEMA IF NOT EXISTS s",
        "CREATE INDEX IF NOT EXISTS i ON t (a)",
        "CREATE TABLE IF NOT EXISTS t AS SELECT 1",
        "CREATE SERVER IF NOT EXISTS s FOREIGN DATA WRAPPER w",
    ] {
        finds(rule, &extension(sql), &[sql]);
        passes(rule, sql);
        passes(rule, &extension(&sql.replacen("IF NOT EXISTS ", "", 1)));
    }
    passes(rule, &extension("CREATE SCHEMA s; CREATE TABLE IF NOT EXISTS s.t ()"));
    // The opposite advice is not given.
    passes(Rule::PreferIfExists, &extension("CREATE TABLE t ()"));
    // What CREATE EXTENSION puts in is no error.
    passes_as_extension(
        "ALTER EXTENSION e ADD TABLE @extschema@.t; GRANT ALL ON @extschema:x@.t TO @extowner@",
    );
}

#[track_caller]
fn passes_as_extension(script: &str) {
    finds(Rule::SyntaxError, script, &[]);
}
