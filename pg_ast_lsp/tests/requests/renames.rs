//! Renaming.

use serde_json::{Value, json};

use super::client::{self, Client, cursor};

/// Renames what is at the `|`; returns the new text, or the message.
fn rename(client: &mut Client, sql: &str, new: &str) -> Result<String, String> {
    let (text, at) = cursor(sql);
    client.open(&text);
    let params = json!({
        "textDocument": { "uri": client::URI },
        "position": client::position(&text, at),
        "newName": new,
    });
    let edit = client.request_or_message("textDocument/rename", params)?;
    Ok(client::applied(&text, &json!({ "edit": edit })))
}

const SCHEMA: &str = "CREATE TABLE users (id bigint PRIMARY KEY, name text);\n";

#[track_caller]
fn becomes(client: &mut Client, sql: &str, new: &str, expected: &str) {
    let found = rename(client, &format!("{SCHEMA}{sql}"), new);
    let found = found.map(|text| text.lines().skip(1).collect::<Vec<_>>().join("\n"));
    assert_eq!(found.as_deref(), Ok(expected), "{sql}");
}

#[test]
fn columns_are_renamed() {
    let mut client = Client::start();
    let renamed = rename(
        &mut client,
        "CREATE TABLE t (a in|t, na|me text);".replacen("in|t", "int", 1).as_str(),
        "Full Name",
    );
    assert_eq!(renamed.as_deref(), Ok("CREATE TABLE t (a int, \"Full Name\" text);"));
    // PostgreSQL folds only the letters of ASCII.
    let renamed =
        rename(&mut client, "CREATE TABLE t (É| int, é int); SELECT t.É, T.é FROM t", "x");
    let expected = "CREATE TABLE t (x int, é int); SELECT t.x AS \"É\", T.é FROM t";
    assert_eq!(renamed.as_deref(), Ok(expected));
    // What a query returns keeps its name.
    let cases = [
        (
            "SELECT u.na|me, lower(name) FROM users AS u WHERE name = 'name'",
            "SELECT u.label AS name, lower(label) FROM users AS u WHERE label = 'name'",
        ),
        (
            "SELECT x.name FROM (SELECT nam|e FROM users) AS x ORDER BY x.name",
            "SELECT x.name FROM (SELECT label AS name FROM users) AS x ORDER BY x.name",
        ),
        (
            "SELECT x.name FROM (SELECT na|me::text COLLATE \"C\" FROM users) AS x; SELECT (name), name[1] FROM users",
            "SELECT x.name FROM (SELECT label::text COLLATE \"C\" AS name FROM users) AS x; SELECT (label) AS name, label[1] AS name FROM users",
        ),
        (
            "INSERT INTO users (id, nam|e) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            "INSERT INTO users (id, label) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET label = excluded.label",
        ),
        (
            "CREATE INDEX ON users (nam|e); ALTER TABLE users ALTER name SET NOT NULL",
            "CREATE INDEX ON users (label); ALTER TABLE users ALTER label SET NOT NULL",
        ),
        (
            "DO $$ DECLARE v text; BEGIN SELECT nam|e INTO v FROM users WHERE users.name = v; END $$",
            "DO $$ DECLARE v text; BEGIN SELECT label INTO v FROM users WHERE users.label = v; END $$",
        ),
        (
            "DO $$ DECLARE r users%ROWTYPE; v CONSTANT public.users.name%TYPE := 'a'; BEGIN r.name := v; PERFORM r.na|me; END $$",
            "DO $$ DECLARE r users%ROWTYPE; v CONSTANT public.users.label%TYPE := 'a'; BEGIN r.label := v; PERFORM r.label; END $$",
        ),
        (
            "CREATE FUNCTION f(u users) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN u.na|me; END $$",
            "CREATE FUNCTION f(u users) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN u.label; END $$",
        ),
    ];
    for (sql, expected) in cases {
        becomes(&mut client, sql, "label", expected);
    }
    client.end();
}

