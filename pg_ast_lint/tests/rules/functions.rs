//! Functions in PL/pgSQL.

use pg_ast_lint::{Applicability, Rule, lint};

use crate::{by, every_rule, finds, passes};

/// A function that returns `int`.
fn function(params: &str, body: &str) -> String {
    format!("CREATE FUNCTION f({params}) RETURNS int LANGUAGE plpgsql AS $$ {body} $$")
}

#[test]
fn variables_without_use() {
    let rule = Rule::UnusedVariable;
    let body = "DECLARE a int; \"B c\" CONSTANT text := 'x'; d CURSOR FOR SELECT 1; e int := 1;
        BEGIN RETURN e; END";
    finds(rule, &function("", body), &["a", "\"B c\"", "d"]);
    // FOR has a variable of its own.
    finds(
        rule,
        "DO $$ DECLARE i int; BEGIN FOR i IN 1 .. 2 LOOP PERFORM i; END LOOP; END $$",
        &["i"],
    );
    let assigned = "DO $$ DECLARE a int; r record; BEGIN a := 1; a := 2; r := NULL; END $$";
    finds(rule, assigned, &["a", "r"]);
    assert!(by(rule, assigned)[0].message.contains("assigned, but never read"));
    for body in [
        // It may be a column.
        "DECLARE a int; BEGIN RETURN (SELECT b FROM t WHERE a = 1); END",
        "DECLARE a int; BEGIN RETURN f.a; END",
        "DECLARE a int; b a%TYPE; C text; d \"c\"%TYPE; BEGIN b := d; RETURN b; END",
        "DECLARE a int; b ALIAS FOR a; BEGIN RETURN b; END",
        "DECLARE a int; BEGIN RAISE NOTICE 'x' USING DETAIL = a; RETURN 1; END",
        "DECLARE a int; c CURSOR (b int) FOR SELECT a + b; BEGIN OPEN c(1); RETURN 1; END",
        "DECLARE a int; BEGIN EXECUTE 'SELECT $1' USING a; RETURN 1; END",
        "DECLARE a int; BEGIN CALL p(a); RETURN 1; END",
        "DECLARE a int[]; i int := 1; BEGIN a[i] := 1; RETURN a[1]; END",
        "DECLARE r t; BEGIN r.a := 1; INSERT INTO u VALUES (r.*); RETURN 1; END",
        "DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1; CLOSE c; RETURN 1; END",
        // Rows that are only counted, and results that have to go somewhere.
        "DECLARE r record; n int := 0; BEGIN FOR r IN SELECT 1 LOOP n := n + 1; END LOOP; RETURN n; END",
        "DECLARE a int; BEGIN SELECT 1 INTO a FROM t; RETURN FOUND::int; END",
        "DECLARE a int; BEGIN GET DIAGNOSTICS a = ROW_COUNT; RETURN 1; END",
        "DECLARE a int; BEGIN a := g(); RETURN 1; END",
        // The assignment is a check.
        "DECLARE a int; BEGIN a := x::int; RETURN 1; EXCEPTION WHEN others THEN RETURN 2; END",
        "DECLARE a my_domain; BEGIN a := 1; RETURN 1; END",
    ] {
        let script = function("x text", body);
        finds(rule, &script.replace("f.a", "a"), &[]);
    }
}

