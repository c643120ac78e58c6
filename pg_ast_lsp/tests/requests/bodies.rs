//! A client that edits functions in PL/pgSQL.

use serde_json::json;

use super::client::{self, Client};

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS items (id bigint, price numeric);\n";

fn labels(client: &mut Client, body: &str) -> Vec<String> {
    let sql = format!("{SCHEMA}{body}");
    client.complete(&sql).into_iter().map(|(label, _)| label).collect()
}

/// As somebody types it, from the beginning: the quote after the body is not there yet.
#[test]
fn a_body_without_an_end_is_completed() {
    let mut client = Client::start();
    for end in ["", " ", "\n  "] {
        let found = labels(&mut client, &format!("DO $$ DECLARE row_ items; BEGIN row_.|{end}"));
        assert_eq!(found, ["id", "price"], "{end:?}");
    }
    let found = labels(&mut client, "DO $$ DECLARE row_ items; BEGIN PERFORM ro|");
    assert!(found.contains(&"row_".to_owned()), "{found:?}");
    // After a dot, there are no keywords.
    assert_eq!(labels(&mut client, "DO $$ DECLARE r items; BEGIN r.|; END $$"), ["id", "price"]);
    assert_eq!(labels(&mut client, "DO $$ BEGIN -- re|\n END $$"), [""; 0]);
    client.end();
}

/// The scanner goes on behind its first line.
#[test]
fn the_tokens_of_a_body_without_an_end_are_in_order() {
    let mut client = Client::start();
    client.open("CREATE FUNCTION $$0\n@ 'a'");
    let params = json!({ "textDocument": { "uri": client::URI } });
    let tokens = client.request("textDocument/semanticTokens/full", params);
    let data: Vec<_> =
        tokens["data"].as_array().unwrap().iter().map(serde_json::Value::as_u64).collect();
    let places: Vec<_> = data.chunks(5).map(|token| (token[0], token[1])).collect();
    let expected = [(0, 0), (0, 7), (0, 11), (1, 0), (0, 2)];
    assert_eq!(places, expected.map(|(line, start)| (Some(line), Some(start))));
    client.end();
}

#[test]
fn variables_are_completed() {
    let mut client = Client::start();
    let function = |body: &str| {
        format!(
            "CREATE FUNCTION f(order_id int, note text) RETURNS int LANGUAGE plpgsql AS $b$\n{body}\n$b$;"
        )
    };
    let mut found = |body: &str| labels(&mut client, &function(body));
    let has = |found: &[String], names: &[&str]| {
        for name in names {
            assert!(found.iter().any(|it| it == name), "{name}: {found:?}");
        }
    };
    let lacks = |found: &[String], names: &[&str]| {
        for name in names {
            assert!(!found.iter().any(|it| it == name), "{name}: {found:?}");
        }
    };
    // In SQL: columns, variables, parameters. An error above and an unfinished block do not matter.
    let declare = "DECLARE n int; \"My Row\" items%ROWTYPE;";
    let sql = found(&format!("{declare} BEGIN SELEC 1; SELECT | FROM items"));
    has(&sql, &["id", "price", "n", "My Row", "order_id", "note", "found"]);
    let sql = found(&format!("{declare} BEGIN\n  PERFORM 1 FROM items WHERE no|; RETURN 1; END"));
    assert_eq!(sql, ["note", "normalize", "not", "notlike", "now"]);
    // Expressions.
    for before in [
        "n := ",
        "RETURN ",
        "IF ",
        "IF n = 1 THEN\nELSIF ",
        "WHILE ",
        "EXIT WHEN ",
        "RAISE NOTICE '%', ",
    ] {
        let names = found(&format!("{declare} BEGIN {before}|"));
        has(&names, &["n", "order_id", "CASE"]);
        lacks(&names, &["id", "INSERT"]);
    }
    // Fields of a row.
    assert_eq!(found("DECLARE r items%ROWTYPE; BEGIN RETURN r.|; END"), ["id", "price"]);
    // What a loop or an inner block declares, is there and nowhere else.
    has(&found("BEGIN FOR i IN 1..3 LOOP n := |"), &["i"]);
    lacks(&found("BEGIN FOR i IN 1..3 LOOP NULL; END LOOP; RETURN |"), &["i"]);
    lacks(&found("BEGIN <<b>> DECLARE m int; BEGIN NULL; END b; RETURN |; END"), &["m"]);
    has(
        &found("BEGIN IF true THEN CASE WHEN true THEN <<b>> DECLARE m int; BEGIN RETURN |"),
        &["m"],
    );
    // A CASE of SQL does not begin statements.
    has(
        &found(&format!("{declare} BEGIN SELECT CASE WHEN true THEN | FROM items; END")),
        &["n", "id"],
    );
    // Handlers.
    has(&found("BEGIN NULL; EXCEPTION WHEN OTHERS THEN RETURN |"), &["sqlerrm", "sqlstate"]);
    // Statements, and types of declarations.
    has(&found(&format!("{declare} BEGIN NULL; |")), &["IF", "RETURN", "INSERT", "n"]);
    assert_eq!(found("BEGIN retu|; END"), ["return"]);
    has(&found("DECLARE a num|"), &["numeric"]);
    has(&found("DECLARE a int := ord|; BEGIN END"), &["order_id"]);
    client.end();
}

