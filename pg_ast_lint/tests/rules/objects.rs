//! Objects that are created and dropped, and transactions.

use pg_ast_lint::{Options, Rule, lint};

use crate::{becomes, finds, has_no_fix, passes};

#[test]
fn new_indexes() {
    let rule = Rule::CreateIndexLocks;
    becomes(
        rule,
        "CREATE UNIQUE INDEX i ON t (a);",
        "CREATE UNIQUE INDEX CONCURRENTLY i ON t (a);",
    );
    becomes(
        rule,
        "create index -- of names\n on t (a)",
        "create index concurrently -- of names\n on t (a)",
    );
    has_no_fix(rule, "BEGIN; CREATE INDEX i ON t (a); COMMIT");
    // What PostgreSQL refuses: of partitioned tables, in statements that are sent together, and in others.
    passes(rule, "CREATE INDEX i ON ONLY t (a)");
    has_no_fix(rule, "CREATE TABLE c PARTITION OF t DEFAULT; CREATE INDEX i ON t (a)");
    has_no_fix(rule, "CREATE INDEX i ON t (a); ALTER TABLE t ATTACH PARTITION c DEFAULT");
    has_no_fix(rule, "CREATE INDEX i ON t (a) \\; SELECT 1;");
    has_no_fix(rule, "CREATE SCHEMA s CREATE INDEX i ON t (a)");
    passes(rule, "CREATE INDEX CONCURRENTLY i ON t (a)");
    passes(rule, "CREATE TABLE t (a int); CREATE INDEX i ON t (a)");
    passes(rule, "SELECT 1 AS a INTO t; CREATE INDEX i ON public.t (a)");
}

#[test]
fn dropped_indexes() {
    let rule = Rule::DropIndexLocks;
    becomes(rule, "DROP INDEX IF EXISTS i", "DROP INDEX CONCURRENTLY IF EXISTS i");
    has_no_fix(rule, "DROP INDEX i, j");
    has_no_fix(rule, "DROP INDEX i CASCADE");
    has_no_fix(rule, "BEGIN; DROP INDEX i");
    has_no_fix(rule, "DROP INDEX i \\; SELECT 1;");
    has_no_fix(rule, "ALTER INDEX i ATTACH PARTITION j; DROP INDEX i");
    passes(rule, "DROP INDEX CONCURRENTLY i");
    passes(rule, "DROP VIEW i");
    passes(rule, "CREATE TABLE t (a int); CREATE INDEX i ON t (a); DROP INDEX i");
}

#[test]
fn concurrently_in_transactions() {
    let rule = Rule::ConcurrentlyInTransaction;
    let word = &["CONCURRENTLY"];
    finds(rule, "BEGIN; CREATE INDEX CONCURRENTLY i ON t (a); COMMIT", word);
    finds(rule, "START TRANSACTION; DROP INDEX CONCURRENTLY i; ROLLBACK", word);
    finds(rule, "BEGIN; SAVEPOINT a; ROLLBACK TO a; REINDEX TABLE CONCURRENTLY t", word);
    finds(rule, "BEGIN; COMMIT AND CHAIN; ALTER TABLE t DETACH PARTITION p CONCURRENTLY", word);
    passes(rule, "BEGIN; CREATE INDEX i ON t (a); COMMIT; CREATE INDEX CONCURRENTLY j ON t (a)");
    passes(rule, "BEGIN; PREPARE TRANSACTION 'a'; DROP INDEX CONCURRENTLY i");
    passes(rule, "BEGIN; REFRESH MATERIALIZED VIEW CONCURRENTLY v; COMMIT");
    passes(rule, "BEGIN; REINDEX (CONCURRENTLY false) TABLE t; COMMIT");

    let sql = "CREATE INDEX CONCURRENTLY i ON t (a)";
    let options = Options::default().only([rule]).in_transaction(true);
    assert_eq!(lint(sql, &options).len(), 1);
}

#[test]
fn transactions_in_transactions() {
    let rule = Rule::TransactionNesting;
    finds(rule, "BEGIN; BEGIN READ ONLY; COMMIT; ROLLBACK", &["BEGIN READ ONLY", "ROLLBACK"]);
    passes(rule, "BEGIN; COMMIT; BEGIN; SAVEPOINT a; RELEASE a; ROLLBACK AND CHAIN; COMMIT");
}

#[test]
fn create_twice() {
    let rule = Rule::PreferIfExists;
    becomes(rule, "CREATE TABLE s.t (a int)", "CREATE TABLE IF NOT EXISTS s.t (a int)");
    becomes(
        rule,
        "create temp table t as select 1",
        "create temp table if not exists t as select 1",
    );
    becomes(
        rule,
        "CREATE MATERIALIZED VIEW v AS SELECT 1",
        "CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT 1",
    );
    becomes(rule, "CREATE SEQUENCE s", "CREATE SEQUENCE IF NOT EXISTS s");
    becomes(rule, "CREATE SCHEMA AUTHORIZATION a", "CREATE SCHEMA IF NOT EXISTS AUTHORIZATION a");
    becomes(rule, "CREATE EXTENSION pg_trgm", "CREATE EXTENSION IF NOT EXISTS pg_trgm");
    becomes(
        rule,
        "CREATE INDEX CONCURRENTLY i ON t (a)",
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a)",
    );
    has_no_fix(rule, "CREATE INDEX CONCURRENTLY ON t (a)");
    finds(rule, "CREATE SCHEMA s CREATE TABLE t (a int)", &[]);
    passes(rule, "CREATE SCHEMA s CREATE VIEW v AS SELECT 1");
    passes(rule, "SELECT 1 INTO t; CREATE OR REPLACE VIEW v AS SELECT 1");
    passes(rule, "BEGIN; CREATE TABLE t (); COMMIT");
}

#[test]
fn drop_twice() {
    let rule = Rule::PreferIfExists;
    for (what, name) in [
        ("TABLE", "s.t, u"),
        ("INDEX CONCURRENTLY", "i"),
        ("MATERIALIZED VIEW", "v CASCADE"),
        ("SCHEMA", "s"),
        ("TYPE", "a.b"),
        ("FUNCTION", "f(int, text)"),
        ("FUNCTION", "f"),
        ("TRIGGER", "g ON t"),
        ("EXTENSION", "e"),
        ("DATABASE", "d"),
    ] {
        let dropped = format!("DROP {what} IF EXISTS {name}");
        becomes(rule, &format!("DROP {what} {name}"), &dropped);
    }
    passes(rule, "DROP CAST (a AS b)");
    passes(rule, "BEGIN; DROP TABLE t; COMMIT");
}

#[test]
fn losses() {
    finds(
        Rule::DropTable,
        "DROP TABLE IF EXISTS t; DROP TABLE u",
        &["DROP TABLE IF EXISTS t", "DROP TABLE u"],
    );
    passes(Rule::DropTable, "DROP VIEW t; CREATE TABLE u (); DROP TABLE u");
    // It was new once.
    finds(
        Rule::DropTable,
        "CREATE TABLE u (); DROP TABLE u; DROP TABLE IF EXISTS u",
        &["DROP TABLE IF EXISTS u"],
    );

    finds(Rule::DropDatabase, "DROP DATABASE d WITH (FORCE)", &["DROP DATABASE d WITH (FORCE)"]);
    passes(Rule::DropDatabase, "DROP SCHEMA d");

    finds(Rule::TruncateCascade, "TRUNCATE t, u RESTART IDENTITY CASCADE", &["CASCADE"]);
    passes(Rule::TruncateCascade, "TRUNCATE t, u; DROP TABLE v CASCADE");
}
