//! What the script has created is new, whatever its kind: no program uses it yet.

use pg_ast_lint::{Options, Rule, Selector, lint};

use crate::{finds, passes};

/// Nothing but these is found in a script, by any rule about what changes for programs.
#[track_caller]
fn passes_all(script: &str) {
    for stmt in pg_ast::parse_script(script) {
        assert!(stmt.result.is_ok(), "{script}: {:?}", stmt.result);
    }
    let taste = [
        Rule::PreferIfExists,
        Rule::RequireSchema,
        Rule::RequireLockTimeout,
        Rule::RequireStatementTimeout,
        Rule::FunctionSearchPath,
        Rule::PreferIdentity,
        Rule::PreferBigint,
        Rule::UnqualifiedName,
        Rule::UnqualifiedFunction,
        Rule::UnqualifiedOperator,
    ];
    let found = lint(script, &Options::default().only([Selector::All]).without(taste));
    assert!(found.is_empty(), "{script}\n{found:#?}");
}

#[test]
fn objects_of_all_kinds_are_changed_and_dropped() {
    let function = "RETURNS int LANGUAGE sql AS 'SELECT 1'";
    for script in [
        "CREATE SCHEMA s; ALTER SCHEMA s OWNER TO r; ALTER SCHEMA s RENAME TO u; DROP SCHEMA u",
        "CREATE SCHEMA AUTHORIZATION s; ALTER SCHEMA s OWNER TO r",
        "CREATE VIEW v AS SELECT 1; ALTER VIEW v OWNER TO r; ALTER VIEW v RENAME TO w;
         ALTER VIEW w SET SCHEMA s; ALTER VIEW s.w SET (security_barrier); DROP VIEW s.w",
        "CREATE MATERIALIZED VIEW v AS SELECT 1; ALTER MATERIALIZED VIEW v RENAME TO w;
         ALTER MATERIALIZED VIEW w OWNER TO r; DROP MATERIALIZED VIEW w",
        "CREATE FOREIGN TABLE t (a int) SERVER s; ALTER FOREIGN TABLE t ADD b int, DROP a;
         ALTER FOREIGN TABLE t RENAME TO u; DROP FOREIGN TABLE u",
        "CREATE SEQUENCE q; ALTER SEQUENCE q RESTART; ALTER SEQUENCE q OWNER TO r; DROP SEQUENCE q",
        "CREATE TABLE s.t (a serial, b int GENERATED ALWAYS AS IDENTITY);
         ALTER SEQUENCE s.t_a_seq RESTART WITH 5; DROP SEQUENCE s.t_b_seq",
        "CREATE OR REPLACE TEMP VIEW v AS SELECT 1",
        "CREATE TYPE y AS (a int); ALTER TYPE y RENAME ATTRIBUTE a TO b; ALTER TYPE y RENAME TO z;
         ALTER TYPE z DROP ATTRIBUTE b; ALTER TYPE z OWNER TO r; DROP TYPE z",
        "CREATE TYPE y AS ENUM (); ALTER TYPE y RENAME TO z; ALTER TYPE z ADD VALUE 'a' BEFORE 'b';
         ALTER TYPE z SET SCHEMA s; ALTER TYPE s.z RENAME VALUE 'a' TO 'c'; DROP TYPE s.z",
        "CREATE TYPE y AS RANGE (SUBTYPE = int); ALTER TYPE y OWNER TO r; DROP TYPE y",
        "CREATE TYPE y; CREATE TYPE y (INPUT = i, OUTPUT = o); ALTER TYPE y OWNER TO r; DROP TYPE y",
        "CREATE DOMAIN d AS int; ALTER DOMAIN d RENAME TO e; ALTER DOMAIN e SET NOT NULL;
         ALTER DOMAIN e DROP NOT NULL; ALTER DOMAIN e OWNER TO r; DROP DOMAIN e",
        &format!(
            "CREATE FUNCTION f() {function}; ALTER FUNCTION f() RENAME TO g;
             ALTER FUNCTION g() STABLE; CREATE OR REPLACE FUNCTION g() {function};
             ALTER FUNCTION g() SET SCHEMA s; REVOKE ALL ON FUNCTION s.g() FROM PUBLIC;
             DROP FUNCTION s.g()"
        ),
        "CREATE AGGREGATE a (int) (SFUNC = f, STYPE = int); ALTER AGGREGATE a (int) OWNER TO r;
         DROP AGGREGATE a (int)",
        "CREATE OPERATOR + (FUNCTION = f, LEFTARG = int); ALTER OPERATOR + (int, NONE) OWNER TO r;
         DROP OPERATOR + (int, NONE)",
        "CREATE COLLATION c (LOCALE = 'C'); ALTER COLLATION c OWNER TO r; DROP COLLATION c",
        "CREATE EXTENSION hstore; ALTER EXTENSION hstore UPDATE; DROP EXTENSION hstore",
        "CREATE PUBLICATION p; ALTER PUBLICATION p SET (publish = 'insert'); DROP PUBLICATION p",
        "CREATE ROLE r; ALTER ROLE r SET a = 1; ALTER ROLE r LOGIN; REVOKE ALL ON t FROM r;
         REVOKE q FROM r; ALTER GROUP r DROP USER q; REASSIGN OWNED BY r TO q;
         DROP OWNED BY r",
        "CREATE ROLE r; DROP ROLE r",
        "CREATE DATABASE d; ALTER DATABASE d SET a = 1; ALTER DATABASE d CONNECTION LIMIT 1;
         ALTER DATABASE d OWNER TO r; REVOKE ALL ON DATABASE d FROM PUBLIC",
        "CREATE TRIGGER g BEFORE INSERT ON s.t EXECUTE FUNCTION f(); DROP TRIGGER g ON s.t",
        "CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f();
         ALTER TRIGGER g ON t RENAME TO h;
         CREATE OR REPLACE TRIGGER h BEFORE INSERT ON t EXECUTE FUNCTION f()",
        "CREATE RULE r AS ON INSERT TO t DO NOTHING; DROP RULE r ON t",
        "CREATE EVENT TRIGGER g ON ddl_command_end EXECUTE FUNCTION f();
         ALTER EVENT TRIGGER g DISABLE; DROP EVENT TRIGGER g",
    ] {
        passes_all(script);
    }
    passes(
        Rule::ChangeRowSecurity,
        "CREATE TABLE s.t (); CREATE POLICY p ON s.t; DROP POLICY p ON s.t",
    );
    finds(
        Rule::ChangeRowSecurity,
        "CREATE POLICY p ON t; ALTER POLICY p ON t TO r",
        &["CREATE POLICY p ON t"],
    );
}

