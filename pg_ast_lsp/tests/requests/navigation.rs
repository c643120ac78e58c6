//! Definitions, references and highlights.

use serde_json::{Value, json};

use super::client::{self, Client, cursor};

/// Returns the texts of locations, each with its line.
fn texts(text: &str, locations: &Value) -> Vec<(u64, String)> {
    let of = |location: &Value| {
        let [start, end] = ["start", "end"].map(|it| client::offset(text, &location["range"][it]));
        (location["range"]["start"]["line"].as_u64().unwrap(), text[start..end].to_owned())
    };
    let mut found: Vec<_> = locations.as_array().into_iter().flatten().map(of).collect();
    found.sort();
    found
}

/// Returns the lines of the definitions of what is at the `|`.
fn definition(client: &mut Client, sql: &str) -> Vec<(u64, String)> {
    let (text, at) = cursor(sql);
    client.open(&text);
    let found = client.ask("textDocument/definition", &text, at).unwrap();
    texts(&text, &found)
}

fn references(client: &mut Client, sql: &str) -> Vec<(u64, String)> {
    let (text, at) = cursor(sql);
    client.open(&text);
    let found = client.ask("textDocument/references", &text, at).unwrap();
    texts(&text, &found)
}

const SCHEMA: &str = "CREATE TABLE app.users (id bigint PRIMARY KEY, \"Full Name\" text);
CREATE TABLE posts (id bigint, author bigint REFERENCES app.users (id), title text);
CREATE VIEW titles AS SELECT p.id, p.title AS name FROM posts AS p;
CREATE TYPE mood AS ENUM ('sad');
CREATE FUNCTION spent(who bigint) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM posts WHERE author = who $$;
";

#[test]
fn names_have_definitions() {
    let mut client = Client::start();
    let cases: &[(&str, &[(u64, &str)])] = &[
        ("SELECT u.i|d FROM app.users AS u", &[(0, "id")]),
        ("SELECT u.\"Full N|ame\" FROM app.users AS u", &[(0, "\"Full Name\"")]),
        ("SELECT 1 FROM app.us|ers", &[(0, "users")]),
        ("SELECT 1 FROM a|pp.users", &[(0, "users")]),
        ("SELECT |u.id FROM app.users AS u", &[(5, "u")]),
        ("SELECT pos|ts.title FROM posts", &[(1, "posts")]),
        ("INSERT INTO posts (tit|le) VALUES (1)", &[(1, "title")]),
        ("UPDATE posts SET autho|r = 1", &[(1, "author")]),
        ("INSERT INTO posts VALUES (1) ON CONFLICT (i|d) DO NOTHING", &[(1, "id")]),
        ("ALTER TABLE posts DROP COLUMN titl|e", &[(1, "title")]),
        ("CREATE INDEX ON posts (autho|r)", &[(1, "author")]),
        ("COMMENT ON COLUMN posts.titl|e IS 'x'", &[(1, "title")]),
        ("WITH x AS (SELECT 1 AS one) SELECT one FROM |x", &[(5, "x")]),
        ("WITH x AS (SELECT 1 AS one) SELECT o|ne FROM x", &[(5, "one")]),
        ("SELECT s.tot|al FROM (SELECT count(*) AS total FROM posts) AS s", &[(5, "total")]),
        ("SELECT title AS t FROM posts ORDER BY |t", &[(5, "t")]),
        // The view has it.
        ("SELECT nam|e FROM titles", &[(2, "titles")]),
        ("SELECT 'sad'::moo|d", &[(3, "mood")]),
        ("SELECT spen|t(1)", &[(4, "spent")]),
        ("DROP TABLE post|s", &[(1, "posts")]),
        // Nothing defines it here.
        ("SELECT n|ow()", &[]),
        ("SELECT a FROM unknow|n", &[]),
    ];
    for (sql, expected) in cases {
        let found = definition(&mut client, &format!("{SCHEMA}{sql}"));
        let expected: Vec<_> =
            expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(found, expected, "{sql}");
    }
    client.end();
}

