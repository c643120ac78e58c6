//! A client that simulates an editor: its requests, and the server's responses.

mod bodies;
mod client;
mod hints;
mod navigation;
mod protocol;
mod renames;
mod scopes;
mod sessions;

use client::Client;
use serde_json::{Value, json};

const SCHEMA: &str = "\
CREATE TABLE IF NOT EXISTS app.users (id bigint PRIMARY KEY, \"Full Name\" text NOT NULL);
CREATE TABLE IF NOT EXISTS posts (id bigint, author bigint);
";

#[test]
fn it_says_what_it_can_do() {
    let client = Client::start();
    let capabilities = &client.capabilities;
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"], 2);
    for provider in ["hoverProvider", "documentSymbolProvider", "documentFormattingProvider"] {
        assert_eq!(capabilities[provider], true, "{provider}");
    }
    client.end();
}

#[test]
fn mistakes_are_diagnostics() {
    let mut client = Client::start();
    let found =
        client.open("SELECT '🐘' FORM t;\nDELETE FROM t;\nSELECT a FROM t WHERE a IS NULL;");
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["range"], range((0, 17), (0, 18)));
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(1), &json!("syntax-error")));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("syntax error at or near \"t\"\nexpected "), "{message}");
    assert!(message.ends_with("did you mean FROM?"), "{message}");
    assert_eq!(found[1]["range"], range((1, 12), (1, 13)));
    assert_eq!(
        (&found[1]["severity"], &found[1]["code"]),
        (&json!(2), &json!("delete-without-where"))
    );

    assert_eq!(client.change("SELECT a FROM t").len(), 0);
    assert_eq!(client.change("SELECT a FROM").len(), 1);
    assert_eq!(client.close().len(), 0);
    client.end();
}

/// Below it, nothing is checked.
#[test]
fn open_copy_data_is_a_diagnostic() {
    let mut client = Client::start();
    let found = client.open("SELECT 1;\nCOPY t FROM stdin;\n1\nSELEC 2;\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["range"], range((1, 0), (1, 17)));
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(2), &json!("open-copy-data")));
    let message = found[0]["message"].as_str().unwrap();
    assert_eq!(message, "the rest of the script is data of this COPY\na line \\. ends its data");
    let found = client.change("COPY t FROM stdin;\n1\n\\.\nSELEC 2;\n");
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("syntax-error")));
    client.end();
}

#[test]
fn code_actions_mend() {
    let mut client = Client::start();
    let text = "SELECT a FORM t;\nSELECT b FROM t WHERE b = NULL; SELECT 'ä🐘', c <> NULL;\n";
    client.open(text);
    let actions = client.actions((0, 14), (0, 14), &[]);
    assert_eq!(actions[0]["title"], "Replace with FROM");
    assert_eq!(
        (&actions[0]["kind"], &actions[0]["isPreferred"]),
        (&json!("quickfix"), &json!(false))
    );
    let guessed = text.replacen("FORM", "FROM", 1);
    assert_eq!(client::applied(text, &actions[0]), guessed);
    assert_eq!(actions[0]["diagnostics"][0]["code"], "syntax-error");

    // The requested one, and one for the entire document, without guesses.
    let actions = client.actions((1, 45), (1, 54), &[]);
    assert_eq!(actions.len(), 3);
    assert_eq!(client::applied(text, &actions[0]), text.replacen("<> NULL", "IS NOT NULL", 1));
    let silent = text.replacen("SELECT 'ä", "-- pgast-ignore null-comparison\nSELECT 'ä", 1);
    assert_eq!(client::applied(text, &actions[1]), silent);
    assert!(
        client
            .open(&silent)
            .iter()
            .all(|it| it["range"]["start"]["line"] != 2 || it["code"] == "missing-column")
    );
    // With the ends of lines that the document has.
    let text_with_crlf = text.replace('\n', "\r\n");
    client.open(&text_with_crlf);
    let silence = &client.actions((1, 45), (1, 54), &[])[1]["edit"]["changes"][client::URI][0];
    assert_eq!(silence["newText"], "-- pgast-ignore null-comparison\r\n");
    client.open(text);
    let all = text.replacen("<> NULL", "IS NOT NULL", 1).replacen("= NULL", "IS NULL", 1);
    assert_eq!(client::applied(text, &actions[2]), all);

    let only = client.actions((0, 0), (3, 0), &["source"]);
    assert_eq!(only.len(), 1);
    assert_eq!(only[0]["kind"], "source.fixAll");
    assert_eq!(client.actions((0, 0), (0, 0), &["refactor"]).len(), 0);
    client.end();
}