#[test]
fn tables_are_renamed() {
    let mut client = Client::start();
    let cases = [
        (
            "SELECT users.id, u.name FROM us|ers, users AS u",
            "SELECT \"Users\".id, u.name FROM \"Users\", \"Users\" AS u",
        ),
        (
            "CREATE TABLE t (a bigint REFERENCES use|rs (id)); DROP TABLE users",
            "CREATE TABLE t (a bigint REFERENCES \"Users\" (id)); DROP TABLE \"Users\"",
        ),
        (
            "DO $$ BEGIN DELETE FROM use|rs WHERE users.id = 1; END $$",
            "DO $$ BEGIN DELETE FROM \"Users\" WHERE \"Users\".id = 1; END $$",
        ),
        (
            "DO $$ DECLARE r users; s users%ROWTYPE; v users.name%TYPE; BEGIN SELECT * INTO r FROM use|rs; END $$",
            "DO $$ DECLARE r \"Users\"; s \"Users\"%ROWTYPE; v \"Users\".name%TYPE; BEGIN SELECT * INTO r FROM \"Users\"; END $$",
        ),
        (
            "CREATE FUNCTION f(u users) RETURNS SETOF users LANGUAGE sql AS $$ SELECT * FROM us|ers $$",
            "CREATE FUNCTION f(u \"Users\") RETURNS SETOF \"Users\" LANGUAGE sql AS $$ SELECT * FROM \"Users\" $$",
        ),
        ("SELECT 'users' FROM use|rs", "SELECT 'users' FROM \"Users\""),
        ("TABLE use|rs FOR SHARE OF users", "TABLE \"Users\" FOR SHARE OF \"Users\""),
        (
            "DROP TRIGGER tr ON use|rs; DROP POLICY p ON public.users; COMMENT ON CONSTRAINT c ON users IS 'users'",
            "DROP TRIGGER tr ON \"Users\"; DROP POLICY p ON public.\"Users\"; COMMENT ON CONSTRAINT c ON \"Users\" IS 'users'",
        ),
        (
            "COMMENT ON COLUMN use|rs.name IS 'a'; CREATE SEQUENCE q OWNED BY public.users.id",
            "COMMENT ON COLUMN \"Users\".name IS 'a'; CREATE SEQUENCE q OWNED BY public.\"Users\".id",
        ),
        (
            "SELECT users::users FROM use|rs; SELECT users.f(), u.id FROM users.t AS u",
            "SELECT \"Users\"::\"Users\" AS users FROM \"Users\"; SELECT users.f(), u.id FROM users.t AS u",
        ),
        (
            "WITH users AS (SELECT id FROM use|rs) SELECT id FROM users",
            "WITH users AS (SELECT id FROM \"Users\") SELECT id FROM users",
        ),
    ];
    for (sql, expected) in cases {
        becomes(&mut client, sql, "Users", expected);
    }
    client.end();
}

