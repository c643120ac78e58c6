//! Statements that keep others out, the limits to that, and where transactions begin and end.

use pg_ast_lint::{Applicability, Options, Rule, lint};

use crate::{becomes, by, finds, has_no_fix, passes};

#[test]
fn indexes_are_built_anew() {
    let rule = Rule::ReindexLocks;
    becomes(rule, "REINDEX TABLE t", "REINDEX TABLE CONCURRENTLY t");
    becomes(rule, "reindex (verbose) index s.i", "reindex (verbose) index concurrently s.i");
    has_no_fix(rule, "REINDEX (CONCURRENTLY off) TABLE t");
    has_no_fix(rule, "BEGIN; REINDEX TABLE t; COMMIT");
    finds(rule, "DO $$ BEGIN REINDEX TABLE t; END $$", &["REINDEX TABLE t"]);
    passes(rule, "REINDEX (CONCURRENTLY) TABLE t; REINDEX INDEX CONCURRENTLY i");
    // The catalogs cannot be, and nobody waits for what is new.
    passes(rule, "REINDEX SYSTEM d; REINDEX TABLE pg_class; REINDEX TABLE pg_catalog.pg_proc");
    passes(rule, "CREATE TABLE t (a int); REINDEX TABLE t");
}

#[test]
fn partitions_are_detached() {
    let rule = Rule::DetachPartitionLocks;
    becomes(
        rule,
        "ALTER TABLE t DETACH PARTITION p -- old",
        "ALTER TABLE t DETACH PARTITION p CONCURRENTLY -- old",
    );
    let found = by(rule, "ALTER TABLE t DETACH PARTITION p");
    assert_eq!(found[0].fix.as_ref().unwrap().applicability, Applicability::Unsafe);
    has_no_fix(rule, "BEGIN; ALTER TABLE t DETACH PARTITION p; COMMIT");
    // With a default partition, PostgreSQL refuses it.
    has_no_fix(rule, "CREATE TABLE d PARTITION OF t DEFAULT; ALTER TABLE t DETACH PARTITION p");
    has_no_fix(rule, "ALTER TABLE t ATTACH PARTITION d DEFAULT; ALTER TABLE t DETACH PARTITION p");
    passes(rule, "ALTER TABLE t DETACH PARTITION p CONCURRENTLY");
    passes(rule, "ALTER TABLE t DETACH PARTITION p FINALIZE");
    passes(rule, "CREATE TABLE t (a int) PARTITION BY LIST (a); ALTER TABLE t DETACH PARTITION p");
}

#[test]
fn tables_are_rewritten() {
    finds(
        Rule::VacuumFull,
        "VACUUM FULL t; VACUUM (FULL) t; VACUUM (FULL on, ANALYZE)",
        &["VACUUM FULL t", "VACUUM (FULL) t", "VACUUM (FULL on, ANALYZE)"],
    );
    passes(Rule::VacuumFull, "VACUUM t; VACUUM (FULL false) t; VACUUM (ANALYZE) t; ANALYZE t");

    finds(Rule::Cluster, "CLUSTER t USING i; CLUSTER", &["CLUSTER t USING i", "CLUSTER"]);
    passes(Rule::Cluster, "CREATE TABLE t (a int); CLUSTER t USING i; ALTER TABLE t CLUSTER ON i");

    let rule = Rule::RefreshLocks;
    has_no_fix(rule, "REFRESH MATERIALIZED VIEW v");
    passes(rule, "REFRESH MATERIALIZED VIEW CONCURRENTLY v");
    passes(rule, "REFRESH MATERIALIZED VIEW v WITH NO DATA");
    passes(rule, "CREATE MATERIALIZED VIEW v AS SELECT 1; REFRESH MATERIALIZED VIEW v");
    // A function runs later, and may do it when nobody reads.
    passes(rule, "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'REFRESH MATERIALIZED VIEW v'");

    let rule = Rule::RewriteTable;
    for change in ["SET UNLOGGED", "SET ACCESS METHOD heap2", "SET TABLESPACE s", "SET LOGGED"] {
        let sql = format!("ALTER TABLE t {change}");
        finds(rule, &sql, &[&sql]);
        passes(rule, &format!("CREATE TABLE t (); {sql}"));
    }
    // They have rules of their own.
    passes(rule, "ALTER TABLE t ALTER a TYPE int; ALTER TABLE t ADD a uuid DEFAULT f()");
    passes(rule, "ALTER TABLE t SET (fillfactor = 50); ALTER TABLE t CLUSTER ON i");
}