/// Nothing has to do with something else that has the same name.
#[test]
fn each_kind_has_its_own_names() {
    let alter = "ALTER TABLE a ADD b int NOT NULL";
    passes(
        Rule::AddRequiredColumn,
        &format!("CREATE TABLE a (); DROP FUNCTION a(); DROP SCHEMA IF EXISTS a; {alter}"),
    );
    finds(Rule::DropSchema, "CREATE TABLE a (); DROP SCHEMA a", &["DROP SCHEMA a"]);
    finds(Rule::DropFunction, "CREATE TABLE a (); DROP FUNCTION a()", &["DROP FUNCTION a()"]);
    finds(Rule::DropTable, "CREATE TYPE y AS (); DROP TABLE y", &["DROP TABLE y"]);
    finds(
        Rule::RevokeAccess,
        "CREATE TABLE d (); REVOKE ALL ON DATABASE d FROM PUBLIC",
        &["REVOKE ALL ON DATABASE d FROM PUBLIC"],
    );
    let drop = "DROP TRIGGER g ON b";
    let create = "CREATE TRIGGER g BEFORE INSERT ON a EXECUTE FUNCTION f()";
    finds(Rule::DropTrigger, &format!("{create}; {drop}"), &[drop]);
}

#[test]
fn what_gets_another_name_or_schema_stays_new() {
    let alter = "ALTER TABLE s.u ADD b int NOT NULL";
    let rule = Rule::AddRequiredColumn;
    passes(
        rule,
        &format!(
            "CREATE TABLE t (); ALTER TABLE t SET SCHEMA s; ALTER TABLE s.t RENAME TO u; {alter}"
        ),
    );
    finds(
        rule,
        "CREATE TABLE t (); ALTER TABLE t SET SCHEMA s; ALTER TABLE t ADD b int NOT NULL",
        &["NOT NULL"],
    );
    // Its new columns go with a table.
    passes(
        Rule::DropColumn,
        "ALTER TABLE t ADD b int; ALTER TABLE t RENAME TO u; ALTER TABLE u SET SCHEMA s;
         ALTER TABLE s.u RENAME b TO c; ALTER TABLE s.u DROP c;
         ALTER FOREIGN TABLE w ADD a int; ALTER FOREIGN TABLE w DROP a;
         ALTER TYPE y ADD ATTRIBUTE a int; ALTER TYPE y DROP ATTRIBUTE a",
    );
    finds(
        Rule::DropColumn,
        "ALTER TABLE t ADD b int; DROP TABLE t; ALTER TABLE t DROP b",
        &["DROP b"],
    );
}