#[test]
fn keywords_and_names_are_completed() {
    let mut client = Client::start();
    // `|` is the cursor.
    let mut labels = |sql: &str| client.complete(&format!("{SCHEMA}{sql}"));
    let found = labels("SELECT id FROM posts WH|; SELEC");
    assert_eq!(found, [("WHERE".to_owned(), "WHERE".to_owned())]);
    assert_eq!(labels("select id from posts wh|"), [("where".to_owned(), "where".to_owned())]);

    let texts = |found: Vec<(String, String)>| found.into_iter().map(|(_, text)| text);
    let columns: Vec<_> = texts(labels("SELECT u.| FROM app.users u, posts")).collect();
    assert!(columns.contains(&"id".to_owned()) && columns.contains(&"\"Full Name\"".to_owned()));
    assert!(!columns.contains(&"author".to_owned()), "{columns:?}");
    let columns: Vec<_> = texts(labels("SELECT | FROM app.users u, posts")).collect();
    for name in ["id", "author", "u", "posts", "CASE"] {
        assert!(columns.contains(&name.to_owned()), "{name}: {columns:?}");
    }
    let with =
        "WITH x AS (SELECT id AS n, author FROM posts) SELECT | FROM x, (SELECT 1 AS one) AS s";
    let columns: Vec<_> = texts(labels(with)).collect();
    for name in ["n", "author", "one", "x", "s"] {
        assert!(columns.contains(&name.to_owned()), "{name}: {columns:?}");
    }
    assert_eq!(texts(labels(&with.replace('|', "s.|"))).collect::<Vec<_>>(), ["one"]);
    let tables: Vec<_> = texts(labels("DELETE FROM |")).collect();
    assert!(tables.contains(&"users".to_owned()) && tables.contains(&"posts".to_owned()));
    assert!(!tables.contains(&"id".to_owned()));
    assert_eq!(texts(labels("SELECT 1 FROM app.u|")).collect::<Vec<_>>(), ["users"]);
    let types: Vec<_> = texts(labels("CREATE TYPE mood AS ENUM ('a'); SELECT 1::m|")).collect();
    assert!(types.contains(&"mood".to_owned()) && types.contains(&"money".to_owned()));
    // Unfinished statements, without semicolons, and one that has not begun.
    let columns: Vec<_> =
        texts(labels("SELECT u.|\nFROM app.users u\n\nDELETE FROM posts")).collect();
    assert!(columns.contains(&"id".to_owned()) && !columns.contains(&"author".to_owned()));
    let after =
        texts(labels("SELECT 1 FROM\nDELETE FROM posts p WHERE |id = 1")).collect::<Vec<_>>();
    assert!(after.contains(&"author".to_owned()) && !after.contains(&"\"Full Name\"".to_owned()));
    assert!(texts(labels("SELECT 1; | SELECT 2")).any(|text| text == "UPDATE"));
    // What is open before the cursor, and columns that only the statement shows to be ones.
    for (sql, name) in [
        ("SELECT count(u.| FROM app.users u", "id"),
        ("SELECT CASE WHEN u.| FROM app.users u WHERE u.id = 1", "id"),
        ("SELECT f((a, | FROM posts", "author"),
        ("SELECT 1 FROM posts JOIN app.users u USING (|", "author"),
        ("INSERT INTO posts VALUES (1) ON CONFLICT (|", "author"),
        ("CREATE INDEX ON posts (|", "author"),
        ("ALTER TABLE posts DROP COLUMN |", "author"),
        ("COMMENT ON COLUMN posts.|", "author"),
    ] {
        let found: Vec<_> = texts(labels(sql)).collect();
        assert!(found.contains(&name.to_owned()), "{sql}: {found:?}");
    }
    // A name in quotes may have blanks, and be there already.
    let name = [("Full Name".to_owned(), "\"Full Name\"".to_owned())];
    for sql in ["u.\"Full N|", "u.\"Full N|\"", "u.\"Full| Name\"", "\"full n|\""] {
        assert_eq!(labels(&format!("SELECT {sql} FROM app.users u")), name, "{sql}");
    }
    // Inside of a string there is nothing to complete, nor in a comment.
    for sql in ["SELECT 'a |'", "SELECT 1 -- a|", "SELECT 1 -- a|\nFROM posts", "SELECT /* a| */ 1"]
    {
        assert_eq!(labels(sql), [], "{sql}");
    }
    client.end();
}