#[test]
fn parameters_without_use() {
    let rule = Rule::UnusedParameter;
    let body = "BEGIN b := 1; PERFORM 1; RETURN c; END";
    finds(rule, &function("a int, b int, c int, int", body), &["a int", "b int"]);
    finds(rule, &function("a int = 1", "BEGIN PERFORM 1; RETURN 2; END"), &["a int = 1"]);
    for (params, body) in [
        ("a int, b int", "BEGIN PERFORM $2; RETURN a; END"),
        ("a int", "BEGIN PERFORM 1; RETURN f.a; END"),
        ("a int", "DECLARE b ALIAS FOR $1; BEGIN PERFORM 1; RETURN b; END"),
        ("a int", "BEGIN PERFORM 1; RETURN (SELECT x FROM t WHERE a); END"),
        ("a int, b text", "DECLARE c b%TYPE; BEGIN c := g(a); RETURN length(c); END"),
        // Those are for others, or say so.
        ("a int, INOUT b int", "BEGIN PERFORM a; END"),
        ("a int, b anyelement", "BEGIN PERFORM 1; RETURN a; END"),
        ("a int, unused int, _unused_b int", "BEGIN PERFORM 1; RETURN a; END"),
        // It does nothing yet, or has to have them.
        ("a int", "BEGIN RAISE EXCEPTION 'not yet'; END"),
        ("a int", "BEGIN RETURN NULL; END"),
        ("a int, b int", "BEGIN PERFORM 1; RETURN 1; END"),
        ("a int, b int, VARIADIC c int[]", "BEGIN PERFORM 1; RETURN a; END"),
    ] {
        let script = function(params, body);
        finds(
            rule,
            &if params.contains("INOUT") { script.replace("RETURNS int", "") } else { script },
            &[],
        );
    }
    passes(rule, "DO $$ BEGIN PERFORM 1; END $$");
    passes(
        rule,
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN NULL; END $$",
    );
}

#[test]
fn variables_without_value() {
    let rule = Rule::UnassignedVariable;
    finds(rule, &function("", "DECLARE a int; b int; BEGIN b := a; RETURN b; END"), &["a"]);
    finds(rule, &function("", "DECLARE r record; BEGIN RETURN r.a; END"), &["r"]);
    for body in [
        "DECLARE a int := NULL; BEGIN RETURN a; END",
        "DECLARE a int; BEGIN SELECT 1 INTO a; RETURN a; END",
        "DECLARE a int; BEGIN EXECUTE 'x' INTO STRICT a; RETURN a; END",
        "DECLARE a int; BEGIN INSERT INTO t VALUES (1) RETURNING b INTO a; RETURN a; END",
        "DECLARE a int; BEGIN GET DIAGNOSTICS a = ROW_COUNT; RETURN a; END",
        "DECLARE a int; BEGIN FOR a IN SELECT 1 LOOP PERFORM a; END LOOP; RETURN a; END",
        "DECLARE a int; BEGIN FOREACH a IN ARRAY x LOOP PERFORM a; END LOOP; RETURN a; END",
        "DECLARE c refcursor; a int; BEGIN OPEN c FOR SELECT 1; FETCH c INTO a; RETURN a; END",
        "DECLARE c CURSOR FOR SELECT 1; BEGIN OPEN c; CLOSE c; RETURN 1; END",
        "DECLARE r t%ROWTYPE; BEGIN r.a := 1; RETURN r.a; END",
        "DECLARE a int[]; BEGIN a[1] := 1; RETURN a[1]; END",
        "DECLARE a int; b ALIAS FOR a; BEGIN b := 1; RETURN a; END",
        "DECLARE a int; BEGIN CALL p(1, a); RETURN a; END",
        // It may be a column.
        "DECLARE a int; BEGIN RETURN (SELECT a FROM t); END",
        "BEGIN RETURN FOUND::int; END",
        "BEGIN FOR i IN 1 .. 2 LOOP RETURN i; END LOOP; RETURN 1; END",
    ] {
        passes(rule, &function("x int[]", body));
    }
}

#[test]
fn results_without_value() {
    let rule = Rule::UnsetOutParameter;
    let out = |params: &str, rest: &str| {
        format!("CREATE FUNCTION f({params}) {rest} LANGUAGE plpgsql AS")
    };
    let of =
        |body: &str| out("a int, OUT b int, OUT c int, INOUT d int", "") + " $$ " + body + " $$";
    finds(rule, &of("BEGIN b := a; END"), &["OUT c int"]);
    passes(rule, &of("BEGIN SELECT 1, 2 INTO b, c; END"));
    passes(rule, &of("BEGIN CALL p(b, c); END"));
    passes(rule, &of("BEGIN RAISE EXCEPTION 'not yet'; END"));
    let table = |body: &str| out("", "RETURNS TABLE (a int, b int)") + " $$ " + body + " $$";
    finds(rule, &table("BEGIN a := 1; RETURN NEXT; END"), &["b int"]);
    passes(rule, &table("BEGIN RETURN QUERY SELECT 1, 2; END"));
    passes(rule, &table("BEGIN a := 1; RETURN NEXT; RETURN QUERY SELECT 1, 2; END"));
    passes(rule, "CREATE PROCEDURE f(OUT a int) LANGUAGE plpgsql AS $$ BEGIN f.a := 1; END $$");
}

