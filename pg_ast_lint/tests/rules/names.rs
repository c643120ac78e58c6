//! Names, enums, domains, and what is dropped, renamed and moved.

use pg_ast_lint::Rule;

use crate::{becomes, finds, has_no_fix, passes};

#[test]
fn drops() {
    let rule = Rule::DropSchema;
    finds(rule, "DROP SCHEMA s CASCADE", &["DROP SCHEMA s CASCADE"]);
    passes(rule, "CREATE SCHEMA s; DROP SCHEMA s; DROP TABLE t");

    let rule = Rule::DropView;
    finds(
        rule,
        "DROP VIEW v; DROP MATERIALIZED VIEW w",
        &["DROP VIEW v", "DROP MATERIALIZED VIEW w"],
    );
    passes(rule, "CREATE VIEW v AS SELECT 1; DROP VIEW v");
    passes(rule, "BEGIN; DROP VIEW v; CREATE VIEW v AS SELECT 1; COMMIT");
    finds(rule, "DROP VIEW v; CREATE VIEW v AS SELECT 1", &["DROP VIEW v"]);

    let rule = Rule::DropFunction;
    finds(
        rule,
        "DROP FUNCTION f(int); DROP PROCEDURE p; DROP AGGREGATE a(int)",
        &["DROP FUNCTION f(int)", "DROP PROCEDURE p", "DROP AGGREGATE a(int)"],
    );
    let create = "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'";
    passes(rule, &format!("{create}; DROP FUNCTION f(int)"));
    passes(rule, &format!("BEGIN; DROP FUNCTION f(int); {create}; COMMIT"));

    let rule = Rule::DropType;
    finds(rule, "DROP TYPE t; DROP DOMAIN d", &["DROP TYPE t", "DROP DOMAIN d"]);
    passes(rule, "CREATE TYPE t AS ENUM (); CREATE DOMAIN d AS int; DROP TYPE t; DROP DOMAIN d");

    let rule = Rule::DropConstraint;
    finds(rule, "ALTER TABLE t DROP CONSTRAINT c, DROP a", &["DROP CONSTRAINT c"]);
    passes(rule, "ALTER TABLE t DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (a > 0) NOT VALID");
    passes(
        rule,
        "BEGIN; ALTER TABLE t DROP CONSTRAINT c; ALTER TABLE t ADD CONSTRAINT c UNIQUE (a); COMMIT",
    );
    passes(rule, "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0); ALTER TABLE t DROP CONSTRAINT c");

    let rule = Rule::DropCascade;
    finds(rule, "DROP VIEW v CASCADE; DROP TYPE t CASCADE", &["CASCADE", "CASCADE"]);
    finds(rule, "ALTER TABLE t DROP a CASCADE, DROP CONSTRAINT c cascade", &["CASCADE", "cascade"]);
    finds(rule, "DROP TABLE \"cascade\" CASCADE", &["CASCADE"]);
    passes(rule, "DROP VIEW v RESTRICT; DROP TYPE t; DROP INDEX i CASCADE");
    passes(rule, "CREATE VIEW v AS SELECT 1; DROP VIEW v CASCADE");

    let rule = Rule::TruncateTable;
    finds(rule, "TRUNCATE t, u", &["TRUNCATE t, u"]);
    finds(rule, "CREATE TABLE t (); TRUNCATE t, u", &["TRUNCATE t, u"]);
    passes(rule, "CREATE TABLE t (); TRUNCATE t");
    passes(rule, "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'TRUNCATE t'");
}

#[test]
fn other_names() {
    let rule = Rule::RenameObject;
    for renamed in [
        "ALTER SCHEMA s RENAME TO r",
        "ALTER VIEW v RENAME TO w",
        "ALTER VIEW v RENAME COLUMN a TO b",
        "ALTER MATERIALIZED VIEW v RENAME TO w",
        "ALTER FUNCTION f(int) RENAME TO g",
        "ALTER TYPE t RENAME ATTRIBUTE a TO b",
        "ALTER DATABASE d RENAME TO e",
    ] {
        finds(rule, renamed, &[renamed]);
    }
    passes(
        rule,
        "ALTER TABLE t RENAME TO u; ALTER TABLE t RENAME a TO b; ALTER INDEX i RENAME TO j",
    );
    passes(rule, "ALTER TABLE t RENAME CONSTRAINT c TO d; ALTER ROLE r RENAME TO s");

    let rule = Rule::SetSchema;
    finds(
        rule,
        "ALTER TABLE t SET SCHEMA s; ALTER FUNCTION f() SET SCHEMA s",
        &["ALTER TABLE t SET SCHEMA s", "ALTER FUNCTION f() SET SCHEMA s"],
    );
    passes(rule, "CREATE TABLE t (); ALTER TABLE t SET SCHEMA s");
    passes(rule, "CREATE TYPE t AS ENUM (); ALTER TYPE t SET SCHEMA s");
}