#[test]
fn local_names_are_renamed() {
    let mut client = Client::start();
    let cases = [
        (
            "SELECT u|.id FROM users AS u WHERE u.name IS NULL; SELECT u.id FROM users u",
            "SELECT x.id FROM users AS x WHERE x.name IS NULL; SELECT u.id FROM users u",
        ),
        (
            "WITH w AS (SELECT 1 AS a) SELECT a, |w.a FROM w",
            "WITH x AS (SELECT 1 AS a) SELECT a, x.a FROM x",
        ),
        (
            "WITH w AS (SELECT 1), v AS (WITH |w AS (SELECT 2) SELECT * FROM w) SELECT * FROM w, v",
            "WITH w AS (SELECT 1), v AS (WITH x AS (SELECT 2) SELECT * FROM x) SELECT * FROM w, v",
        ),
        (
            "WITH |w AS (SELECT 1), v AS (WITH w AS (SELECT 2) SELECT * FROM w) SELECT * FROM w, v",
            "WITH x AS (SELECT 1), v AS (WITH w AS (SELECT 2) SELECT * FROM w) SELECT * FROM x, v",
        ),
        (
            "WITH RECURSIVE |w AS (SELECT 1 AS a UNION SELECT w.a FROM w) SELECT w.a FROM w",
            "WITH RECURSIVE x AS (SELECT 1 AS a UNION SELECT x.a FROM x) SELECT x.a FROM x",
        ),
        (
            "INSERT INTO users AS |u (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = u.id RETURNING u.id",
            "INSERT INTO users AS x (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = x.id RETURNING x.id",
        ),
        (
            "SELECT u.id FROM users AS |u FOR UPDATE OF u",
            "SELECT x.id FROM users AS x FOR UPDATE OF x",
        ),
        (
            "DO $$ DECLARE v int; BEGIN |v := v + 1; SELECT id INTO v FROM users WHERE id = v; END $$",
            "DO $$ DECLARE x int; BEGIN x := x + 1; SELECT id INTO x FROM users WHERE id = x; END $$",
        ),
        (
            "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN |a + a; END $$",
            "CREATE FUNCTION f(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN x + x; END $$",
        ),
        (
            "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS $$ SELECT id + a FROM users WHERE id = |a $$",
            "CREATE FUNCTION f(x int) RETURNS int LANGUAGE sql AS $$ SELECT id + x FROM users WHERE id = x $$",
        ),
    ];
    for (sql, expected) in cases {
        becomes(&mut client, sql, "x", expected);
    }
    // Statements that name a variable without an expression, and loops that declare one.
    let bodies = [
        ("v| := 1; RETURN v;", "x := 1; RETURN x;"),
        ("RETURN NEXT /* v */ v|;", "RETURN NEXT /* v */ x;"),
        ("GET DIAGNOSTICS v| = ROW_COUNT; RETURN v;", "GET DIAGNOSTICS x = ROW_COUNT; RETURN x;"),
        (
            "FOR v IN 1..v LOOP PERFORM |v; v := v + 1; END LOOP;",
            "FOR x IN 1..v LOOP PERFORM x; x := x + 1; END LOOP;",
        ),
        (
            "<<l>> FOR v| IN 1..2 LOOP PERFORM l.v; END LOOP;",
            "<<l>> FOR x IN 1..2 LOOP PERFORM l.x; END LOOP;",
        ),
    ];
    for (body, expected) in bodies {
        let declared = |name: &str| if body.contains("FOR") { "v" } else { name }.to_owned();
        let function = |name: &str, body: &str| {
            let name = declared(name);
            let result = if body.contains("NEXT") { "SETOF int" } else { "int" };
            format!(
                "CREATE FUNCTION f() RETURNS {result} LANGUAGE plpgsql AS $$ DECLARE {name} int; BEGIN {body} END $$"
            )
        };
        becomes(&mut client, &function("v", body), "x", &function("x", expected));
    }
    let cursor = "DO $$ DECLARE c| CURSOR FOR SELECT 1; r int; BEGIN OPEN c; FETCH c INTO r; MOVE c; CLOSE c; FOR q IN c LOOP NULL; END LOOP; END $$";
    let renamed = cursor.replace("c|", "c").replace(" c ", " x ").replace(" c;", " x;");
    becomes(&mut client, cursor, "x", &renamed);
    client.end();
}

#[test]
fn functions_are_renamed() {
    let mut client = Client::start();
    let function = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; ";
    becomes(
        &mut client,
        &format!("{function}SELECT f(1) FROM users WHERE |f(2) > 1"),
        "g",
        &format!("{}SELECT g(1) FROM users WHERE g(2) > 1", function.replace(" f(", " g(")),
    );
    client.end();
}