#[test]
fn names_that_hide_others() {
    let rule = Rule::ShadowedName;
    let script = function(
        "a int",
        "DECLARE a int; BEGIN DECLARE b int; found bool; BEGIN RETURN a; END; END",
    );
    finds(rule, &script, &["a", "found"]);
    let found = by(rule, &script);
    assert_eq!(found[0].message, "the variable hides a parameter of the same name");
    assert_eq!(found[0].range.start, script.find("a int; BEGIN").unwrap());
    let nested = "DECLARE b int; BEGIN DECLARE \"b\" int; BEGIN NULL; END; DECLARE c int; BEGIN NULL; END; DECLARE c int; BEGIN NULL; END; RETURN 1; END";
    finds(rule, &function("", nested), &["\"b\""]);
    let looped = "BEGIN FOR i IN 1 .. 2 LOOP DECLARE i int; BEGIN NULL; END; END LOOP; DECLARE i int; BEGIN RETURN 1; END; END";
    finds(rule, &function("", looped), &["i"]);
    let trigger = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE new record; tg_op text; BEGIN RETURN NULL; END $$";
    finds(rule, trigger, &["new", "tg_op"]);
    // There is no NEW here.
    passes(rule, &function("x int", "DECLARE new int; y ALIAS FOR x; BEGIN RETURN 1; END"));
    passes(rule, &function("x int", "DECLARE x ALIAS FOR $1; BEGIN RETURN 1; END"));
}

#[test]
fn ends_without_return() {
    let rule = Rule::MissingReturn;
    let script = function("a int", "BEGIN IF a > 0 THEN RETURN a; END IF; END");
    finds(rule, &script, &["END"]);
    assert_eq!(by(rule, &script)[0].range.start, script.rfind("END").unwrap());
    finds(rule, &function("", "<<x>> BEGIN /* END */ end x; -- END\n"), &["end"]);
    finds(rule, &function("", "BEGIN RETURN 1; EXCEPTION WHEN others THEN NULL; END"), &["END"]);
    finds(
        rule,
        &function("", "BEGIN RETURN ''; END").replace("RETURN ''", "RAISE NOTICE ''"),
        &["END"],
    );
    passes(rule, &function("", "BEGIN LOOP NULL; END LOOP; END"));
    passes(rule, &function("", "BEGIN RAISE EXCEPTION 'x'; END"));
    passes(rule, "CREATE PROCEDURE f() LANGUAGE plpgsql AS 'BEGIN END'; DO 'BEGIN END'");
    passes(rule, "CREATE FUNCTION f(OUT a int) LANGUAGE plpgsql AS 'BEGIN a := 1; END'");
}

#[test]
fn statements_that_are_not_reached() {
    let rule = Rule::UnreachableCode;
    let body = "BEGIN LOOP EXIT; PERFORM 1; END LOOP; RETURN 1; RETURN 2; NULL; END";
    finds(rule, &function("", body), &["PERFORM 1;", "RETURN 2;"]);
    finds(
        rule,
        &function("", "BEGIN RAISE EXCEPTION 'x'; PERFORM 1; RETURN 1; END"),
        &["PERFORM 1;"],
    );
    // For those who think that there has to be one.
    passes(rule, &function("", "BEGIN RAISE EXCEPTION 'x'; RETURN 1; END"));
    let branches = "IF a THEN RAISE EXCEPTION 'x'; ELSE RAISE EXCEPTION 'y'; END IF;";
    passes(rule, &function("", &format!("BEGIN {branches} RETURN 1; END")));
    passes(rule, &function("", "BEGIN LOOP EXIT WHEN a; END LOOP; RETURN 1; END"));
}