#[test]
fn enums_and_domains() {
    finds(
        Rule::RenameEnumValue,
        "ALTER TYPE t RENAME VALUE 'a' TO 'b'",
        &["ALTER TYPE t RENAME VALUE 'a' TO 'b'"],
    );
    passes(
        Rule::RenameEnumValue,
        "CREATE TYPE t AS ENUM ('a'); ALTER TYPE t RENAME VALUE 'a' TO 'b'",
    );
    finds(
        Rule::EnumValueOrder,
        "ALTER TYPE t ADD VALUE IF NOT EXISTS 'a'",
        &["ALTER TYPE t ADD VALUE IF NOT EXISTS 'a'"],
    );
    passes(
        Rule::EnumValueOrder,
        "ALTER TYPE t ADD VALUE 'a' BEFORE 'b'; ALTER TYPE t ADD VALUE 'a' AFTER 'b'",
    );

    let rule = Rule::DomainValidates;
    becomes(
        rule,
        "ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0)",
        "ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0) NOT VALID",
    );
    has_no_fix(rule, "ALTER DOMAIN d SET NOT NULL");
    passes(rule, "ALTER DOMAIN d ADD CHECK (VALUE > 0) NOT VALID; ALTER DOMAIN d DROP NOT NULL");
    passes(rule, "CREATE DOMAIN d AS int; ALTER DOMAIN d ADD CHECK (VALUE > 0)");
    let rule = Rule::CreateDomainConstraint;
    finds(
        rule,
        "CREATE DOMAIN d AS int NOT NULL CHECK (VALUE > 0)",
        &["NOT NULL", "CHECK (VALUE > 0)"],
    );
    passes(rule, "CREATE DOMAIN d AS int DEFAULT 1");
}

#[test]
fn schemas() {
    let rule = Rule::RequireSchema;
    finds(rule, "CREATE TABLE t (); ALTER TABLE u ADD a int; DROP TABLE v, s.w", &["t", "u", "v"]);
    finds(rule, "CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON u (a)", &["v", "u"]);
    finds(rule, "CREATE TABLE t AS SELECT 1; CREATE SEQUENCE q", &["t", "q"]);
    finds(
        rule,
        "CREATE FUNCTION f() RETURNS int\nLANGUAGE sql AS 'SELECT 1'",
        &["CREATE FUNCTION f() RETURNS int"],
    );
    passes(
        rule,
        "CREATE TABLE s.t (); CREATE TEMP TABLE u (); ALTER TABLE u ADD a int; DROP TABLE u",
    );
    passes(rule, "CREATE SCHEMA s CREATE TABLE t (); DROP SCHEMA s; SELECT a FROM t");
}

#[test]
fn long_names() {
    let rule = Rule::IdentifierTooLong;
    let (kept, long) = ("n".repeat(63), "n".repeat(64));
    let quoted = format!("\"{}\"\"é\"", "N".repeat(61));
    finds(rule, &format!("SELECT 1; CREATE TABLE {long} (a int, {quoted} int)"), &[&long, &quoted]);
    finds(rule, &format!("SELECT '{long}', a AS {long} FROM {kept}"), &[&long]);
    finds(rule, &format!("DO $$ BEGIN PERFORM {long} FROM t; END $$"), &[&long]);
    let sql = format!("SELECT 1; SELECT a AS {long}; SELECT 2");
    let function = format!("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '{sql}'");
    finds(rule, &function, &[&long]);
    passes(rule, &format!("CREATE TABLE {kept} (a int); SELECT '{long}' -- {long}"));
}

#[test]
fn columns_that_are_named_twice() {
    let rule = Rule::DuplicateColumn;
    finds(rule, "UPDATE t SET a = 1, b = 2, a = 3", &["a = 3"]);
    finds(rule, "UPDATE t SET (a, b) = (1, 2), b = 3", &["b = 3"]);
    finds(rule, "UPDATE t SET a[1] = 1, a = NULL", &["a = NULL"]);
    finds(rule, "INSERT INTO t (a, A) VALUES (1, 2)", &["A"]);
    finds(rule, "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1, b = 2", &["b = 2"]);
    finds(
        rule,
        "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1, b = 2",
        &["b = 2"],
    );
    finds(rule, "CREATE TABLE t (a int, b int, a text)", &["a text"]);
    finds(rule, "CREATE VIEW v AS SELECT a, b AS a FROM t", &["b AS a"]);
    finds(rule, "SELECT t.a, u.a INTO v FROM t, u", &["u.a"]);
    finds(rule, "CREATE TABLE v AS SELECT t.a, u.a FROM t, u", &["u.a"]);
    passes(rule, "UPDATE t SET a[1] = 1, a[2] = 2, b.x = 1, b.y = 2");
    passes(rule, "CREATE VIEW v (a, b) AS SELECT t.a, u.a FROM t, u; SELECT t.a, u.a FROM t, u");
    passes(rule, "CREATE TABLE v (a, b) AS SELECT t.a, u.a FROM t, u");
    passes(rule, "CREATE TABLE t (a int, \"A\" int)");
}
