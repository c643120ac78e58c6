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
    let effects = |stmts: &str| {
        let effects = function(stmts).effects();
        (effects.writes, !effects.session.is_empty())
    };
    for stmts in [
        "SELECT 1 INTO n FROM t FOR UPDATE;",
        "PERFORM f();",
        "SET LOCAL work_mem = '1MB';",
        "SET TRANSACTION READ ONLY;",
        "PERFORM set_config('a.b', 'c', true);",
        "PERFORM pg_advisory_xact_lock(1);",
        "LOCK TABLE t;",
        "COPY t TO '/file';",
        "NOTIFY a;",
        "EXECUTE 'EXPLAIN SELECT 1';",
        "EXECUTE 'EXPLAIN DELETE FROM t';",
        "EXECUTE 'EXPLAIN (ANALYZE off) DELETE FROM t';",
        "COMMIT;",
        "EXECUTE t;",
    ] {
        assert_eq!(effects(stmts), (No, false), "{stmts}");
    }
    for stmts in [
        "INSERT INTO t VALUES (1);",
        "WITH x AS (DELETE FROM t RETURNING *) SELECT 1 INTO n FROM x;",
        "n := nextval('s');",
        "CREATE TABLE t (a int);",
        "GRANT SELECT ON t TO u;",
        "TRUNCATE t;",
        "COPY t FROM '/file';",
        "EXECUTE 'SELECT 1 INTO t';",
        "EXECUTE 'EXPLAIN ANALYZE DELETE FROM t';",
        "EXECUTE 'EXPLAIN (VERBOSE, ANALYZE true) DELETE FROM t';",
        // Settings of other sessions, and of a function.
        "ALTER ROLE u SET work_mem = '1MB';",
        "ALTER FUNCTION f() SET search_path = a;",
        "EXECUTE format('DROP TABLE %s', t);",
        "FOR r IN EXECUTE 'UPDATE ' || t || ' SET a = 1 RETURNING *' LOOP END LOOP;",
    ] {
        assert_eq!(effects(stmts), (Yes, false), "{stmts}");
    }
    for stmts in [
        "SET work_mem = '1MB';",
        "RESET ALL;",
        "SET ROLE u;",
        "PERFORM set_config('a.b', 'c', false);",
        "PERFORM pg_catalog.set_config('a.b', 'c', n > 1);",
        "PERFORM pg_advisory_lock(1);",
        "LISTEN a;",
        "EXECUTE 'PREPARE q AS SELECT 1';",
        "EXECUTE 'PREPARE q AS DELETE FROM t';",
        "EXECUTE 'SET search_path TO ' || t;",
    ] {
        assert_eq!(effects(stmts), (No, true), "{stmts}");
    }
    assert_eq!(effects("CREATE TEMP TABLE t AS SELECT 1;"), (Yes, true));
    assert_eq!(effects("EXECUTE 'SELECT 1 INTO TEMP t';"), (Yes, true));
}