#[test]
fn rows_without_destination() {
    let rule = Rule::QueryWithoutDestination;
    let body = |stmts: &str| format!("DO $$ DECLARE a int; BEGIN {stmts} END $$");
    let script = body("select f();");
    finds(rule, &script, &["select"]);
    let fix = by(rule, &script)[0].fix.clone().unwrap();
    assert_eq!(fix.applicability, Applicability::Guess);
    assert_eq!(fix.changes[0].1, "perform");
    for (stmt, place) in [
        ("WITH x AS (SELECT 1) SELECT 1;", "WITH"),
        ("VALUES (1);", "VALUES"),
        ("INSERT INTO t VALUES (1) RETURNING a;", "RETURNING"),
        (
            "WITH x AS (DELETE FROM t WHERE b RETURNING c) UPDATE t SET a = 1 RETURNING (a);",
            "RETURNING",
        ),
        ("SHOW work_mem;", "SHOW"),
        ("EXPLAIN SELECT 1;", "EXPLAIN"),
    ] {
        let script = body(stmt);
        finds(rule, &script, &[place]);
        assert_eq!(by(rule, &script)[0].range.start, script.rfind(place).unwrap(), "{stmt}");
    }
    passes(
        rule,
        &body(
            "SELECT 1 INTO a; PERFORM 1; INSERT INTO t SELECT 1; DELETE FROM t WHERE b RETURNING c INTO a;
             WITH x AS (DELETE FROM t WHERE b RETURNING c) INSERT INTO t SELECT 1; CREATE TABLE u AS SELECT 1;",
        ),
    );
    // In SQL, the rows of the last one are the result.
    passes(rule, "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1; SELECT 2'");
}

#[test]
fn dynamic_sql_without_quotes() {
    let rule = Rule::UnquotedDynamicSql;
    let of = |body: &str| {
        function(
            "t text, n int, r regclass, text, c s.composite",
            &format!("DECLARE v text; BEGIN {body} END"),
        )
    };
    let both = of("EXECUTE 'TABLE ' || t; EXECUTE format('SELECT %s FROM %I LIMIT %s', t, t, n);");
    finds(rule, &both, &["t", "t"]);
    assert_eq!(by(rule, &both)[1].range.start, both.find("t, t, n").unwrap());
    finds(rule, &of("FOR n IN EXECUTE 'TABLE ' || $4 LOOP NULL; END LOOP;"), &["$4"]);
    finds(rule, &of("EXECUTE 'TABLE ' || f.t::varchar;"), &["f.t"]);
    // Quotes in quotes.
    finds(rule, &of("EXECUTE format('SELECT nextval(''%I''), %I', t, t);"), &["t"]);
    finds(rule, &of("EXECUTE 'SELECT nextval(''' || r || ''')';"), &["r"]);
    // Once, where it is put together.
    finds(rule, &of("v := 'TABLE ' || t; EXECUTE v; EXECUTE v;"), &["t"]);
    for body in [
        "EXECUTE 'TABLE ' || quote_ident(t) || ' LIMIT ' || n;",
        "EXECUTE 'TABLE ' || r;",
        "EXECUTE 'SELECT a FROM t WHERE b = ' || c.id;",
        "EXECUTE 'SELECT $1' USING t;",
        "EXECUTE format('SELECT %L', t);",
        // The function is for running it.
        "EXECUTE t;",
        // It may have quotes.
        "t := quote_ident(t); EXECUTE 'TABLE ' || t;",
        "EXECUTE 'TABLE ' || my.quote(t);",
        "v := g(); EXECUTE 'TABLE ' || v;",
    ] {
        finds(rule, &of(body), &[]);
    }
}

/// What is in strings of the header is not in the body.
#[test]
fn places_in_headers() {
    let script =
        "SELECT 1; CREATE FUNCTION f(a text = '$$ a', b int = 1) RETURNS int LANGUAGE plpgsql AS
        'BEGIN PERFORM length(a) + ''a''; PERFORM 1; END'";
    let found = lint(script, &every_rule());
    let found: Vec<_> = found.iter().map(|it| (it.rule, &script[it.range.clone()])).collect();
    assert_eq!(found, [(Rule::UnusedParameter, "b int = 1"), (Rule::MissingReturn, "END")]);
}
