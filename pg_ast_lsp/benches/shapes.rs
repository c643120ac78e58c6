//! How long the server takes for odd documents, and for ones of twice the length: the second figure has to be about twice the first.
//!
//! `cargo bench -p pg_ast_lsp --bench shapes` opens each, changes it, and asks everything. `-- --test` takes small ones.

use std::time::{Duration, Instant};

use serde_json::json;

use connection::Connection;

mod connection;

const URI: &str = "file:///shape.sql";

const METHODS: [&str; 11] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/foldingRange",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
];

/// Makes numbered texts.
fn all(count: usize, text: fn(usize) -> String) -> Vec<String> {
    (0..count).map(text).collect()
}

/// Makes numbered texts, one behind the other.
fn many(count: usize, text: fn(usize) -> String) -> String {
    all(count, text).concat()
}

/// A document by its length.
type Shape = (&'static str, usize, fn(usize) -> String);

const SHAPES: [Shape; 12] = [
    ("wrong statements in one line", 2_000, |n| "SELECT a FORM t; ".repeat(n)),
    ("wrong statements on lines", 2_000, |n| "SELECT a FORM t;\n".repeat(n)),
    ("columns of a table", 8_000, |n| {
        let columns = all(n, |it| format!("  c{it} int"));
        format!("CREATE TABLE t (\n{}\n);\nSELECT * FROM t;", columns.join(",\n"))
    }),
    ("values of an INSERT", 8_000, |n| {
        format!(
            "CREATE TABLE t (a int, b int);\nINSERT INTO t VALUES {}",
            vec!["(1, 2)"; n].join(",\n")
        )
    }),
    ("tables", 2_000, |n| many(n, |it| format!("CREATE TABLE t{it} (a int);\n"))),
    ("items of a FROM", 1_000, |n| {
        let items = all(n, |it| format!("t AS t{it}"));
        let columns = all(n, |it| format!("t{it}.a"));
        format!("SELECT {}\nFROM {}", columns.join(", "), items.join(", "))
    }),
    ("queries of a WITH", 1_000, |n| {
        let ctes = all(n, |it| format!("c{it} AS (SELECT 1 AS a)"));
        let items = all(n, |it| format!("c{it}"));
        format!("WITH {}\nSELECT c0.a FROM {}", ctes.join(",\n"), items.join(", "))
    }),
    ("nested queries", 500, |n| {
        format!("{}SELECT 1 AS a{}", "SELECT x.a FROM (".repeat(n), ") AS x".repeat(n))
    }),
    ("open brackets", 2_000, |n| format!("SELECT {}a", "f(".repeat(n))),
    ("variables of a function", 1_000, |n| {
        let declared = many(n, |it| format!("v{it} int;\n"));
        let used = many(n, |it| format!("v{it} := v{it} + 1;\n"));
        format!("DO $$ DECLARE {declared} BEGIN {used} END $$")
    }),
    ("targets of an INTO", 500, |n| {
        let names = all(n, |it| format!("v{it}"));
        let declared = many(n, |it| {
            format!(
                "v{it} int;
"
            )
        });
        let ones = vec!["1"; n].join(", ");
        format!("DO $$ DECLARE {declared} BEGIN SELECT {ones} INTO {}; END $$", names.join(", "))
    }),
    ("non-ASCII text in one line", 20_000, |n| format!("SELECT '{}', a.b FROM a", "ä🐘".repeat(n))),
];

/// Opens a document, changes it, and asks everything.
fn session(text: &str) -> Duration {
    let mut connection = Connection::start(&json!({}));
    let start = Instant::now();
    let document = json!({ "uri": URI, "languageId": "sql", "version": 1, "text": text });
    connection.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let end = json!({ "line": text.matches('\n').count(), "character": 1_000_000 });
    let begin = json!({ "line": 0, "character": 0 });
    for (id, new) in (10..).zip([" ", "x"]) {
        let change = json!({ "range": { "start": end, "end": end }, "text": new });
        connection.notify(
            "textDocument/didChange",
            &json!({ "textDocument": { "uri": URI, "version": id }, "contentChanges": [change] }),
        );
        for method in METHODS {
            let params = json!({
                "textDocument": { "uri": URI },
                "position": end,
                "range": { "start": begin, "end": end },
                "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
            });
            connection.request(id, method, &params);
            while !connection.receive().contains(r#""id":"#) {}
        }
    }
    let took = start.elapsed();
    connection.end();
    took
}

fn main() {
    let is_test = std::env::args().any(|arg| arg == "--test");
    for (name, count, shape) in SHAPES {
        let count = if is_test { 20 } else { count };
        let [once, twice] =
            [count, 2 * count].map(|count| session(&shape(count)).as_secs_f64() * 1e3);
        println!("{count:6} {name:32} {once:8.1} ms, twice as many {twice:8.1} ms");
    }
}
