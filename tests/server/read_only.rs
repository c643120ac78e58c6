//! Queries in a read-only transaction: which of them the server refuses.

use super::connection::Server;
use super::effects::{READ_ONLY, told};

/// Which queries a read-only transaction refuses.
pub fn compared(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for sql in [
        "SELECT * FROM t",
        "SELECT * FROM t FOR SHARE",
        "SELECT id INTO n FROM t",
        "INSERT INTO plain VALUES (1)",
        "WITH d AS (DELETE FROM plain RETURNING *) SELECT * FROM d",
        "EXPLAIN DELETE FROM plain",
        "EXPLAIN (ANALYZE false) DELETE FROM plain",
        "EXPLAIN (ANALYZE) DELETE FROM plain",
        "EXPLAIN ANALYZE SELECT 1",
        "EXPLAIN CREATE TABLE n AS SELECT 1",
        "COPY plain FROM '/dev/null'",
        "COPY (DELETE FROM plain RETURNING *) TO '/dev/null'",
        "COPY plain TO '/dev/null'",
        "SELECT nextval('seq')",
        "SELECT setval('seq', 1)",
        "SELECT lo_create(0)",
        "SELECT random(), clock_timestamp()",
        "SELECT set_config('search_path', 'public', true)",
        "SELECT pg_advisory_xact_lock(1)",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_current_xact_id()",
        "DO 'BEGIN DELETE FROM plain; END'",
        "DO 'BEGIN PERFORM * FROM t; END'",
        "DO 'BEGIN EXECUTE ''DELETE FROM plain''; END'",
        "DECLARE m CURSOR FOR SELECT * FROM t",
        "PREPARE n AS DELETE FROM plain",
        "LOCK TABLE t IN ACCESS SHARE MODE",
        "LOCK TABLE t",
        "LISTEN a",
        "NOTIFY a",
        "TABLE t",
        "VALUES (1)",
        "SELECT 1 AS a INTO TEMP n",
        "CREATE TEMP TABLE n (a int)",
        "CREATE TEMP VIEW n AS SELECT 1",
        "INSERT INTO plain VALUES (1) ON CONFLICT DO NOTHING",
        "WITH d AS (UPDATE plain SET a = 1 RETURNING *) INSERT INTO plain SELECT * FROM d",
        "WITH d AS (INSERT INTO plain VALUES (1)) SELECT 1",
        "SELECT * FROM plain FOR NO KEY UPDATE",
        "SELECT * FROM (SELECT * FROM plain FOR KEY SHARE) s",
        "SELECT (SELECT nextval('seq'))",
        "SELECT pg_advisory_lock(1), pg_try_advisory_lock(2), pg_advisory_unlock_all()",
        "SELECT setseed(0.5), gen_random_uuid(), pg_sleep(0), timeofday()",
        "SELECT lo_from_bytea(0, 'a')",
        "SELECT txid_current()",
        "SELECT pg_stat_reset()",
        "SELECT pg_export_snapshot()",
        "SELECT pg_backend_pid(), current_setting('work_mem'), version()",
        "DO 'BEGIN INSERT INTO plain SELECT 1; EXCEPTION WHEN division_by_zero THEN NULL; END'",
        "DO 'DECLARE n int; BEGIN n := nextval(''seq''); END'",
        "DO 'DECLARE q CURSOR FOR SELECT * FROM t; BEGIN FOR r IN q LOOP NULL; END LOOP; END'",
        "DO 'BEGIN TRUNCATE plain; END'",
        "DO 'BEGIN PERFORM set_config(''search_path'', ''public'', true); END'",
        "SET LOCAL work_mem = '1MB'",
        "SHOW ALL",
        "SAVEPOINT a",
        "EXPLAIN ANALYZE DELETE FROM plain",
        "EXPLAIN (ANALYZE, TIMING off) INSERT INTO plain VALUES (1)",
        "COPY (SELECT 1) TO STDOUT",
        "REFRESH MATERIALIZED VIEW matview",
        "COMMENT ON TABLE t IS 'a'",
        "ANALYZE t",
        "TRUNCATE plain",
        "GRANT SELECT ON plain TO public",
    ] {
        server.query("BEGIN READ ONLY").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK; DEALLOCATE ALL").expect("it ends");
        let told = told(sql).in_read_only;
        let is_right = match state.as_deref() {
            None => told.is_yes(),
            Some(READ_ONLY) => told.is_no(),
            Some(_) => false,
        };
        if !is_right {
            mistakes.push(format!("{sql}: in_read_only {told:?}, the server: {state:?}"));
        }
    }
    mistakes
}