#[test]
fn what_is_in_a_new_schema_is_new() {
    let rule = Rule::AddRequiredColumn;
    let alter = "ALTER TABLE s.t ADD b int NOT NULL";
    passes(rule, &format!("CREATE SCHEMA s; SET search_path = s; CREATE TABLE t (); {alter}"));
    passes(rule, &format!("CREATE SCHEMA s CREATE TABLE t (); {alter}"));
    passes(Rule::DropTable, "CREATE TEMP TABLE t (a int); DROP TABLE pg_temp.t");
    for script in [
        format!("CREATE SCHEMA IF NOT EXISTS s; {alter}"),
        // What was there before has been moved there.
        format!("CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s; {alter}"),
        format!("CREATE SCHEMA s; DROP SCHEMA s; {alter}"),
    ] {
        finds(rule, &script, &["NOT NULL"]);
    }
    let archive = "CREATE SCHEMA s; ALTER TABLE t SET SCHEMA s; DROP SCHEMA s CASCADE";
    finds(Rule::DropSchema, archive, &["DROP SCHEMA s CASCADE"]);
}

#[test]
fn what_is_there_again_is_not_missed() {
    let y = "DROP TYPE y; CREATE TYPE y AS RANGE (SUBTYPE = int)";
    passes(Rule::DropType, &format!("BEGIN; {y}; COMMIT"));
    for (rule, again) in [
        (Rule::DropType, "DROP TYPE s.y; ALTER TYPE s.z RENAME TO y"),
        (Rule::DropFunction, "DROP FUNCTION s.f(int); ALTER FUNCTION s.g(int) RENAME TO f"),
        (Rule::DropView, "DROP VIEW s.v; ALTER VIEW s.w RENAME TO v"),
    ] {
        passes(rule, &format!("BEGIN; {again}; COMMIT"));
    }
    for part in ["COLUMN a TO v", "CONSTRAINT a TO v"] {
        let script = format!("BEGIN; DROP VIEW v; ALTER TABLE t RENAME {part}; COMMIT");
        finds(Rule::DropView, &script, &["DROP VIEW v"]);
    }
    let lost = "DROP SEQUENCE q; ALTER SEQUENCE r RENAME TO q";
    finds(Rule::DropSequence, &format!("BEGIN; {lost}; COMMIT"), &["DROP SEQUENCE q"]);
    finds(Rule::DropType, y, &["DROP TYPE y"]);
    passes(Rule::DropIndex, "BEGIN; DROP INDEX s.i; CREATE INDEX i ON s.t (a); COMMIT");
    finds(Rule::DropSchema, "BEGIN; DROP SCHEMA s; CREATE TABLE s (); COMMIT", &["DROP SCHEMA s"]);
}

