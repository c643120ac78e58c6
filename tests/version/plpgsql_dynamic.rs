//! Dynamic SQL: how it is built, its skeleton, and the values that make injection possible.

#![cfg(feature = "plpgsql")]

use super::pg::plpgsql::{self, Function};
use super::pg_plpgsql::{self, Dynamic, DynamicKind, DynamicPart, Quoting};
use crate::common::on_thread;

/// A function with parameters of many types, and dynamic SQL in it.
fn function(stmts: &str) -> Function {
    let sql = format!(
        "CREATE FUNCTION f(t text, c text, n int, r regclass, a text[], u app.ty, VARIADIC v int[])
         RETURNS SETOF int LANGUAGE plpgsql AS $f$
         DECLARE s text; d date; cur refcursor; rec record; q text := 'TABLE a'; i int;
         BEGIN {stmts} END $f$"
    );
    let mut parsed = plpgsql::parse(&sql).unwrap_or_else(|error| panic!("{stmts:.200}: {error:#}"));
    let parsed = parsed.functions.pop().expect("a function");
    parsed.function.unwrap_or_else(|error| panic!("{stmts:.200}: {error:#}"))
}

fn with<R>(expr: &str, f: impl FnOnce(&Function, &Dynamic<'_>) -> R) -> R {
    let function = function(&format!("EXECUTE {expr};"));
    let dynamic = pg_plpgsql::dynamic_sql(&function);
    assert_eq!(dynamic.len(), 1, "{expr}");
    f(&function, &dynamic[0])
}

fn skeleton(expr: &str) -> (DynamicKind, String) {
    with(expr, |_, dynamic| (dynamic.kind, dynamic.skeleton().sql().to_owned()))
}

fn unsafe_values(expr: &str) -> Vec<String> {
    with(expr, |function, dynamic| {
        let values = dynamic.unsafe_values();
        let names = values.map(|value| {
            let names = value.variables().iter();
            let names: Vec<_> = names.filter_map(|dno| function.variable_name(*dno)).collect();
            names.join(",")
        });
        names.collect()
    })
}

/// Returns the skeleton and what a parse makes of it.
fn parsed(expr: &str) -> Result<String, String> {
    with(expr, |_, dynamic| match dynamic.skeleton().parse() {
        Ok(tree) => Ok(super::pg::deparse(&tree).expect("the tree is printed")),
        Err(error) => Err(error.message().to_owned()),
    })
}

#[test]
fn kinds_and_skeletons() {
    use DynamicKind::{Concat, Format, Literal, Other, Variable};
    let cases = [
        ("'TABLE a'", Literal, "TABLE a"),
        ("E'TABLE\\ta'::text", Literal, "TABLE\ta"),
        ("'TABLE ' || quote_ident(t)", Concat, "TABLE dyn_1"),
        ("'TABLE ' || pg_catalog.quote_ident(t) || ';'", Concat, "TABLE dyn_1;"),
        ("'SELECT ' || 1 || ', ' || 2.50", Concat, "SELECT 1, 2.50"),
        ("concat('TABLE ', t, NULL, ' ', c)", Concat, "TABLE dyn_1 dyn_2"),
        ("concat_ws(' ', 'TABLE', NULL, t)", Concat, "TABLE dyn_1"),
        ("format('TABLE %I', t)", Format, "TABLE dyn_1"),
        ("format('SELECT %L, %s, %%', c, n)", Format, "SELECT 'dyn_1', dyn_2, %"),
        ("format('%2$I.%1$I = %2$L', t, c)", Format, "dyn_1.dyn_2 = 'dyn_3'"),
        // Constants are written as PostgreSQL quotes them.
        (
            "format('%I %I %L %L %s', 'a', 'A b', 'it''s', NULL, 'x')",
            Format,
            "a \"A b\" 'it''s' NULL x",
        ),
        ("format('%1$s %1$I', 'SELECT')", Format, "SELECT \"SELECT\""),
        ("'a' || quote_literal('x\\y') || quote_nullable(t)", Concat, "aE'x\\\\y''dyn_1'"),
        // Nested in each other, also where a template is put together.
        ("format('%s WHERE %I', 'TABLE ' || t, c)", Format, "TABLE dyn_1 WHERE dyn_2"),
        ("format('TABLE ' || t || ' %I', c)", Format, "TABLE dyn_1 dyn_2"),
        ("'x' || format('%s', format('%s', c))", Concat, "xdyn_1"),
        ("format('%s %s', VARIADIC a)", Format, "dyn_1 dyn_2"),
        ("format('%*s|%-5s', n, t, c)", Format, "dyn_1|dyn_2"),
        ("t", Variable, "dyn_1"),
        ("$1", Variable, "dyn_1"),
        ("rec.sql", Variable, "dyn_1"),
        ("q", Variable, "TABLE a"),
        ("g(t)", Other, "dyn_1"),
        ("CASE WHEN n > 1 THEN 'TABLE a' END", Other, "dyn_1"),
        ("(SELECT x FROM y)", Other, "dyn_1"),
        // `format` raises an error.
        ("format('%d', n)", Format, "dyn_1"),
        ("format('%s')", Format, "dyn_1"),
        ("my.format('%I', t)", Other, "dyn_1"),
        // A name that the SQL has already.
        ("'TABLE dyn_1, dynamic, ' || t", Concat, "TABLE dyn_1, dynamic, dyn__1"),
    ];
    for (expr, kind, sql) in cases {
        assert_eq!(skeleton(expr), (kind, sql.to_owned()), "{expr}");
    }
}

#[test]
fn all_statements_and_their_parameters() {
    let function = function(
        "EXECUTE 'SELECT $1' INTO s USING n;
         FOR rec IN EXECUTE format('TABLE %I', t) USING n, c LOOP EXECUTE s; END LOOP;
         OPEN cur FOR EXECUTE 'TABLE ' || t USING n;
         OPEN cur FOR SELECT 1;
         RETURN QUERY EXECUTE q;
         RETURN QUERY SELECT 1;",
    );
    let found: Vec<_> = pg_plpgsql::dynamic_sql(&function)
        .iter()
        .map(|dynamic| (dynamic.stmt.name(), dynamic.kind, dynamic.params.len()))
        .collect();
    assert_eq!(
        found,
        [
            ("PLpgSQL_stmt_dynexecute", DynamicKind::Literal, 1),
            ("PLpgSQL_stmt_dynfors", DynamicKind::Format, 2),
            ("PLpgSQL_stmt_dynexecute", DynamicKind::Variable, 0),
            ("PLpgSQL_stmt_open", DynamicKind::Concat, 1),
            ("PLpgSQL_stmt_return_query", DynamicKind::Variable, 0),
        ]
    );
}

#[test]
fn parts_have_places() {
    let sql = "DO $$ DECLARE t text; BEGIN EXECUTE 'TABLE ' || t || format(' LIMIT %s', 5); END $$";
    let parsed = plpgsql::parse(sql).unwrap();
    let function = parsed.functions[0].function.as_ref().unwrap();
    let dynamic = &pg_plpgsql::dynamic_sql(function)[0];
    let places: Vec<_> = dynamic
        .parts()
        .iter()
        .map(|part| match part {
            DynamicPart::Text { location, .. } => &sql[location.unwrap()..],
            DynamicPart::Value(value) => &sql[value.node.location().unwrap()..],
            other => panic!("{other:?}"),
        })
        .map(|rest| &rest[..4])
        .collect();
    assert_eq!(places, ["'TAB", "t ||", "' LI", "5); "]);
    let skeleton = dynamic.skeleton();
    let parts: Vec<_> =
        skeleton.ranges().iter().map(|range| &skeleton.sql()[range.clone()]).collect();
    assert_eq!(parts, ["TABLE ", "dyn_1", " LIMIT ", "5"]);
}

#[test]
fn unsafe_values_are_those_that_are_not_quoted() {
    let none: [&str; 0] = [];
    for expr in [
        "'TABLE ' || quote_ident(t) || quote_literal(c) || quote_nullable(u)",
        "format('TABLE %I %L', t, c)",
        // Numbers, times, and names of the catalog.
        "'SELECT ' || n || n::text || d || i + 1 || t::int || t::regclass || r",
        "'SELECT ' || now() || length(t) || to_char(d, 'YYYY') || count(*) || (n > 1)",
        // Made of what is safe.
        "'SELECT ' || CASE WHEN c = 'x' THEN 'ASC' ELSE 'DESC' END || coalesce(n, 1)",
        "'SELECT ' || array_to_string(ARRAY(SELECT quote_ident(x) FROM unnest(a) x), ',')",
        "'SELECT ' || (SELECT string_agg(format('%I = %L', x, y), ' AND ') FROM z)",
        "'SELECT ' || array_to_string(v, ',')",
        "q",
    ] {
        assert_eq!(unsafe_values(expr), none, "{expr}");
    }
    for (expr, names) in [
        ("'TABLE ' || t", &["t"][..]),
        ("'TABLE ' || $1", &["t"]),
        ("format('TABLE %s %I %s', t, c, u)", &["t", "u"]),
        ("'TABLE ' || upper(t || c)", &["t,c"]),
        ("'TABLE ' || coalesce(t, 'x')", &["t"]),
        ("'TABLE ' || t::varchar(10)", &["t"]),
        ("'TABLE ' || u || a[1] || rec.x", &["u", "a", "rec"]),
        ("'SELECT ' || (SELECT string_agg(x, ',') FROM z)", &[""]),
        ("'SELECT ' || (SELECT n FROM z)", &["n"]),
        ("'SELECT ' || g(t)", &["t"]),
        ("'SELECT ' || current_user", &[""]),
        ("my.quote_ident(t)", &["t"]),
        ("format('%s', VARIADIC a)", &["a"]),
        ("'SELECT ' || (SELECT string_agg(format('%s', x), ' AND ') FROM z)", &[""]),
        ("t", &["t"]),
    ] {
        assert_eq!(unsafe_values(expr), names, "{expr}");
    }
    let quoting = |expr: &str| with(expr, |_, dynamic| dynamic.values().next().unwrap().quoting);
    assert_eq!(quoting("'TABLE ' || r"), Quoting::Ident);
    assert_eq!(quoting("'TABLE ' || n"), Quoting::None);
}

#[test]
fn quoted_values_in_other_quotes_are_unsafe() {
    let none: [&str; 0] = [];
    for expr in [
        // Words are safe in quotes; what is closed is not around a value.
        "'SELECT ''' || n || ''', \"' || d || '\", $$' || n || '$$ -- ' || n",
        r#"'SELECT ''a'', "b", $x$''$x$, E''\'''', /* '' /* */ " */ a$b$, ' || quote_literal(t)"#,
        r"E'SELECT 1 -- it''s\n, ' || quote_literal(t)",
        "format('SELECT ''a%sb'', %L, \"%%\", %I', n, t, c)",
        "'SELECT ''' || CASE WHEN n > 1 THEN 'a' ELSE 'b' END || ''', ' || quote_ident(t)",
        "'SELECT 1 - ' || n || ' -1'",
        "'SELECT ' || lower(coalesce(quote_literal(t), 'NULL'))::text",
        "concat('b = ', quote_literal(t)) || CASE WHEN n > 1 THEN format('%I = ''%s''', t, n) END",
        "format('SELECT ' || n || ' %L', t)",
    ] {
        assert_eq!(unsafe_values(expr), none, "{expr}");
    }
    for (expr, names) in [
        ("'SELECT ''' || quote_literal(t) || ''''", &["t"][..]),
        ("'SELECT ''' || quote_ident(t) || ''', ' || quote_ident(c)", &["t"]),
        ("'SELECT ''' || r || '''::regclass'", &["r"]),
        ("format('SELECT ''%L'', \"%I\", %I', t, c, t)", &["t", "c"]),
        (r"format('SELECT E''\''%L''', t)", &["t"]),
        ("format('DO $$ BEGIN TABLE %I; END $$', t)", &["t"]),
        ("format('SELECT 1 -- %I', t)", &["t"]),
        ("format('SELECT /* /* */ %L */ 1', t)", &["t"]),
        ("'SELECT ''' || CASE WHEN n > 1 THEN quote_ident(t) END || ''''", &["t,n"]),
        ("'SELECT ' || coalesce('''' || quote_literal(t) || '''', 'NULL')", &["t"]),
        ("'SELECT ' || coalesce(format('''%L''', t), '1')", &["t"]),
        ("'SELECT ' || coalesce(format('''%s''', quote_ident(t)), '1')", &["t"]),
        ("CASE WHEN n > 1 THEN '''' ELSE '' END || quote_literal(t)", &["t"]),
        // What cuts, or takes quotes away.
        ("'SELECT ' || btrim(quote_literal(t), '''')", &["t"]),
        ("'SELECT ' || quote_ident(t)::varchar(5)", &["t"]),
        ("'SELECT ' || quote_ident(t)::name", &["t"]),
        // `format` reads a `%` in quotes as well.
        ("format('TABLE ' || quote_ident(t) || ' WHERE a = %L', c)", &["t"]),
        ("format('SELECT ' || CASE WHEN n > 1 THEN '%s' ELSE '%I' END, t)", &["n"]),
        // A negative one is the beginning of a comment.
        ("'SELECT 1 -' || n", &["n"]),
        ("format('SELECT 1 -%s', n)", &["n"]),
    ] {
        assert_eq!(unsafe_values(expr), names, "{expr}");
    }
    // A part of the SQL is judged where it is used.
    let last = |stmts: &str| {
        let function = function(stmts);
        pg_plpgsql::dynamic_sql(&function).last().unwrap().unsafe_values().count()
    };
    assert_eq!(last("s := ''' AND c = ' || quote_literal(c); EXECUTE 'TABLE ''a' || s;"), 0);
    assert_eq!(last("s := 'c = ' || quote_literal(c); EXECUTE 'SELECT ''a' || s || '''';"), 1);
}

#[test]
fn values_that_are_no_names() {
    for (expr, sql) in [
        ("format('SELECT %s FROM %s WHERE %s', c, t, s)", "SELECT dyn_1 FROM dyn_2 WHERE dyn_3"),
        ("format('CREATE TABLE t (a varchar(%s))', n)", "CREATE TABLE t (a varchar(11111))"),
        ("format('SELECT 1 FROM t ORDER BY a %s, b', c)", "SELECT 1 FROM t ORDER BY a, b"),
        ("format('SELECT 1 WHERE a %s b', c)", "SELECT 1 WHERE a = b"),
        (
            "'SELECT 1 FROM a WHERE true ' || t || ' ORDER BY 1'",
            "SELECT 1 FROM a WHERE true ORDER BY 1",
        ),
        ("format('CREATE TABLE %s (%s) %s', t, c, s)", "CREATE TABLE dyn_1 ()"),
        (
            "format('INSERT INTO a_%s_b VALUES (%L, ''%s'')', n, t, c)",
            "INSERT INTO a_dyn_1_b VALUES ('dyn_2', 'dyn_3')",
        ),
    ] {
        assert_eq!(parsed(expr).as_deref(), Ok(sql), "{expr}");
    }
    // The locations are those of the skeleton.
    with("format('SELECT 1 FROM t ORDER BY a %s, %I', c, t)", |_, dynamic| {
        let skeleton = dynamic.skeleton();
        let tree = skeleton.parse().unwrap();
        let places = tree.nodes().filter_map(|node| node.as_column_ref()?.location.try_into().ok());
        let places: Vec<usize> = places.collect();
        assert_eq!(places.iter().map(|at| &skeleton.sql()[*at..]).next_back(), Some("dyn_2"));
    });
}

#[test]
fn what_cannot_be_read() {
    assert!(parsed("t").is_err());
    assert!(parsed("t || c").is_err());
    // Whole statements.
    for sql in ["'SELECT 1; ' || t", "t || '; SELECT 1'", "format('SELECT 1; %s ; SELECT 2', t)"] {
        assert!(parsed(sql).is_err(), "{sql}");
    }
    assert_eq!(parsed("'SELECT 1 ' || t || '; SELECT 2'").unwrap(), "SELECT 1 AS dyn_1; SELECT 2");
    assert_eq!(parsed("'SELECT FROM FROM ' || t").unwrap_err(), "syntax error at or near \"FROM\"");
    assert_eq!(
        parsed("format('ALTER TABLE %I %s', t, c)").unwrap_err(),
        "syntax error at or near \"dyn_2\""
    );
}

#[test]
fn a_variable_with_one_value() {
    let first = |stmts: &str| {
        let function = function(stmts);
        let dynamic = pg_plpgsql::dynamic_sql(&function);
        (dynamic[0].kind, dynamic[0].skeleton().sql().to_owned())
    };
    let variable = |sql: &str| (DynamicKind::Variable, sql.to_owned());
    assert_eq!(first("s := 'TABLE ' || t; EXECUTE s;"), variable("TABLE dyn_1"));
    assert_eq!(first("EXECUTE q;"), variable("TABLE a"));
    assert_eq!(first("IF n > 1 THEN s := 'TABLE a'; END IF; EXECUTE s;"), variable("TABLE a"));
    assert_eq!(first("SELECT x INTO s FROM y; EXECUTE s;"), variable("dyn_1"));
    assert_eq!(first("IF n > 1 THEN t := 'TABLE b'; END IF; EXECUTE t;"), variable("dyn_1"));
    assert_eq!(first("s := s || 'TABLE b'; EXECUTE s;"), variable("dyn_1TABLE b"));
}

#[test]
fn variables_are_followed() {
    let last = |stmts: &str| {
        let function = function(stmts);
        let dynamic = pg_plpgsql::dynamic_sql(&function);
        dynamic.last().unwrap().skeleton().sql().to_owned()
    };
    for (stmts, sql) in [
        ("s := 'TABLE a'; EXECUTE s; s := 'TABLE b'; EXECUTE s;", "TABLE b"),
        ("s := 'TABLE ' || t; s := s || ' LIMIT ' || n; EXECUTE s;", "TABLE dyn_1 LIMIT dyn_2"),
        ("s := format('TABLE %I', t); EXECUTE s || ' LIMIT 1';", "TABLE dyn_1 LIMIT 1"),
        ("c := 'a'; EXECUTE 'TABLE ' || c;", "TABLE a"),
        ("<<l>> DECLARE x text; BEGIN l.x := 'TABLE a'; EXECUTE l.x; END;", "TABLE a"),
        ("IF n > 1 THEN s := 'TABLE a'; EXECUTE s; END IF; s := 'TABLE b'; EXECUTE s;", "TABLE b"),
        ("s := 'TABLE a'; IF n > 1 THEN n := 1; END IF; EXECUTE s;", "TABLE a"),
        ("FOR i IN 1 .. 2 LOOP s := 'TABLE a'; EXECUTE s; s := s || 'b'; END LOOP;", "TABLE a"),
        ("DECLARE x text := 'TABLE a'; BEGIN x := x || 'b'; EXECUTE x; END;", "TABLE ab"),
        ("s := 'TABLE a'; BEGIN EXECUTE s; EXCEPTION WHEN OTHERS THEN NULL; END;", "TABLE a"),
    ] {
        assert_eq!(last(stmts), sql, "{stmts}");
    }
    // It may have another value.
    for stmts in [
        "s := 'TABLE a'; IF n > 1 THEN s := 'TABLE b'; END IF; EXECUTE s;",
        "s := 'TABLE a'; CASE n WHEN 1 THEN s := 'TABLE b'; END CASE; s := t; EXECUTE s;",
        "s := 'TABLE a'; CASE n WHEN 1 THEN s := 'TABLE b'; ELSE NULL; END CASE; EXECUTE s;",
        "s := 'TABLE a'; WHILE n > 1 LOOP EXECUTE s; s := 'TABLE b'; END LOOP;",
        "s := 'TABLE a'; WHILE n > 1 LOOP s := 'TABLE b'; END LOOP; EXECUTE s;",
        "s := 'TABLE a'; SELECT x INTO s FROM y; EXECUTE s;",
        "s := 'TABLE a'; FETCH cur INTO s; EXECUTE s;",
        "s := 'TABLE a'; FOR s IN SELECT x FROM y LOOP EXECUTE s; END LOOP;",
        "s := 'TABLE a'; FOR s IN SELECT x FROM y LOOP NULL; END LOOP; EXECUTE s;",
        "s := 'TABLE a'; s := t; EXECUTE s;",
        "DECLARE x text[]; BEGIN x[1] := 'TABLE a'; EXECUTE x; END;",
        "s := 'TABLE a'; CALL p(s); s := s; EXECUTE s;",
        "BEGIN s := 'TABLE a'; PERFORM f(); s := 'TABLE b'; EXCEPTION WHEN OTHERS THEN EXECUTE s; END;",
        "BEGIN s := 'TABLE a'; PERFORM f(); s := 'TABLE b'; EXCEPTION WHEN OTHERS THEN NULL; END; EXECUTE s;",
        "<<l>> BEGIN s := 'TABLE a'; EXIT l WHEN n > 1; s := 'TABLE b'; END; EXECUTE s;",
    ] {
        assert_eq!(last(stmts), "dyn_1", "{stmts}");
    }
    // A value that grows and grows is not written out each time.
    let appended = format!("s := 'SELECT 1'; {} EXECUTE s;", "s := s || ', 1'; ".repeat(5_000));
    assert!(last(&appended).len() < 10_000);
    let doubled = format!("s := 'SELECT 1'; {} EXECUTE s;", "s := s || s; ".repeat(5_000));
    assert!(last(&doubled).len() < 20_000);
}

#[test]
fn what_a_call_may_assign_is_not_known() {
    let last = |stmts: &str| {
        let function = function(stmts);
        pg_plpgsql::dynamic_sql(&function).last().unwrap().skeleton().sql().to_owned()
    };
    for (stmts, sql) in [
        ("s := 'TABLE a'; CALL p(s); EXECUTE s;", "dyn_1"),
        ("CALL p(s); IF n > 1 THEN s := 'TABLE a'; END IF; EXECUTE s;", "dyn_1"),
        ("CALL p(a => q); EXECUTE q;", "dyn_1"),
        ("s := 'TABLE a'; LOOP EXECUTE s; CALL p(s); END LOOP;", "dyn_1"),
        ("s := 'TABLE a'; BEGIN CALL p(s); EXCEPTION WHEN OTHERS THEN EXECUTE s; END;", "dyn_1"),
        // Another one is.
        ("s := 'TABLE a'; LOOP EXECUTE s; CALL p(q); END LOOP;", "TABLE a"),
    ] {
        assert_eq!(last(stmts), sql, "{stmts}");
    }
}

#[test]
fn long_and_deep() {
    let long = 3_000;
    let concat = format!("'a' {}", "|| t || 'b'".repeat(long));
    let same = format!("format('{}', {})", "%1$s".repeat(long), "t || c ||".repeat(100) + "t");
    let specs = format!("format('{}' {})", "%I".repeat(1_000), ", t".repeat(1_000));
    let nested = format!("{}t{}", "format('%s', ".repeat(300), ")".repeat(300));
    let again = format!("{}t{}", "format('%s %1$s', ".repeat(300), ")".repeat(300));
    on_thread(256 * 1024, move || {
        with(&concat, |_, dynamic| assert_eq!(dynamic.values().count(), long));
        with(&same, |_, dynamic| assert!(dynamic.parts().len() < long + 300));
        with(&specs, |_, dynamic| assert_eq!(dynamic.values().count(), 1_000));
        with(&nested, |_, dynamic| assert_eq!(dynamic.skeleton().sql(), "dyn_1"));
        // An argument that is used again is looked at for each `format` around it.
        with(&again, |_, dynamic| assert_eq!(dynamic.unsafe_values().count(), 17));
    });
    // A constant that is used many times is written as often only if it is short.
    let constant = format!("format('{}', '{}')", "%1$s".repeat(long), "x".repeat(long));
    with(&constant, |_, dynamic| assert!(dynamic.skeleton().sql().len() < 20 * long));
    // An error is looked for a limited number of times.
    let wrong = format!("'SELECT FROM FROM' {}", "|| t || ' '".repeat(long));
    with(&wrong, |_, dynamic| assert!(dynamic.skeleton().parse().is_err()));
}
