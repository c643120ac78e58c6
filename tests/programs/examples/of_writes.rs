//! Tests the tables that the example `writes` lists.

use super::writes;

#[track_caller]
fn lists(body: &str, expected: &[&str]) {
    let sql =
        format!("DO $do$ DECLARE r record; c CURSOR FOR SELECT 1 FROM read; BEGIN {body} END $do$");
    let expected: Vec<_> = expected.iter().map(|line| format!("DO: {line}")).collect();
    assert_eq!(writes::report(&sql), Ok(expected), "{body}");
}

#[test]
fn tables_of_statements_at_any_depth() {
    lists("INSERT INTO a SELECT * FROM read; DELETE FROM s.b; TRUNCATE c;", &["a", "s.b", "c"]);
    lists("IF x THEN LOOP UPDATE a SET b = 1; EXIT; END LOOP; END IF;", &["a"]);
    lists("BEGIN NULL; EXCEPTION WHEN OTHERS THEN DELETE FROM a; END;", &["a"]);
    lists(
        "FOR r IN DELETE FROM a RETURNING * LOOP INSERT INTO b VALUES (r.x); END LOOP;",
        &["a", "b"],
    );
    lists("WITH x AS (DELETE FROM a RETURNING *) SELECT * INTO r FROM x;", &["a"]);
    lists("PERFORM f(x) FROM read; UPDATE a SET b = 1; UPDATE a SET b = 2;", &["a"]);
    lists("CREATE TABLE a (b int); DROP TABLE c;", &["a", "c"]);
}

#[test]
fn dynamic_sql_is_read_as_far_as_it_is_known() {
    lists("EXECUTE 'DELETE FROM a USING b';", &["a (dynamic)"]);
    lists("FOR r IN EXECUTE 'DELETE FROM a RETURNING *' LOOP NULL; END LOOP;", &["a (dynamic)"]);
    lists("EXECUTE format('DELETE FROM a WHERE b = %L', x);", &["a (dynamic)"]);
    lists("EXECUTE 'SELECT 1 FROM ' || x;", &[]);
    lists("EXECUTE 'DELETE FROM ' || x USING y;", &["unknown: 'DELETE FROM ' || x"]);
    lists("EXECUTE r.sql; DELETE FROM a;", &["a", "unknown: r.sql"]);
    lists("EXECUTE 'not SQL';", &["unknown: 'not SQL'"]);
}

#[test]
fn each_function_is_listed() {
    let sql = "
        CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS 'BEGIN DELETE FROM a; END';
        CREATE TABLE t (a int);
        CREATE PROCEDURE g() LANGUAGE plpgsql AS 'BEGIN DELETE FROM b; END'";
    assert_eq!(writes::report(sql), Ok(vec!["f: a".to_owned(), "g: b".to_owned()]));
    let wrong = "DO 'BEGIN DELETE FROM FROM; END'";
    assert_eq!(writes::report(wrong).unwrap_err().cursor(), Some(22));
}