/// Each with a message that names the reason.
#[test]
fn what_is_not_certain_is_refused() {
    let mut client = Client::start();
    let other = "CREATE TABLE posts (id bigint, author bigint);\n";
    let cases = [
        (
            "SELECT nam|e FROM users; SELEC name FROM users",
            "x",
            "the name is in a statement with an error",
        ),
        ("SELECT i|d FROM users JOIN posts USING (id)", "x", "not certain what the name means"),
        ("SELECT nam|e FROM users", "id", "there is another column \"id\""),
        (
            "SELECT x.name FROM (SELECT * FROM users) AS x; SELECT nam|e FROM users",
            "y",
            "would mean something else",
        ),
        (
            "SELECT 1 FROM use|rs; SELECT users.id FROM posts AS users",
            "posts",
            "there is another table \"posts\"",
        ),
        ("SELECT n|ow()", "x", "is not defined in these files"),
        ("SELECT 1 FROM unknow|n", "x", "is not defined in these files"),
        (
            "DO $$ DECLARE v int; BEGIN v := (SELECT count(*) FROM users WHERE id = |v); END $$",
            "name",
            "then, column reference \"name\" is ambiguous",
        ),
        // Records, whose fields may be the column.
        (
            "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'a'; RETURN NEW; END $$; SELECT nam|e FROM users",
            "x",
            "it is not known what the name means here",
        ),
        (
            "DO $$ DECLARE r record; BEGIN FOR r IN SELECT * FROM users LOOP PERFORM r.name; END LOOP; END $$; SELECT nam|e FROM users",
            "x",
            "it is not known what the name means here",
        ),
        (
            "SELECT (SELECT users FROM users LIMIT 1).name; SELECT nam|e FROM users",
            "x",
            "it is not known what the name means here",
        ),
        ("SELECT 'users'::regclass; SELECT 1 FROM use|rs", "x", "the name is in a string"),
        ("SELECT nextval('public.q'); CREATE SEQUENCE |q", "x", "the name is in a string"),
        (
            "DO $$ BEGIN PERFORM to_regclass('Users'); END $$; SELECT 1 FROM use|rs",
            "x",
            "in a string",
        ),
        // Types in SQL of a body.
        (
            "DO $$ BEGIN PERFORM NULL::users; END $$; SELECT 1 FROM use|rs",
            "x",
            "it is not known what the name means here",
        ),
        (
            "DO 'BEGIN PERFORM 1 FROM users; END'; SELECT 1 FROM use|rs",
            "x",
            "the name is in a body between single quotes",
        ),
        (
            "DO $$ BEGIN SELEC name FROM users; END $$; SELECT nam|e FROM users",
            "x",
            "the name is in a statement with an error",
        ),
        (
            "SELECT 1 FROM users NATURAL JOIN posts; SELECT nam|e FROM users",
            "author",
            "a NATURAL JOIN may depend on the name",
        ),
        ("SELECT nam|e FROM users", "", "this is not a name"),
        ("SELECT nam|e FROM users", &"x".repeat(64), "PostgreSQL cuts names"),
        ("SELECT 1 + |1", "x", "there is no name here"),
    ];
    for (sql, new, expected) in cases {
        let message = rename(&mut client, &format!("{SCHEMA}{other}{sql}"), new).unwrap_err();
        assert!(message.contains(expected), "{sql}: {message}");
    }
    client.end();
}

