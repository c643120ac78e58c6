//! Where control goes: what a server says of our functions (`tests/server.rs` runs them), statements that are not reached, and
//! functions that need no `RETURN`.

#![cfg(feature = "plpgsql")]

use super::pg::plpgsql::{self, Function};
use super::pg_plpgsql;
use crate::common::{on_thread, plpgsql as cases};

fn function(sql: &str) -> Function {
    let mut parsed = plpgsql::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error:#}"));
    let parsed = parsed.functions.pop().expect("a function");
    parsed.function.unwrap_or_else(|error| panic!("{sql}: {error:#}"))
}

fn unreachable(stmts: &str) -> Vec<String> {
    let sql = format!("DO $$ DECLARE a int; BEGIN {stmts} END $$");
    let function = function(&sql);
    let flow = pg_plpgsql::flow(&function);
    flow.unreachable.iter().map(|part| sql[part.range().unwrap()].to_owned()).collect()
}

#[test]
fn the_end_as_on_a_server() {
    let cases = cases::flow();
    assert!(cases.len() > 50, "{}", cases.len());
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(reached, sql)| {
            let function = function(sql);
            assert!(pg_plpgsql::needs_return(&function), "{sql}");
            pg_plpgsql::flow(&function).end_is_reached != *reached
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unreachable_statements() {
    let none: [&str; 0] = [];
    assert_eq!(unreachable("RETURN; NULL; COMMIT;"), ["NULL;"]);
    assert_eq!(unreachable("IF a THEN RETURN; END IF; NULL;"), none);
    assert_eq!(
        unreachable("IF a THEN RETURN; NULL; ELSE RAISE EXCEPTION 'x'; COMMIT; END IF; ROLLBACK;"),
        ["NULL;", "COMMIT;", "ROLLBACK;"]
    );
    // What stands in an unreachable statement is not listed again.
    assert_eq!(
        unreachable("RETURN; LOOP RETURN; NULL; END LOOP;"),
        ["LOOP RETURN; NULL; END LOOP;"]
    );
    assert_eq!(unreachable("LOOP NULL; END LOOP; COMMIT;"), ["COMMIT;"]);
    assert_eq!(unreachable("LOOP EXIT; NULL; END LOOP; COMMIT;"), ["NULL;"]);
    assert_eq!(unreachable("LOOP CONTINUE; EXIT; END LOOP; COMMIT;"), ["EXIT;", "COMMIT;"]);
    assert_eq!(unreachable("LOOP EXIT WHEN true; NULL; END LOOP; COMMIT;"), ["NULL;"]);
    assert_eq!(
        unreachable("IF true THEN NULL; ELSIF a THEN COMMIT; ELSE ROLLBACK; END IF;"),
        ["COMMIT;", "ROLLBACK;"]
    );
    assert_eq!(unreachable("IF false THEN COMMIT; END IF; WHILE 1 = 1 LOOP END LOOP; NULL;"), none);
    assert_eq!(
        unreachable("BEGIN RETURN; COMMIT; EXCEPTION WHEN OTHERS THEN RAISE; NULL; END; ROLLBACK;"),
        ["COMMIT;", "NULL;", "ROLLBACK;"]
    );
    assert_eq!(unreachable("CASE a WHEN 1 THEN RETURN; END CASE; COMMIT;"), ["COMMIT;"]);
    assert_eq!(unreachable("CASE a WHEN 1 THEN RETURN; ELSE END CASE; COMMIT;"), none);
}

#[test]
fn functions_that_need_a_return() {
    let needs = |header: &str| {
        let kind = if header.starts_with("PROCEDURE") { "" } else { "FUNCTION " };
        let sql = format!("CREATE {kind}{header} LANGUAGE plpgsql AS 'BEGIN NULL; END'");
        pg_plpgsql::needs_return(&function(&sql))
    };
    assert!(needs("f() RETURNS int"));
    assert!(needs("f() RETURNS record"));
    assert!(needs("f() RETURNS s.t"));
    assert!(needs("f() RETURNS s.void"));
    assert!(needs("f(a anyelement, VARIADIC b int[]) RETURNS anyelement"));
    assert!(needs("f() RETURNS trigger"));
    assert!(!needs("f() RETURNS event_trigger"));
    assert!(!needs("f() RETURNS void"));
    assert!(!needs("f() RETURNS pg_catalog.void"));
    assert!(!needs("f() RETURNS SETOF int"));
    assert!(!needs("f() RETURNS TABLE (a int)"));
    assert!(!needs("f(OUT a int)"));
    assert!(!needs("f(INOUT a int) RETURNS int"));
    assert!(!needs("PROCEDURE f()"));
    assert!(!needs("PROCEDURE f(INOUT a int)"));
    assert!(!pg_plpgsql::needs_return(&function("DO 'BEGIN NULL; END'")));
}

#[test]
fn deep_and_long_bodies() {
    let nested = |levels: usize| {
        format!(
            "DO $$ BEGIN {} EXIT l; {} NULL; END $$",
            "<<l>> LOOP ".repeat(levels),
            "END LOOP; RETURN; ".repeat(levels)
        )
    };
    on_thread(256 * 1024, move || {
        let sql = nested(900);
        let function = function(&sql);
        let flow = pg_plpgsql::flow(&function);
        // The `EXIT` leaves the innermost loop alone: what is after the others is not reached.
        assert!(!flow.end_is_reached);
        assert_eq!(flow.unreachable.len(), 899);
        assert_eq!(&sql[flow.unreachable[898].range().unwrap()], "RETURN;");
    });
    let sql = format!("DO $$ BEGIN {} END $$", "IF a THEN RETURN; NULL; END IF; ".repeat(20_000));
    assert_eq!(pg_plpgsql::flow(&function(&sql)).unreachable.len(), 20_000);
}
