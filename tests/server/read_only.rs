//! Queries in a read-only transaction: which of them the server refuses, and which it refuses by what is in the database.

use pg_ast_effects::{Answer, TransactionBlock};

use super::connection::Server;
use super::effects::{READ_ONLY, told};

const CERTAIN: &[&str] = &[
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
    "DO 'BEGIN LOOP DELETE FROM plain; EXIT; END LOOP; END'",
    "DO 'BEGIN LOOP EXIT; END LOOP; DELETE FROM plain; END'",
    "DO 'BEGIN IF nextval(''seq'') > 0 THEN NULL; END IF; END'",
    "DO 'BEGIN BEGIN NULL; EXCEPTION WHEN others THEN NULL; END; DELETE FROM plain; END'",
    "DO 'DECLARE n int := nextval(''seq''); BEGIN NULL; EXCEPTION WHEN others THEN NULL; END'",
    "MERGE INTO referencing USING t ON referencing.id = t.id WHEN MATCHED THEN DELETE",
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
    "MERGE INTO referencing USING t ON referencing.id = t.id WHEN NOT MATCHED THEN DO NOTHING",
    "EXPLAIN ANALYZE CREATE TABLE n AS SELECT 1",
    "EXPLAIN ANALYZE SELECT 1 AS a INTO n",
    "EXPLAIN ANALYZE CREATE MATERIALIZED VIEW n AS SELECT * FROM t",
    "EXPLAIN ANALYZE REFRESH MATERIALIZED VIEW matview",
    "EXPLAIN ANALYZE DECLARE n CURSOR FOR SELECT * FROM t FOR UPDATE",
    "EXPLAIN REFRESH MATERIALIZED VIEW matview",
    "BEGIN",
    "BEGIN READ ONLY",
    "START TRANSACTION READ ONLY, ISOLATION LEVEL SERIALIZABLE, DEFERRABLE",
    "SET TRANSACTION READ ONLY",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "SET default_transaction_read_only = off",
    "SET transaction_read_only = on",
    "COMMIT AND CHAIN",
    "ROLLBACK",
];

/// What depends on a value: the server accepts some of these.
const BY_VALUE: &[&str] = &[
    "SELECT * FROM ts_stat('SELECT to_tsvector(''a'')')",
    "SELECT own()",
    "DO 'BEGIN IF false THEN DELETE FROM plain; END IF; END'",
    "DO 'BEGIN IF true THEN DELETE FROM plain; END IF; END'",
    "DO 'BEGIN IF true THEN NULL; ELSIF nextval(''seq'') > 0 THEN NULL; END IF; END'",
    "DO 'BEGIN IF true THEN NULL; ELSE DELETE FROM plain; END IF; END'",
    "DO 'BEGIN CASE 1 WHEN 1 THEN NULL; ELSE DELETE FROM plain; END CASE; END'",
    "DO 'BEGIN WHILE false LOOP DELETE FROM plain; END LOOP; END'",
    "DO 'BEGIN FOR i IN 1 .. 0 LOOP DELETE FROM plain; END LOOP; END'",
    "DO 'DECLARE i int; BEGIN FOR i IN SELECT 1 LOOP DELETE FROM plain; END LOOP; END'",
    "DO 'BEGIN LOOP EXIT WHEN true; DELETE FROM plain; END LOOP; END'",
    "DO 'BEGIN << a >> LOOP LOOP EXIT a; END LOOP; DELETE FROM plain; END LOOP; END'",
    "DO 'BEGIN IF true THEN RETURN; END IF; DELETE FROM plain; END'",
    "DO 'BEGIN INSERT INTO plain SELECT 1; EXCEPTION WHEN division_by_zero THEN NULL; END'",
    "DO 'BEGIN DELETE FROM plain; EXCEPTION WHEN others THEN NULL; END'",
    "DO 'BEGIN PERFORM 1 / 0; DELETE FROM plain; EXCEPTION WHEN division_by_zero THEN NULL; END'",
    "DO 'BEGIN NULL; EXCEPTION WHEN others THEN DELETE FROM plain; END'",
    "DO 'BEGIN IF false THEN EXECUTE ''DELETE FROM plain''; END IF; END'",
    "DO 'DECLARE q CURSOR FOR SELECT nextval(''seq''); BEGIN NULL; END'",
    // Behind a query, they are refused.
    "BEGIN READ WRITE",
    "SET TRANSACTION READ WRITE",
    "SET transaction_read_only = off",
];

/// Which queries a read-only transaction refuses.
pub fn compared(server: &mut Server) -> Vec<String> {
    let mut mistakes = Vec::new();
    for sql in CERTAIN {
        server.query("BEGIN READ ONLY").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK; DEALLOCATE ALL").expect("it ends");
        let told = told(sql, server.major()).in_read_only;
        let is_right = match state.as_deref() {
            None => told.is_yes(),
            Some(READ_ONLY) => told.is_no(),
            Some(_) => false,
        };
        if !is_right {
            mistakes.push(format!("{sql}: in_read_only {told:?}, the server: {state:?}"));
        }
    }
    let mut accepted = 0;
    for sql in BY_VALUE {
        server.query("BEGIN READ ONLY").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK").expect("it ends");
        let told = told(sql, server.major()).in_read_only;
        accepted += usize::from(state.is_none());
        if told != Answer::Maybe || !matches!(state.as_deref(), None | Some(READ_ONLY)) {
            mistakes.push(format!("{sql}: in_read_only {told:?}, the server: {state:?}"));
        }
    }
    assert!(accepted > 10, "too little is accepted: {accepted}");
    mistakes
}

/// Which of the statements that are compared for other reasons a read-only transaction refuses.
pub fn of_cases(server: &mut Server, cases: &[&str]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let (mut count, mut others) = (0, 0);
    for sql in cases {
        let effects = told(sql, server.major());
        if effects.block == TransactionBlock::Outside {
            continue;
        }
        server.query("BEGIN READ ONLY").expect("a transaction begins");
        let state = server.query(sql).err().map(|error| error.get(b'C').to_owned());
        server.query("ROLLBACK").expect("it ends");
        server.query("DEALLOCATE ALL").expect("nothing is left");
        let is_wrong = match state.as_deref() {
            None => effects.in_read_only.is_no(),
            Some(READ_ONLY) => effects.in_read_only.is_yes(),
            Some(_) => {
                others += 1;
                false
            }
        };
        count += 1;
        if is_wrong {
            let told = effects.in_read_only;
            mistakes.push(format!("{sql}: in_read_only {told:?}, the server: {state:?}"));
        }
    }
    println!(
        "{count} of the statements in a read-only transaction, {others} of which fail otherwise"
    );
    mistakes
}