#[test]
fn exclusion() {
    let rule = Rule::ExcludeLocks;
    let constraint = "ADD EXCLUDE USING gist (a WITH =)";
    has_no_fix(rule, &format!("ALTER TABLE t {constraint}"));
    passes(rule, &format!("CREATE TABLE t (a int); ALTER TABLE t {constraint}"));
    passes(rule, "CREATE TABLE t (a int, EXCLUDE USING gist (a WITH =))");
}

#[test]
fn limits_to_waiting() {
    let rule = Rule::RequireLockTimeout;
    becomes(
        rule,
        "SELECT 1;\nALTER TABLE t ADD a int;",
        "SELECT 1;\nSET lock_timeout = '1s';\nALTER TABLE t ADD a int;",
    );
    becomes(
        rule,
        "begin;\ndrop table t;\ncommit;",
        "begin;\nset local lock_timeout = '1s';\ndrop table t;\ncommit;",
    );
    let found = by(rule, "DROP TABLE t");
    assert_eq!(found[0].fix.as_ref().unwrap().applicability, Applicability::Guess);
    // The first one only.
    finds(rule, "DROP TABLE t; DROP TABLE u", &["DROP TABLE t"]);
    finds(rule, "DO $$ BEGIN DROP TABLE t; END $$", &["DROP TABLE t"]);
    finds(rule, "SET lock_timeout = 0; DROP TABLE t", &["DROP TABLE t"]);
    finds(rule, "SET lock_timeout = '1s'; RESET ALL; DROP TABLE t", &["DROP TABLE t"]);
    finds(
        rule,
        "BEGIN; SET LOCAL lock_timeout = '1s'; COMMIT; CREATE INDEX i ON t (a)",
        &["CREATE INDEX i ON t (a)"],
    );
    passes(rule, "BEGIN; SET LOCAL lock_timeout = '1s'; DROP TABLE t; COMMIT");
    passes(rule, "SELECT set_config('lock_timeout', '1s', false); DROP TABLE t");
    // What is new, what takes no strong lock, and what runs later.
    passes(rule, "CREATE TABLE t (a int); CREATE INDEX i ON t (a); ALTER TABLE t ADD b int");
    passes(rule, "SELECT a FROM t; INSERT INTO t VALUES (1); CREATE INDEX CONCURRENTLY i ON t (a)");
    passes(rule, "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'DROP TABLE t'");

    let rule = Rule::RequireStatementTimeout;
    finds(rule, "SET lock_timeout = '1s'; LOCK TABLE t", &["LOCK TABLE t"]);
    finds(rule, "SET statement_timeout TO DEFAULT; TRUNCATE t", &["TRUNCATE t"]);
    passes(rule, "SET statement_timeout = '1min'; DROP TABLE t");
}

