//! Tests the scripts that the example `rename` returns.

use std::collections::HashMap;

use super::rename;

fn renamed(sql: &str) -> Result<String, pg_ast::Error> {
    let names = [("users", "people"), ("Old", "New Ones"), ("a", "b"), ("b", "a")];
    let names: HashMap<_, _> = names.map(|(old, new)| (old.to_owned(), new.to_owned())).into();
    rename::rename(sql, &names)
}

#[track_caller]
fn becomes(sql: &str, expected: &str) {
    assert_eq!(renamed(sql).as_deref(), Ok(expected));
}

#[test]
fn comments_and_layout_stay() {
    becomes(
        "-- users\nselect  id -- of users\n  from users, -- all\n       posts\n where 'users' = name ;\n",
        "-- users\nselect  id -- of users\n  from people, -- all\n       posts\n where 'users' = name ;\n",
    );
    becomes(
        "DELETE FROM ONLY app /* here */ . users WHERE users . id = 1;",
        "DELETE FROM ONLY app /* here */ . people AS users WHERE users . id = 1;",
    );
    becomes("SELECT u.id FROM users u, \"Old\"", "SELECT u.id FROM people u, \"New Ones\"");
    becomes(
        "SELECT users.id FROM users TABLESAMPLE system (1) FOR UPDATE OF users",
        "SELECT users.id FROM people AS users TABLESAMPLE system (1) FOR UPDATE OF users",
    );
}

#[test]
fn every_statement_is_known() {
    becomes(
        "DROP TABLE x, app . users, \"Old\" CASCADE",
        "DROP TABLE x, app . people, \"New Ones\" CASCADE",
    );
    becomes("COMMENT ON TABLE users IS 'users'", "COMMENT ON TABLE people IS 'users'");
    becomes(
        "CREATE TABLE users (id int REFERENCES users (id)); CREATE INDEX users ON users (id)",
        "CREATE TABLE people (id int REFERENCES people (id)); CREATE INDEX users ON people (id)",
    );
    becomes(
        "INSERT INTO users SELECT users FROM a",
        "INSERT INTO people AS users SELECT users FROM b",
    );
    // Both at once.
    becomes("TABLE a; TABLE b", "TABLE b; TABLE a");
}

#[test]
fn only_tables_are_renamed() {
    let with = "WITH users AS (SELECT 1) SELECT users FROM users";
    becomes(with, with);
    becomes(
        "WITH users AS (SELECT id FROM users) SELECT id FROM users",
        "WITH users AS (SELECT id FROM people) SELECT id FROM users",
    );
    let others = "SELECT users(1)::users, t.users FROM t; DROP VIEW v; SELECT nextval('users')";
    becomes(others, others);
}

#[test]
fn what_would_be_wrong_is_an_error() {
    assert!(renamed("SELECT FROM FROM").is_err());
    // An alias is not possible there.
    assert!(renamed("TABLE users ORDER BY users.id").is_err());
}