#[test]
fn what_a_transaction_takes_back_is_not_new() {
    let rule = Rule::AddRequiredColumn;
    let alter = "ALTER TABLE t ADD b int NOT NULL";
    for script in [
        "BEGIN; CREATE TABLE t (); ROLLBACK",
        "BEGIN; CREATE TABLE u (); ALTER TABLE u RENAME TO t; ABORT",
        "BEGIN; CREATE SCHEMA s; CREATE TABLE t (); ROLLBACK AND CHAIN; COMMIT",
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); ROLLBACK TO a; COMMIT",
        "BEGIN; SAVEPOINT a; SAVEPOINT b; CREATE TABLE t (); RELEASE b; ROLLBACK TO a; COMMIT",
        "BEGIN; SAVEPOINT a; CREATE TABLE t (); SAVEPOINT a; RELEASE a; ROLLBACK TO a; COMMIT",
        "BEGIN; DO $$ BEGIN CREATE TABLE t (); END $$; ROLLBACK",
        "CREATE TABLE t (); DROP TABLE t; BEGIN; ROLLBACK",
    ] {
        finds(rule, &format!("{script}; {alter}"), &["NOT NULL"]);
    }
    for script in [
        "CREATE TABLE t (); BEGIN; DROP TABLE t; ROLLBACK",
        "CREATE TABLE t (); BEGIN; ALTER TABLE t RENAME TO u; ROLLBACK",
        "CREATE TABLE t (); BEGIN; DROP OWNED BY r; ROLLBACK",
        "BEGIN; CREATE TABLE t (); SAVEPOINT a; DROP TABLE t; ROLLBACK TO a; COMMIT",
        "BEGIN; CREATE TABLE t (); COMMIT; BEGIN; ROLLBACK",
        "BEGIN; CREATE TABLE t (); PREPARE TRANSACTION 'p'; BEGIN; ROLLBACK",
        "DO $$ BEGIN CREATE TABLE t (); END $$; BEGIN; ROLLBACK",
        "DO $$ BEGIN CREATE TABLE t (); END $$; ROLLBACK",
        "CREATE TABLE t (); ROLLBACK",
    ] {
        passes(rule, &format!("{script}; {alter}"));
    }

    let rule = Rule::DropColumn;
    let drop = "ALTER TABLE t DROP a";
    finds(rule, &format!("BEGIN; ALTER TABLE t ADD a int; ROLLBACK; {drop}"), &["DROP a"]);
    for change in [drop, "ALTER TABLE t RENAME a TO b", "ALTER TABLE t RENAME TO u", "DROP TABLE t"]
    {
        passes(rule, &format!("ALTER TABLE t ADD a int; BEGIN; {change}; ROLLBACK; {drop}"));
    }
    finds(
        Rule::SetNotNull,
        "BEGIN; ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL); ROLLBACK;
         ALTER TABLE t ALTER a SET NOT NULL",
        &["ALTER a SET NOT NULL"],
    );
    // A setting is that of before.
    let rule = Rule::RequireLockTimeout;
    let drop = "DROP TABLE t";
    finds(rule, &format!("BEGIN; SET lock_timeout = 1; ROLLBACK; {drop}"), &[drop]);
    passes(rule, &format!("SET lock_timeout = 1; BEGIN; RESET lock_timeout; ROLLBACK; {drop}"));
    passes(rule, &format!("BEGIN; SET lock_timeout = 1; COMMIT; BEGIN; ROLLBACK; {drop}"));
    finds(
        rule,
        &format!("BEGIN; SAVEPOINT a; SET lock_timeout = 1; ROLLBACK TO a; {drop}; COMMIT"),
        &[drop],
    );
}

/// The time is linear in the number of savepoints, and in that of what there is already.
#[test]
fn many_transactions_are_taken_back() {
    let each = |i| {
        format!(
            "CREATE TABLE t{i} (); BEGIN; SAVEPOINT a; DROP TABLE t{i}; ROLLBACK TO b; ROLLBACK;
             ALTER TABLE t{i} ADD b int NOT NULL;\n"
        )
    };
    let mut script: String = (0..10_000).map(each).collect();
    script += "BEGIN;";
    script += &"SAVEPOINT a;".repeat(20_000);
    script += &"ROLLBACK TO b; RELEASE c;".repeat(20_000);
    finds(Rule::AddRequiredColumn, &script, &[]);
}