#[test]
fn other_bodies_are_completed() {
    let mut client = Client::start();
    let sql =
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT pr| FROM items $$";
    assert_eq!(labels(&mut client, sql), ["price"]);
    let trigger = "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN RETURN n| $$ LANGUAGE plpgsql";
    assert!(labels(&mut client, trigger).contains(&"new".to_owned()));
    let done = labels(&mut client, "DO $$ DECLARE amount int; BEGIN amount := amo| END $$");
    assert_eq!(done, ["amount"]);
    // Another language, and a string that is no body.
    assert!(labels(&mut client, "DO LANGUAGE plperl $$ $a| $$").is_empty());
    assert!(labels(&mut client, "SELECT $$ SELECT | $$").is_empty());
    client.end();
}

const FUNCTION: &str = "\
CREATE FUNCTION total(order_id int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    result numeric(10, 2) := 0;
    c CURSOR FOR SELECT 1;
BEGIN
    FOR i IN 1..2 LOOP
        SELECT sum(price) INTO result FROM items
        WHERE id = order_id;
    END LOOP;
    RETURN result + 1;
END $$;
";

#[test]
fn hover_explains_variables_and_statements() {
    let mut client = Client::start();
    client.open(&format!("{SCHEMA}{FUNCTION}"));
    let mut hover = |line, column| client.hover(line, column).expect("something").0;
    // Where it is declared, assigned by INTO, and read.
    for place in [(3, 6), (7, 36), (10, 14)] {
        assert_eq!(hover(place.0, place.1), "**variable** `result` numeric(10, 2)", "{place:?}");
    }
    assert_eq!(hover(8, 22), "**parameter** `order_id` int");
    assert!(hover(7, 44).contains("- `price` numeric"));
    assert_eq!(hover(7, 12), "**PLpgSQL_stmt_execsql**: runs SQL");
    assert_eq!(hover(6, 10), "**PLpgSQL_stmt_fori**: a loop over integers");
    // Outside of the body.
    assert!(hover(1, 5).starts_with("**CreateFunctionStmt**"));
    client.end();
}

#[test]
fn declarations_are_symbols_and_statements_regions() {
    let mut client = Client::start();
    client.open(FUNCTION);
    let symbols = client.symbols();
    let children = symbols[0]["children"].as_array().unwrap();
    let shown: Vec<_> = children.iter().map(|it| (&it["name"], &it["detail"])).collect();
    let expected = [
        ("order_id", "parameter int"),
        ("result", "variable numeric(10, 2)"),
        ("c", "cursor refcursor"),
    ]
    .map(|(name, detail)| (json!(name), json!(detail)));
    assert_eq!(shown, expected.iter().map(|(name, detail)| (name, detail)).collect::<Vec<_>>());

    let document = json!({ "textDocument": { "uri": client::URI } });
    let folding = client.request("textDocument/foldingRange", document);
    let lines: Vec<_> = folding
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["startLine"].as_u64().unwrap(), it["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(0, 10), (1, 10), (5, 8), (6, 7)]);

    let selections = client.request(
        "textDocument/selectionRange",
        json!({
            "textDocument": { "uri": client::URI },
            "positions": [{ "line": 9, "character": 13 }],
        }),
    );
    // The expression, its statement, the block.
    let (expression, stmt) = (&selections[0], &selections[0]["parent"]);
    assert_eq!(expression["range"]["start"], json!({ "line": 9, "character": 11 }));
    assert_eq!(stmt["range"]["start"], json!({ "line": 9, "character": 4 }));
    assert_eq!(stmt["parent"]["range"]["start"], json!({ "line": 1, "character": 0 }));
    client.end();
}

/// Whatever is in a body, and wherever the cursor.
#[test]
fn no_body_ends_it() {
    let mut client = Client::start();
    for body in [
        "",
        ";",
        "END END END;",
        "LOOP (",
        "<<a",
        "DECLARE",
        "FOR",
        "CASE WHEN",
        "$a$ ;",
        "ä := ",
        "''",
    ] {
        for place in 0..=body.len() {
            if body.is_char_boundary(place) {
                let (before, behind) = body.split_at(place);
                client.complete(&format!("DO $$ {before}|{behind} $$"));
                client.complete(&format!("DO $${before}|{behind}"));
            }
        }
        client.hover(0, 7);
        client.symbols();
    }
    client.end();
}