#[test]
fn hover_explains_nodes() {
    let mut client = Client::start();
    let text = format!(
        "{SCHEMA}SELECT lower( u.\"Full Name\" ), count(*)\n  FROM app.users u WHERE u.id=1 + 2;\nSELEC"
    );
    client.open(&text);
    let mut hover = |line, column| client.hover(line, column);
    let (shown, place) = hover(2, 8).unwrap();
    assert!(shown.starts_with("**FuncCall**: a call of a function"), "{shown}");
    assert!(shown.contains("```sql\nlower(u.\"Full Name\")\n```"), "{shown}");
    assert_eq!(place, range((2, 7), (2, 29)));
    let (shown, _) = hover(2, 20).unwrap();
    assert!(
        shown.starts_with("**ColumnRef**") && shown.contains("`users.Full Name` text"),
        "{shown}"
    );
    let (shown, _) = hover(3, 10).unwrap();
    assert!(shown.starts_with("**RangeVar**") && shown.contains("- `id` bigint"), "{shown}");
    let (shown, _) = hover(3, 32).unwrap();
    assert!(shown.starts_with("**A_Expr**") && shown.contains("\n1 + 2\n"), "{shown}");
    assert_eq!(hover(4, 2), None);
    client.end();
}

#[test]
fn statements_are_symbols() {
    let mut client = Client::start();
    client.open(&format!(
        "{SCHEMA}CREATE TYPE m AS ENUM ('sad', 'happy');\nselect  1\n  + 2; SELEC 1"
    ));
    let symbols = client.symbols();
    let shown: Vec<_> = symbols.iter().map(|it| (&it["name"], &it["kind"])).collect();
    let expected =
        [("app.users", 23), ("posts", 23), ("m", 10), ("select 1 + 2", 24), ("SELEC 1", 24)]
            .map(|(name, kind)| (json!(name), json!(kind)));
    assert_eq!(shown, expected.iter().map(|(name, kind)| (name, kind)).collect::<Vec<_>>());
    assert_eq!(symbols[0]["detail"], "CreateStmt");
    assert_eq!(symbols[0]["selectionRange"], range((0, 27), (0, 36)));
    let columns: Vec<_> = symbols[0]["children"].as_array().unwrap().iter().collect();
    assert_eq!((&columns[1]["name"], &columns[1]["detail"]), (&json!("Full Name"), &json!("text")));
    assert_eq!(symbols[2]["children"][1]["name"], "happy");
    client.end();
}

#[test]
fn formatting_keeps_comments() {
    let mut client = Client::start();
    let text = "SELECT 1;\n\n-- of b\nselect a,b from t where c;\n";
    client.open(text);
    let edits = client.request(
        "textDocument/formatting",
        json!({
            "textDocument": { "uri": client::URI },
            "options": { "tabSize": 2, "insertSpaces": true },
        }),
    );
    let formatted = client::edited(text, edits.as_array().unwrap());
    assert!(formatted.contains("-- of b\nSELECT a, b FROM t WHERE c;\n"), "{formatted}");
    // Formatted SQL needs no edit, and the first line was unchanged.
    assert_ne!(edits[0]["range"]["start"]["line"], 0);
    client.change(&formatted);
    let again = client.request(
        "textDocument/formatting",
        json!({
            "textDocument": { "uri": client::URI },
            "options": { "tabSize": 2, "insertSpaces": true },
        }),
    );
    assert_eq!(again, json!([]));
    client.end();
}

#[test]
fn regions_follow_nodes() {
    let mut client = Client::start();
    let text = "-- one\n-- two\nSELECT a + b\nFROM (\n  SELECT 1\n  FROM t\n) AS s;\nSELECT 1;";
    client.open(text);
    let document = json!({ "textDocument": { "uri": client::URI } });
    let folding = client.request("textDocument/foldingRange", document);
    let folding: Vec<_> = folding.as_array().unwrap().iter().collect();
    let lines: Vec<_> =
        folding.iter().map(|it| (it["startLine"].as_u64(), it["endLine"].as_u64())).collect();
    assert_eq!(lines, [(0, 1), (2, 6), (4, 5)].map(|(start, end)| (Some(start), Some(end))));
    assert_eq!(folding[0]["kind"], "comment");

    let selections = client.request(
        "textDocument/selectionRange",
        json!({
            "textDocument": { "uri": client::URI },
            "positions": [{ "line": 2, "character": 12 }, { "line": 0, "character": 0 }],
        }),
    );
    let mut step = &selections[0];
    let mut steps = Vec::new();
    while !step.is_null() {
        steps.push(step["range"].clone());
        step = &step["parent"];
    }
    let expected = [((2, 11), (2, 12)), ((2, 7), (2, 12)), ((2, 0), (6, 6)), ((0, 0), (7, 9))];
    assert_eq!(steps, expected.map(|(start, end)| range(start, end)));
    assert!(selections[1]["parent"].is_null());
    client.end();
}

