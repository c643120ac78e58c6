//! What is known of the database: `pgast catalog`, and the commands that read it.

use std::fs;

use snapbox::str;

use super::{folder, pgast};

const MIGRATIONS: [(&str, &str); 4] = [
    (
        "migrations/1.sql",
        "BEGIN;\nSET search_path = app, public;\nCREATE SCHEMA app;\nCREATE TABLE users (id int, name text, old text); -- all of them\nINSERT INTO users VALUES (1);\nCOMMIT;\n",
    ),
    (
        "migrations/2.sql",
        "ALTER TABLE users DROP COLUMN old, ADD CONSTRAINT has_name CHECK (name IS NOT NULL);\nSELECT 1;\n",
    ),
    (
        "more/3.sql",
        "DO $$ BEGIN CREATE TYPE mood AS ENUM ('calm'); END $$; CREATE TABLE later AS SELECT 1 AS a",
    ),
    ("queries/a.sql", "SELECT id, nmae FROM users;\nSELECT * FROM orders;\n"),
];

#[test]
fn a_catalog_of_migrations() {
    let here = folder(&MIGRATIONS);
    pgast(here.path())
        .args(["catalog", "--schema", "migrations/", "more/"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
SET search_path = app, public;
CREATE SCHEMA app;
CREATE TABLE users (id int, name text, old text);
ALTER TABLE users DROP COLUMN old, ADD CONSTRAINT has_name CHECK (name IS NOT NULL);
DO $$ BEGIN CREATE TYPE mood AS ENUM ('calm'); END $$;
CREATE TABLE later AS SELECT 1 AS a;

"#]])
        .stderr_eq(str![[r#"
6 statements; 4 others left out, which define nothing

"#]]);
    pgast(here.path())
        .args(["catalog", "--schema", "migrations/1.sql", "migrations/2.sql", "-o", "catalog.sql"])
        .assert()
        .success()
        .stdout_eq("");
    let written = fs::read_to_string(here.path().join("catalog.sql")).unwrap();
    assert_eq!(written.lines().count(), 4);
    // A catalog is a script: its catalog is the same.
    pgast(here.path())
        .args(["catalog", "--schema", "catalog.sql"])
        .assert()
        .success()
        .stdout_eq(written);
}

#[test]
fn what_is_taken_back_is_not_written() {
    let here = folder(&[
        (
            "1.sql",
            "BEGIN; CREATE TABLE a (id int); ROLLBACK; BEGIN; SET LOCAL search_path = app; CREATE TABLE b (id int); SAVEPOINT s;
             CREATE TABLE c (id int); ROLLBACK TO s; COMMIT; CREATE TABLE d (id int); BEGIN; CREATE TABLE e (id int);",
        ),
        ("3.sql", "CREATE TABLE f (id int); BEGIN; SELECT set_config('search_path', '', true); COMMIT"),
    ]);
    let files = ["catalog", "--schema", "1.sql", "3.sql"];
    pgast(here.path())
        .args(files)
        .assert()
        .success()
        .stdout_eq(str![[r#"
SET search_path = app;
CREATE TABLE b (id int);
SET search_path = public;
CREATE TABLE d (id int);
CREATE TABLE e (id int);
CREATE TABLE f (id int);

"#]])
        .stderr_eq(str![[r#"
4 statements; 13 others left out, which define nothing

"#]]);
}

#[test]
fn a_wrong_catalog_is_not_written() {
    let here = folder(&[("a.sql", "CREATE TABLE t (id int);\nCREATE TABEL u (id int);\n")]);
    pgast(here.path())
        .args(["catalog", "--schema", "a.sql", "-o", "catalog.sql"])
        .assert()
        .code(1)
        .stderr_eq(str![[r#"
error: syntax error at or near "TABEL"
 --> a.sql:2:8
  |
2 | CREATE TABEL u (id int);
  |        ^^^^^ expected one of ACCESS, AGGREGATE, ASSERTION, CAST, COLLATION, CONSTRAINT, CONVERSION, DATABASE and 39 more
  |
help: did you mean TABLE?
  |
2 - CREATE TABEL u (id int);
2 + CREATE TABLE u (id int);
  |

1 statement; 0 others left out, which define nothing
no catalog is written, since statements are wrong

"#]]);
    assert!(!here.path().join("catalog.sql").exists());
    pgast(here.path())
        .args(["catalog", "--schema", "missing.sql", "-o", "catalog.sql"])
        .assert()
        .code(2);
    assert!(!here.path().join("catalog.sql").exists());
    pgast(here.path()).arg("catalog").assert().code(2);
    #[cfg(not(feature = "server"))]
    pgast(here.path())
        .args(["catalog", "--server", "postgresql://localhost/db"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
error: this program is built without the feature `server`; psql can ask it: pgast catalog --query | psql -XAtqv ON_ERROR_STOP=1 -f - "$URL" > catalog.sql

"#]]);
}

#[test]
fn a_server_that_is_not_there() {
    let here = folder(&[]);
    let asked = pgast(here.path())
        .args(["catalog", "--server", "postgresql://nobody@127.0.0.1:1/db"])
        .assert()
        .code(2);
    let printed = String::from_utf8_lossy(&asked.get_output().stderr).into_owned();
    assert!(printed.contains("| psql -XAtqv ON_ERROR_STOP=1 -f - "), "{printed}");
}

#[test]
fn the_query_is_a_script() {
    let here = folder(&[]);
    let asked = pgast(here.path()).args(["catalog", "--query"]).assert().success();
    let printed = String::from_utf8_lossy(&asked.get_output().stdout).into_owned();
    assert!(printed.starts_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\n"));
    assert!(printed.ends_with(";\nCOMMIT;\n"));
    pgast(here.path()).args(["check", "-c", &printed]).assert().success();
}

#[test]
fn commands_read_it() {
    let here = folder(&MIGRATIONS);
    pgast(here.path())
        .args(["catalog", "--schema", "migrations/", "-o", "catalog.sql"])
        .assert()
        .success();
    let with = |command: &str| {
        let command: Vec<_> = command.split('|').collect();
        pgast(here.path()).args(command).args(["--catalog", "catalog.sql"]).assert()
    };
    with("check|--output|short|queries/a.sql").code(1).stdout_eq(str![[r#"
queries/a.sql:1:12: error: column "nmae" does not exist
queries/a.sql:2:15: error: relation "orders" does not exist

"#]]);
    with("check|--output|short|-c|CREATE TABLE orders (id int); SELECT id FROM orders; SELECT :x FROM users")
        .success()
        .stdout_eq("");
    with("tables|-c|SELECT 1 FROM users, other").success().stdout_eq(str![[r#"
read     app.users
read     other

"#]]);
    with("lineage|-c|SELECT * FROM users").success().stdout_eq(str![[r#"
SQL:1: returned
  id    app.users.id    identity
  name  app.users.name  identity

"#]]);
    with("complete|-c|SELECT na FROM users|--at|9").success().stdout_eq(str![[r#"
name (column)
nameconcatoid (function name, oid)
<column>
<function>
<in scope: users>
NATIONAL

"#]]);
    with("complete|--json|-c|SELECT na FROM users|--at|9").success().stdout_eq(str![[r#"
{"start":7,"end":9,"names":["column","function"],"tables":[{"schema":null,"table":"users","alias":null}],"expected":["NATIONAL"],"known":[{"name":"name","kind":"column","detail":null},{"name":"nameconcatoid","kind":"function","detail":"name, oid"}]}

"#]]);
    let migration = "ALTER TABLE users ALTER COLUMN name SET NOT NULL";
    with(&format!("lint|--output|short|-c|{migration}")).success().stdout_eq("");
    pgast(here.path()).args(["lint", "--output", "short", "-c", migration]).assert().code(1);
    // Its own constraints may be dropped by a script, those of the database are missed.
    let drop = "ALTER TABLE users DROP CONSTRAINT has_name";
    with(&format!("lint|--extend-select|drop-constraint|--output|short|-c|{drop}"))
        .code(1)
        .stdout_eq(str![[r#"
SQL:1:19: warning[drop-constraint]: what the constraint has kept out can get in

"#]]);
}

/// Their numbers are numbers, and what undoes them is left out.
#[test]
fn migrations_are_in_their_order() {
    let here = folder(&[
        ("to/V10__ten.sql", "ALTER TABLE t ADD ten int;"),
        (
            "to/V9.1__nine.sql",
            "-- +goose Up\nALTER TABLE t ADD nine int;\n-- +goose Down\nDROP TABLE t;\n",
        ),
        ("to/V02__two.sql", "CREATE TABLE t (two int);\n--  migrate:down\nDROP TABLE t;\n"),
        (
            "to/V9.11__eleven.sql",
            "ALTER TABLE t ADD eleven int;\n-- +Migrate Down\nDROP TABLE t;\n",
        ),
        ("to/sub/V1.sql", "DROP TABLE t"),
        ("a.sql", "SELECT two, nine, eleven, ten, other FROM t"),
    ]);
    pgast(here.path()).args(["catalog", "--schema", "to/V*.sql"]).assert().success().stdout_eq(
        str![[r#"
CREATE TABLE t (two int);
ALTER TABLE t ADD nine int;
ALTER TABLE t ADD eleven int;
ALTER TABLE t ADD ten int;

"#]],
    );
    pgast(here.path())
        .args(["check", "--output", "short", "--schema", "to/V*.sql", "a.sql"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
a.sql:1:32: error: column "other" does not exist

"#]]);
}

#[test]
fn an_empty_catalog_is_refused() {
    let here = folder(&[("catalog.sql", ""), ("a.sql", "SELECT 1 FROM t")]);
    for command in ["check", "tables", "complete", "lineage", "lint"] {
        pgast(here.path())
            .args([command, "--catalog", "catalog.sql", "a.sql"])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(str![[r#"
error: catalog.sql is empty: what wrote the catalog has failed

"#]]);
    }
}

#[test]
fn the_search_path_of_a_dump_is_its_own() {
    let dump = "SELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE public.t (id int);\n";
    let here = folder(&[("dump.sql", dump), ("a.sql", "SELECT id, b FROM t")]);
    for option in ["--catalog", "--schema"] {
        pgast(here.path())
            .args(["check", "--output", "short", option, "dump.sql", "a.sql"])
            .assert()
            .code(1)
            .stdout_eq(str![[r#"
a.sql:1:12: error: column "b" does not exist

"#]]);
    }
}

#[test]
fn settings_name_it() {
    let here = folder(&MIGRATIONS);
    let settings = "[catalog]\nschema = [\"migrations/\"]\n";
    fs::write(here.path().join("pgast.toml"), settings).unwrap();
    let queries = here.path().join("queries");
    let check = ["check", "--output", "short", "a.sql"];
    pgast(&queries).args(check).assert().code(1).stdout_eq(str![[r#"
a.sql:1:12: error: column "nmae" does not exist
a.sql:2:15: error: relation "orders" does not exist

"#]]);
    // The command line takes precedence.
    fs::write(queries.join("other.sql"), "CREATE TABLE users (id int, nmae int)").unwrap();
    pgast(&queries).args(check).args(["--schema", "other.sql"]).assert().code(1).stdout_eq(str![[
        r#"
a.sql:2:15: error: relation "orders" does not exist

"#
    ]]);
    let settings = "[catalog]\nfile = \"missing.sql\"\n";
    fs::write(here.path().join("pgast.toml"), settings).unwrap();
    pgast(&queries).args(check).assert().code(2).stdout_eq("");
}