/// Names that no tree tells the meaning of, and what PostgreSQL makes of a name.
#[test]
fn what_would_be_left_behind_is_refused() {
    let mut client = Client::start();
    let unknown = "it is not known what the name means here";
    let function = "CREATE FUNCTION f(v int) RETURNS int LANGUAGE sql AS $$ SELECT |v $$; ";
    let cases = [
        ("COPY users (na|me) FROM stdin WITH (FORCE_NOT_NULL (name))", unknown),
        ("SELECT na|me FROM users; SELECT name(users) FROM users", unknown),
        ("SELECT na|me FROM users; CREATE TABLE t (name text) INHERITS (users)", unknown),
        (
            "SELECT na|me FROM users; CREATE TABLE t (id bigint, name text); ALTER TABLE t INHERIT users",
            "a table that inherits may have to have the column, too",
        ),
        (
            "SELECT na|me FROM users; CREATE VIEW v AS SELECT * FROM users",
            "it would have other columns",
        ),
        (
            "SELECT na|me FROM users; ALTER TABLE users DROP CONSTRAINT users_name_key",
            "PostgreSQL derives this name from it",
        ),
        (
            "SELECT nextval('users_id_seq') FROM |users",
            "the name is in a string, or one that comes",
        ),
        ("SELECT 1 FROM |users; SELECT CAST(E'users' AS regclass)", "the name is in a string"),
        ("SELECT 1 FROM |users; SELECT ($$public.users$$)::regclass", "the name is in a string"),
        ("SELECT 1 FROM |users; SELECT has_table_privilege('users', 'SELECT')", "in a string"),
        ("SELECT |name FROM users; SELECT pg_get_serial_sequence('t', 'name')", "in a string"),
        ("CREATE TABLE s.|t (); SELECT 1 FROM t", unknown),
        (
            "SELECT 1 FROM |users; ALTER TABLE users SET SCHEMA s; SELECT 1 FROM s.users",
            "something else",
        ),
        (
            "CREATE FUNCTION f(t) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; CREATE TABLE |t ()",
            unknown,
        ),
        ("CREATE TYPE mo|od AS ENUM ('a'); SELECT mood('a')", unknown),
        (
            "CREATE FUNCTION |f() RETURNS fdw_handler LANGUAGE c AS 'f'; CREATE FOREIGN DATA WRAPPER w HANDLER f",
            unknown,
        ),
        ("CREATE ROLE b|ob; SET ROLE bob", unknown),
        ("CREATE SCHEMA |s; SELECT 1 FROM s.t", unknown),
        ("CREATE EXTENSION |e", "objects of this kind are not renamed"),
        (&format!("{function}SELECT f(v => 1)"), "a call or another definition"),
        (
            &format!("{function}DO $$ BEGIN PERFORM f(1, v := 1); END $$"),
            "a call or another definition",
        ),
        (
            &format!(
                "{function}CREATE OR REPLACE FUNCTION f(v int) RETURNS int LANGUAGE sql AS 'SELECT 1'"
            ),
            "a call or another",
        ),
        ("CREATE FUNCTION f(v int) RETURNS int LANGUAGE sql AS $$ SELECT f.v + |v $$", unknown),
        ("CREATE FUNCTION f(v int) RETURNS int LANGUAGE sql RETURN f.v + |v", unknown),
        ("DO $$ DECLARE |type int; other type%TYPE; BEGIN END $$", unknown),
        ("SELECT id + 1 AS |b FROM t GROUP BY b", unknown),
        (
            "SELECT |name FROM users; DO $$ BEGIN CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $f$ SELECT name FROM users $f$; END $$",
            "the name is in a body in a body",
        ),
        ("CREATE TABLE |old (id int)", "PostgreSQL has a table"),
    ];
    // What publications name is found.
    for published in ["(na|me)", "WHERE (na|me > 'a')"] {
        let publication = format!("CREATE PUBLICATION p FOR TABLE users {published}; SELECT 1");
        let renamed = rename(&mut client, &format!("{SCHEMA}{publication}"), "x").unwrap();
        let renamed_there = publication.replace("na|me", "x");
        assert_eq!(renamed, SCHEMA.replace("name text", "x text") + &renamed_there);
    }
    for (sql, expected) in cases {
        let message = rename(&mut client, &format!("{SCHEMA}{sql}"), "x").unwrap_err();
        assert!(message.contains(expected), "{sql}: {message}");
    }
    let taken = [
        ("DO $$ DECLARE |v bool; BEGIN IF found THEN NULL; END IF; END $$", "found", "new name"),
        ("CREATE INDEX i ON users (id); SELECT 1 FROM |users", "i", "there is another index \"i\""),
        ("CREATE TYPE i AS ENUM (); SELECT 1 FROM |users", "i", "there is another type \"i\""),
        ("SELECT 1 FROM |users", "excluded", "PostgreSQL has a table"),
        ("SELECT 1 FROM |users", "pg_class", "PostgreSQL has a table \"pg_class\" of its own"),
        ("SELECT |name FROM users", "xmin", "PostgreSQL has a column \"xmin\" of its own"),
        (
            &format!("{}SELECT |f(1)", function.replace('|', "")),
            "lower",
            "PostgreSQL has a function",
        ),
    ];
    for (sql, new, expected) in taken {
        let message = rename(&mut client, &format!("{SCHEMA}{sql}"), new).unwrap_err();
        assert!(message.contains(expected), "{sql}: {message}");
    }
    client.end();
}

#[test]
fn a_name_is_checked_first() {
    let mut client = Client::start();
    let (text, at) = cursor(&format!("{SCHEMA}SELECT \"na|me\" FROM users"));
    client.open(&text);
    let found = client.ask("textDocument/prepareRename", &text, at).unwrap();
    assert_eq!(found["placeholder"], "name");
    let (text, at) = cursor("SELECT no|w()");
    client.open(&text);
    assert_eq!(client.ask("textDocument/prepareRename", &text, at), Err::<Value, _>(-32803));
    client.end();
}