#[test]
fn what_transactions_do_not_take() {
    let rule = Rule::NotInTransaction;
    finds(rule, "BEGIN; VACUUM t; COMMIT; VACUUM t", &["VACUUM t"]);
    finds(rule, "BEGIN; CREATE DATABASE d", &["CREATE DATABASE d"]);
    finds(
        rule,
        "ALTER SYSTEM SET work_mem = '1MB' \\; SELECT 1;",
        &["ALTER SYSTEM SET work_mem = '1MB'"],
    );
    let function = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN VACUUM t; END $$";
    finds(rule, function, &["VACUUM t"]);
    // It has a rule of its own.
    passes(rule, "BEGIN; CREATE INDEX CONCURRENTLY i ON t (a); COMMIT");
    let options = Options::default().only([rule]).in_transaction(true);
    assert_eq!(lint("VACUUM t", &options).len(), 1);

    let rule = Rule::NeedsTransaction;
    finds(
        rule,
        "SET LOCAL work_mem = 1; LOCK TABLE t; SAVEPOINT s",
        &["SET LOCAL work_mem = 1", "LOCK TABLE t", "SAVEPOINT s"],
    );
    passes(rule, "BEGIN; SET LOCAL work_mem = 1; LOCK TABLE t; SAVEPOINT s; COMMIT");
    passes(rule, "DO $$ BEGIN SET LOCAL work_mem = 1; LOCK TABLE t; END $$");
    passes(rule, "DECLARE c CURSOR WITH HOLD FOR SELECT 1; COMMIT; ROLLBACK");
    let options = Options::default().only([rule]).in_transaction(true);
    assert_eq!(lint("SET LOCAL work_mem = 1", &options), []);
}

#[test]
fn transactions_without_an_end() {
    let rule = Rule::TransactionLeftOpen;
    finds(rule, "BEGIN; SELECT 1", &["BEGIN"]);
    finds(rule, "BEGIN; COMMIT; START TRANSACTION; SELECT 1;", &["START TRANSACTION"]);
    passes(rule, "BEGIN; ROLLBACK; BEGIN; PREPARE TRANSACTION 'a'");
    passes(rule, "-- pgast-ignore transaction-left-open\nBEGIN; SELECT 1");
    for (script, expected) in [
        ("BEGIN; SELECT 1;\n", "BEGIN; SELECT 1;\n\nCOMMIT;\n"),
        ("begin; select 1 -- x", "begin; select 1;\ncommit; -- x"),
    ] {
        let fix = by(rule, script)[0].fix.clone().unwrap();
        assert_eq!(fix.applicability, Applicability::Guess);
        let mut edits = pg_ast::Edits::new(script);
        fix.edit(&mut edits);
        assert_eq!(edits.apply().as_deref(), Ok(expected));
        passes(rule, expected);
    }
    // The program that runs it ends it.
    let options = Options::default().only([rule]).in_transaction(true);
    assert_eq!(lint("COMMIT; DROP INDEX CONCURRENTLY i; BEGIN", &options), []);
}

#[test]
fn validated_too_early() {
    let rule = Rule::ValidateInTransaction;
    let add = "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID";
    let validate = "ALTER TABLE t VALIDATE CONSTRAINT c";
    let found = &["VALIDATE CONSTRAINT c"];
    finds(rule, &format!("BEGIN; {add}; {validate}; COMMIT"), found);
    finds(rule, &format!("{add}, VALIDATE CONSTRAINT c"), found);
    finds(rule, &format!("DO $$ BEGIN {add}; {validate}; END $$"), found);
    finds(
        rule,
        "BEGIN; ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u NOT VALID;
         ALTER TABLE t VALIDATE CONSTRAINT t_a_fkey; COMMIT",
        &["VALIDATE CONSTRAINT t_a_fkey"],
    );
    passes(rule, &format!("{add}; {validate}"));
    passes(rule, &format!("BEGIN; {add}; COMMIT; BEGIN; {validate}; COMMIT"));
    passes(rule, &format!("BEGIN; {add}; COMMIT AND CHAIN; {validate}; COMMIT"));
    passes(rule, &format!("DO $$ BEGIN {add}; END $$; BEGIN; {validate}; COMMIT"));
    passes(rule, &format!("BEGIN; CREATE TABLE t (a int); {add}; {validate}; COMMIT"));
    passes(rule, &format!("BEGIN; {validate}; COMMIT"));
    let options = Options::default().only([rule]).in_transaction(true);
    assert_eq!(lint(&format!("{add}; {validate}"), &options).len(), 1);
    assert_eq!(lint(&format!("{add}; COMMIT; {validate}"), &options), []);
}