/// Only the statements in a range, and the one before a semicolon that has been typed.
#[test]
fn statements_are_formatted_alone() {
    let mut client = Client::start();
    let text = "select  1;\nselect  'ä',\n2;select  3;\n";
    client.open(text);
    let document = json!({ "uri": client::URI });
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = client.request(
        "textDocument/rangeFormatting",
        json!({
            "textDocument": document,
            "options": options,
            "range": range((1, 0), (1, 8)),
        }),
    );
    let formatted = client::edited(text, edits.as_array().unwrap());
    assert_eq!(formatted, "select  1;\nSELECT 'ä', 2;select  3;\n");
    let edits = client.request(
        "textDocument/onTypeFormatting",
        json!({
            "textDocument": document,
            "options": options,
            "position": { "line": 2, "character": 2 },
            "ch": ";",
        }),
    );
    assert_eq!(client::edited(text, edits.as_array().unwrap()), formatted);
    client.end();
}

/// The server responds to each request of any client, and continues.
#[test]
fn no_message_ends_it() {
    let mut client = Client::start();
    let methods = [
        "textDocument/codeAction",
        "textDocument/completion",
        "textDocument/hover",
        "textDocument/documentSymbol",
        "textDocument/formatting",
        "textDocument/rangeFormatting",
        "textDocument/onTypeFormatting",
        "textDocument/foldingRange",
        "textDocument/selectionRange",
        "no/such/method",
    ];
    let deep = format!("SELECT {}1{}", "(NOT ".repeat(500), ")".repeat(500));
    let texts = [
        "",
        ";",
        "SELECT '",
        "\\echo 'a\n.",
        "\u{feff}SELECT 1",
        "SELECT\r1\r\n;\rä🐘",
        "COPY t FROM stdin;\n1\t'",
        "$$ a",
        "\0",
        "CREATE TABLE t (",
        "a.b.",
        "\"",
        "SELECT u.\"",
        &deep,
    ];
    let far = json!({ "line": u32::MAX, "character": u32::MAX });
    let near = json!({ "line": 0, "character": 8 });
    for text in texts {
        client.open(text);
        for (method, place) in methods.iter().flat_map(|method| [(method, &far), (method, &near)]) {
            let whole = json!({
                "textDocument": { "uri": client::URI },
                "position": place,
                "positions": [place, place],
                "ch": ";",
                "range": { "start": place, "end": { "line": 0, "character": 0 } },
                "context": { "diagnostics": [], "triggerKind": 1 },
                "options": { "tabSize": 0, "insertSpaces": false },
            });
            let answer = client.request_any(method, whole);
            assert!(answer.is_ok() || *method == "no/such/method", "{method}: {answer:?}");
        }
    }
    for method in methods {
        for params in [Value::Null, json!([]), json!({ "textDocument": 1 }), json!("a")] {
            let error = client.request_any(method, params).unwrap_err();
            assert!(error == -32602 || method == "no/such/method" && error == -32601, "{error}");
        }
        let unknown = json!({
            "textDocument": { "uri": "file:///other.sql" }, "position": near, "positions": [near], "ch": ";",
            "range": { "start": near, "end": near }, "context": { "diagnostics": [], "triggerKind": 1 },
            "options": { "tabSize": 4, "insertSpaces": true },
        });
        let answer = client.request_any(method, unknown);
        assert!(matches!(answer, Ok(Value::Null) | Err(-32601)), "{answer:?}");
    }
    client.notify("textDocument/didOpen", json!({ "textDocument": [] }));
    client.notify("textDocument/didChange", Value::Null);
    client.notify("$/setTrace", json!({}));
    assert_eq!(client.open("SELECT FROM FROM").len(), 1);
    client.end();
}

#[test]
fn an_exit_without_a_shutdown_is_an_error() {
    let mut client = Client::start();
    client.notify("exit", Value::Null);
    assert!(client.ended().is_err());
    let client = Client::start();
    assert!(client.gone().is_err());
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({ "start": place(start), "end": place(end) })
}
