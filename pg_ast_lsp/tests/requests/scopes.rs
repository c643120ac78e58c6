//! Completion and diagnostics by what the names of a statement mean.

use serde_json::json;

use super::client::Client;

const SCHEMA: &str = "CREATE TABLE users (id bigint, name text);
CREATE TABLE posts (pid bigint, author bigint, at date);
CREATE FUNCTION app.spent(who bigint, since date) RETURNS bigint LANGUAGE sql AS $$ SELECT 1 $$;
";

/// The names that are offered at the `|`: all of the first, and none of the second.
#[test]
fn completion_follows_scopes() {
    let mut client = Client::start();
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("SELECT count(| FROM users", &["id", "name"], &["pid"]),
        ("SELECT count(|) FROM users", &["id", "name"], &["pid"]),
        ("SELECT CASE WHEN | FROM users", &["id", "name"], &["pid"]),
        ("SELECT CASE WHEN id = 1 THEN | FROM users", &["id", "name"], &["pid"]),
        ("SELECT f((a, | FROM posts", &["author"], &["name"]),
        // A query sees its own tables, and those around it.
        ("SELECT (SELECT | FROM posts) FROM users", &["pid", "name"], &[]),
        ("SELECT | FROM users WHERE id IN (SELECT author FROM posts)", &["name"], &["pid"]),
        (
            "SELECT 1 FROM users WHERE id IN (SELECT author FROM posts WHERE |)",
            &["pid", "name"],
            &[],
        ),
        ("SELECT 1 FROM users, (SELECT | FROM posts) AS p", &["pid"], &["name"]),
        ("SELECT 1 FROM users, LATERAL (SELECT | FROM posts) AS p", &["pid", "name"], &[]),
        ("SELECT 1 FROM users u JOIN posts p ON | ", &["pid", "name"], &[]),
        ("SELECT name FROM users UNION SELECT | FROM posts", &["pid"], &["name"]),
        ("SELECT | FROM (SELECT pid AS x FROM posts) AS s", &["x", "s"], &["author", "name"]),
        (
            "WITH w AS (SELECT pid AS x FROM posts) SELECT | FROM w",
            &["x", "w"],
            &["author", "name"],
        ),
        ("WITH w AS (SELECT | FROM posts) SELECT * FROM users", &["pid"], &["name"]),
        ("WITH w AS (SELECT 1 AS x) SELECT * FROM |", &["w", "users"], &["x"]),
        ("SELECT name AS label FROM users ORDER BY |", &["label", "id"], &["pid"]),
        ("INSERT INTO users (|", &["id", "name"], &["pid"]),
        ("INSERT INTO users (id, |) VALUES (1, 2)", &["name"], &["pid"]),
        ("INSERT INTO users SELECT | FROM posts", &["pid"], &["name"]),
        ("INSERT INTO users VALUES (1) ON CONFLICT (|", &["id", "name"], &["pid"]),
        (
            "INSERT INTO users VALUES (1) ON CONFLICT (id) DO UPDATE SET name = excluded.|",
            &["name"],
            &["pid"],
        ),
        ("UPDATE users SET |", &["id", "name"], &["pid"]),
        ("UPDATE users SET | WHERE id = 1", &["id", "name"], &["pid"]),
        ("UPDATE users SET name = | FROM posts", &["pid", "name"], &[]),
        ("DELETE FROM users USING posts WHERE |", &["pid", "name"], &[]),
        ("CREATE INDEX ON users (|", &["id", "name"], &["pid"]),
        ("SELECT 1 FROM users JOIN posts USING (|", &["name"], &[]),
        ("ALTER TABLE posts DROP COLUMN |", &["pid", "author"], &["name"]),
        ("ALTER TABLE posts DROP COLUMN |, ADD x int", &["pid", "author"], &["name"]),
        ("MERGE INTO users u USING posts p ON | WHEN MATCHED THEN DELETE", &["name", "pid"], &[]),
        ("SELECT app.|", &["spent"], &["id"]),
        ("SELECT jsonb_ag|", &["jsonb_agg"], &["id"]),
    ];
    for (sql, has, lacks) in cases {
        let found: Vec<_> =
            client.complete(&format!("{SCHEMA}{sql}")).into_iter().map(|it| it.1).collect();
        for name in *has {
            assert!(found.iter().any(|it| it == name), "{sql}: {name} is missing: {found:?}");
        }
        for name in *lacks {
            assert!(!found.iter().any(|it| it == name), "{sql}: {name} is there");
        }
    }
    client.end();
}

