//! What functions in PL/pgSQL do to a server.

#![cfg(feature = "plpgsql")]

use pg_ast_effects::Answer::{Maybe, No, Yes};
use pg_ast_effects::FindEffects as _;

use super::pg::plpgsql::{self, Function};

fn function(stmts: &str) -> Function {
    let body = format!("DECLARE r record; s text; c refcursor; BEGIN {stmts} END");
    let header = "PROCEDURE p(t text, id int, INOUT n int)";
    let sql = format!("CREATE {header} LANGUAGE plpgsql AS $f$ {body} $f$");
    let mut parsed = plpgsql::parse(&sql).unwrap_or_else(|error| panic!("{sql:.200}: {error:#}"));
    let parsed = parsed.functions.pop().expect("a function");
    parsed.function.unwrap_or_else(|error| panic!("{sql:.200}: {error:#}"))
}

#[test]
fn writes_and_the_session() {
    let expected = [
        // Rows are locked on disk.
        ("SELECT 1 INTO n FROM t FOR UPDATE;", Yes, false),
        ("PERFORM f();", Maybe, true),
        ("SET LOCAL work_mem = '1MB';", No, false),
        ("SET TRANSACTION READ ONLY;", No, false),
        ("PERFORM set_config('a.b', 'c', true);", No, false),
        ("PERFORM pg_advisory_xact_lock(1);", No, false),
        ("LOCK TABLE t;", No, false),
        ("COPY t TO '/file';", No, false),
        ("NOTIFY a;", No, false),
        ("EXECUTE 'EXPLAIN SELECT 1';", No, false),
        ("EXECUTE 'EXPLAIN DELETE FROM t';", No, false),
        ("EXECUTE 'EXPLAIN (ANALYZE off) DELETE FROM t';", No, false),
        ("COMMIT;", No, false),
        ("EXECUTE t;", Maybe, true),
        ("INSERT INTO t VALUES (1);", Yes, false),
        ("WITH x AS (DELETE FROM t RETURNING *) SELECT 1 INTO n FROM x;", Yes, false),
        // The session gets what `currval` returns.
        ("n := nextval('s');", Yes, true),
        ("CREATE TABLE t (a int);", Yes, false),
        ("GRANT SELECT ON t TO u;", Yes, false),
        ("TRUNCATE t;", Yes, false),
        ("COPY t FROM '/file';", Yes, false),
        ("EXECUTE 'SELECT 1 INTO t';", Yes, false),
        ("EXECUTE 'EXPLAIN ANALYZE DELETE FROM t';", Yes, false),
        ("EXECUTE 'EXPLAIN (VERBOSE, ANALYZE true) DELETE FROM t';", Yes, false),
        // Settings of other sessions, and of a function.
        ("ALTER ROLE u SET work_mem = '1MB';", Yes, false),
        ("ALTER FUNCTION f() SET search_path = a;", Yes, false),
        ("EXECUTE format('DROP TABLE %s', t);", Yes, false),
        ("FOR r IN EXECUTE 'UPDATE ' || t || ' SET a = 1 RETURNING *' LOOP END LOOP;", Yes, false),
        ("SET work_mem = '1MB';", No, true),
        ("RESET ALL;", No, true),
        ("SET ROLE u;", No, true),
        ("PERFORM set_config('a.b', 'c', false);", No, true),
        ("PERFORM pg_catalog.set_config('a.b', 'c', n > 1);", No, true),
        ("PERFORM pg_advisory_lock(1);", No, true),
        ("LISTEN a;", No, true),
        ("EXECUTE 'PREPARE q AS SELECT 1';", No, true),
        ("EXECUTE 'PREPARE q AS DELETE FROM t';", No, true),
        ("EXECUTE 'SET search_path TO ' || t;", No, true),
        ("CREATE TEMP TABLE t AS SELECT 1;", Yes, true),
        ("EXECUTE 'SELECT 1 INTO TEMP t';", Yes, true),
        // It may not run.
        ("IF n > 1 THEN DELETE FROM t; END IF;", Maybe, false),
    ];
    let found = expected.map(|(stmts, ..)| {
        let effects = function(stmts).effects();
        // As the same body in a `DO` does.
        let declared = "t text; id int; n int; r record; s text; c refcursor;";
        let sql = format!("DO $body$ DECLARE {declared} BEGIN {stmts} END $body$");
        let of_do = super::pg::parse(&sql).expect("parses").effects().remove(0);
        assert_eq!((of_do.writes, &of_do.session), (effects.writes, &effects.session), "{sql}");
        assert_eq!((&of_do.tables, &of_do.losses), (&effects.tables, &effects.losses), "{sql}");
        (stmts, effects.writes, !effects.session.is_empty())
    });
    let wrong: Vec<_> = found.iter().zip(&expected).filter(|(found, it)| found != it).collect();
    assert!(wrong.is_empty(), "found, expected: {wrong:#?}");
}