#[test]
fn names_in_bodies_have_definitions() {
    let mut client = Client::start();
    let function = |body: &str| {
        format!(
            "{SCHEMA}CREATE FUNCTION f(who bigint) RETURNS bigint LANGUAGE plpgsql AS $$\nDECLARE\n    n bigint;\nBEGIN\n{body}\nEND $$;"
        )
    };
    let cases: &[(&str, &[(u64, &str)])] = &[
        ("n := wh|o;", &[(5, "who")]),
        ("|n := 1;", &[(7, "n")]),
        ("SELECT id INTO |n FROM posts;", &[(7, "n")]),
        ("SELECT titl|e INTO n FROM posts;", &[(1, "title")]),
        ("SELECT p.titl|e INTO n FROM posts AS p WHERE author = who;", &[(1, "title")]),
        ("SELECT |p.title INTO n FROM posts AS p;", &[(9, "p")]),
        ("PERFORM spen|t(n);", &[(4, "spent")]),
        ("UPDATE post|s SET title = n;", &[(1, "posts")]),
        ("FOR i IN 1..3 LOOP n := |i; END LOOP;", &[(9, "i")]),
    ];
    for (sql, expected) in cases {
        let found = definition(&mut client, &function(sql));
        let expected: Vec<_> =
            expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(found, expected, "{sql}");
    }
    // The parameter of a function in SQL.
    let sql =
        "CREATE FUNCTION g(amount int) RETURNS int LANGUAGE sql AS $$\nSELECT amoun|t + 1 $$;";
    assert_eq!(definition(&mut client, sql), [(0, "amount".to_owned())]);
    client.end();
}

#[test]
fn references_are_in_all_statements() {
    let mut client = Client::start();
    let sql = format!(
        "{SCHEMA}SELECT posts.title, p.author FROM posts, posts AS p;
DO $$ BEGIN DELETE FROM posts WHERE author IS NULL; END $$;
SELECT author FROM app.users AS author;"
    );
    let lines =
        |found: Vec<(u64, String)>| found.into_iter().map(|(line, _)| line).collect::<Vec<_>>();
    let found = references(&mut client, &sql.replacen("posts", "pos|ts", 1));
    assert_eq!(lines(found), [1, 2, 4, 5, 5, 5, 6]);
    let found = references(&mut client, &sql.replacen("author", "autho|r", 1));
    assert_eq!(lines(found), [1, 4, 5, 6]);
    let found = references(&mut client, &sql.replacen("AS author", "AS autho|r", 1));
    assert_eq!(lines(found), [7, 7]);
    client.end();
}

#[test]
fn highlights_tell_reads_from_writes() {
    let mut client = Client::start();
    let (text, at) = cursor(
        "DO $$ DECLARE |n int := 1; BEGIN n := n + 1; RAISE NOTICE '%', n; END $$; SELECT n FROM t;",
    );
    client.open(&text);
    let found = client.ask("textDocument/documentHighlight", &text, at).unwrap();
    let kinds: Vec<_> = found.as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
    assert_eq!(kinds, [json!(3), json!(3), json!(2), json!(2)]);
    client.end();
}

#[test]
fn other_files_define_names() {
    let folder = std::env::temp_dir().join(format!("pgast lsp {}", std::process::id()));
    std::fs::create_dir_all(folder.join("migrations")).unwrap();
    std::fs::create_dir_all(folder.join("node_modules")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("migrations/1.sql", "CREATE TABLE shops (id int, name text);");
    write("migrations/2.sql", "ALTER TABLE shops ADD COLUMN owner int;");
    write("migrations/3.sql", "ALTER TABLE shops RENAME name TO title;");
    write("node_modules/x.sql", "CREATE TABLE hidden (id int);");
    let uri = format!("file://{}", folder.display()).replace(' ', "%20");
    let mut client = Client::start_with(json!({
        "workspaceFolders": [{ "uri": uri, "name": "a" }],
        "initializationOptions": { "version": 18 },
    }));
    let found = client.complete("SELECT s.| FROM shops AS s");
    let names: Vec<_> = found.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(names, ["id", "title", "owner"]);
    let tables: Vec<_> = client.complete("SELECT 1 FROM |").into_iter().map(|it| it.0).collect();
    assert!(tables.contains(&"shops".to_owned()) && !tables.contains(&"hidden".to_owned()));
    let (text, at) = cursor("SELECT 1 FROM sho|ps");
    client.open(&text);
    let found = client.ask("textDocument/definition", &text, at).unwrap();
    assert_eq!(found[0]["uri"], format!("{uri}/migrations/1.sql"));
    // A file that changes on disk.
    write("migrations/4.sql", "ALTER TABLE shops ADD COLUMN city text;");
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": format!("{uri}/migrations/4.sql"), "type": 1 }] }),
    );
    let found = client.complete("SELECT s.| FROM shops AS s");
    assert_eq!(found.len(), 4);
    client.end();
    std::fs::remove_dir_all(folder).unwrap();
}