#[test]
fn wrong_names_are_diagnostics() {
    let mut client = Client::start();
    let mut found = |sql: &str| {
        let found = client.open(&format!("{SCHEMA}{sql}"));
        let shown = |it: &serde_json::Value| (it["code"].clone(), it["message"].clone());
        let of_names =
            found.iter().filter(|it| it["code"].as_str().unwrap().starts_with("missing"));
        of_names.map(shown).collect::<Vec<_>>()
    };
    let message = "column \"nmae\" does not exist\ndid you mean name?";
    let missing = vec![(json!("missing-column"), json!(message))];
    assert_eq!(found("SELECT nmae FROM users"), missing);
    assert_eq!(found("DO $$ BEGIN PERFORM nmae FROM users; END $$"), missing);
    // Before it is defined, and after it is gone.
    assert_eq!(found("ALTER TABLE users RENAME name TO nmae; SELECT nmae FROM users").len(), 0);
    // Tables that nothing defines here may be in the database.
    assert_eq!(found("SELECT a FROM others"), []);
    assert_eq!(
        found("SELECT x.a FROM others"),
        [(json!("missing-from-item"), json!("missing FROM-clause entry for table \"x\""))]
    );
    client.end();
}

#[test]
fn a_schema_makes_unknown_names_errors() {
    let file = std::env::temp_dir().join(format!("pgast_schema_{}.sql", std::process::id()));
    std::fs::write(&file, "CREATE TABLE shops (id int, name text);").unwrap();
    let options = json!({ "schema": [file.to_str().unwrap()] });
    let mut client = Client::start_with(json!({ "initializationOptions": options }));
    let found = client.open("SELECT id FROM shops; SELECT id FROM shosp; SELECT nam FROM shops");
    let messages: Vec<_> = found.iter().map(|it| it["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "relation \"shosp\" does not exist\ndid you mean shops?",
            "column \"nam\" does not exist\ndid you mean name?"
        ]
    );
    let actions = client.actions((0, 40), (0, 40), &["quickfix"]);
    assert_eq!(actions[0]["title"], "Replace with shops");
    let sql = "CREATE INDEX by_name ON shops (name); DROP INDEX by_name; DROP INDEX by_nmae; SELECT id::coin FROM shops";
    let found = client.open(sql);
    let messages = found.iter().map(|it| it["message"].as_str().unwrap());
    let messages: Vec<_> = messages.filter(|it| it.ends_with("does not exist")).collect();
    assert_eq!(messages, ["index \"by_nmae\" does not exist", "type \"coin\" does not exist"]);
    client.end();
    std::fs::remove_file(file).unwrap();
}

#[test]
fn the_version_decides_what_is_an_error() {
    let options = json!({ "version": "15" });
    if !pg_ast_lsp::pg_ast::Version::ALL.iter().any(|version| version.major() == 15) {
        println!("NOT TESTED: PostgreSQL 15 is not enabled");
        return;
    }
    let sql = "SELECT JSON_SERIALIZE('{}');\nMERGE INTO t USING u ON true WHEN NOT MATCHED BY SOURCE THEN DELETE;";
    let mut client = Client::start_with(json!({ "initializationOptions": options }));
    let found = client.open(sql);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["code"], "syntax-error");
    assert_eq!(found[0]["range"]["start"]["line"], 1);
    client.end();
    let mut client = Client::start();
    assert_eq!(client.open(sql).len(), 0);
    client.end();
}
