//! How long a key takes in a script of 5,000 lines, with everything that an editor asks for after it.
//!
//! `cargo bench -p pg_ast_lsp --bench keys` types in several places, and prints the median and the 99th percentile of each. Messages
//! pass as text, as they do between processes. `-- --test` types only a few keys.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use pg_ast_lsp::lsp_server::{Connection, Message, Notification, Request, RequestId};
use pg_ast_lsp::{Settings, run};
use serde_json::{Value, json};

const URI: &str = "file:///bench.sql";
const LINES: usize = 5_000;
/// The lines that an editor shows.
const SHOWN: usize = 60;

/// Makes a script with tables, indexes, views, queries, and functions in PL/pgSQL.
fn script() -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.lines().count() < LINES {
        let _ = writeln!(
            text,
            "-- The orders of shop {number}.
CREATE TABLE orders_{number} (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer bigint NOT NULL REFERENCES customers (id),
    placed_at timestamptz NOT NULL DEFAULT now(),
    total numeric(12, 2) NOT NULL CHECK (total >= 0),
    note text
);
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_{number}_customer ON orders_{number} (customer, placed_at);
CREATE VIEW recent_{number} AS
SELECT o.id, o.total, o.placed_at, row_number() OVER (PARTITION BY o.customer ORDER BY o.placed_at) AS place
FROM orders_{number} AS o
WHERE o.placed_at > now() - interval '1 day';
INSERT INTO orders_{number} (customer, total, note)
VALUES (1, 10.5, 'first'), (2, 20, 'second'), (3, 30, NULL)
ON CONFLICT (id) DO UPDATE SET total = excluded.total;

WITH big AS (
    SELECT customer, sum(total) AS spent
    FROM orders_{number}
    GROUP BY customer
    HAVING sum(total) > 100
)
SELECT c.name, b.spent, CASE WHEN b.spent > 1000 THEN 'gold' ELSE 'silver' END AS kind
FROM big AS b
JOIN customers AS c ON c.id = b.customer
ORDER BY b.spent DESC, kind
LIMIT 10;

CREATE OR REPLACE FUNCTION close_{number}(shop bigint, day date DEFAULT current_date) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
    revenue numeric := 0;
    line orders_{number}%ROWTYPE;
BEGIN
    FOR line IN SELECT * FROM orders_{number} AS o WHERE o.placed_at::date = day LOOP
        revenue := revenue + line.total;
        IF line.total > 1000 THEN
            UPDATE orders_{number} SET note = 'large' WHERE id = line.id;
        END IF;
    END LOOP;
    RETURN revenue;
END $$;
"
        );
        number += 1;
    }
    let customers = "CREATE TABLE customers (id bigint PRIMARY KEY, name text NOT NULL);\n";
    format!("{customers}{text}")
}

/// What is typed, and before which text.
const TYPED: [(&str, &str, &str); 5] = [
    (
        "a query",
        "-- The orders of shop 60.",
        "SELECT o.id, count(*) FROM orders_60 AS o JOIN customers c ON c.id = o.customer WHERE o.total > 5;\n",
    ),
    (
        "a condition",
        ";\n\nWITH big AS (\n    SELECT customer, sum(total) AS spent\n    FROM orders_61",
        " WHERE excluded.total > 5 AND orders_61.total IS NOT NULL",
    ),
    (
        "a column of the first table",
        "\n);\nCREATE INDEX CONCURRENTLY IF NOT EXISTS orders_0_customer",
        ",\n    discount numeric NOT NULL DEFAULT 0",
    ),
    (
        "a statement in a function",
        "        revenue := revenue + line.total;\n        IF line.total > 1000 THEN\n            UPDATE orders_62",
        "        SELECT revenue + o.total INTO revenue FROM orders_62 AS o WHERE o.id = line.id;\n",
    ),
    ("a comment", "-- The orders of shop 3.", "-- It's a \"comment\" with (brackets.\n"),
];

struct Editor {
    connection: Connection,
    next: i32,
    version: i32,
    result: Value,
    bytes: usize,
}

impl Editor {
    fn send(&mut self, message: Message) {
        // As text, and back.
        let text = serde_json::to_string(&message).expect("JSON");
        let message = serde_json::from_str(&text).expect("a message");
        self.connection.sender.send(message).expect("the server runs");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn request(&mut self, method: &str, mut params: Value) {
        params["textDocument"] = json!({ "uri": URI });
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id, method: method.to_owned(), params }.into());
    }

    /// Waits for the answers of all requests, and for the diagnostics of the text.
    fn wait(&mut self) {
        let (mut answers, mut has_diagnostics) = (0, false);
        let asked = self.next;
        while answers < asked || !has_diagnostics {
            let message = self.connection.receiver.recv().expect("the server runs");
            let text = serde_json::to_string(&message).expect("JSON");
            self.bytes += text.len();
            match message {
                Message::Response(response) => {
                    answers += 1;
                    let result = response.response_result.expect("an answer");
                    if let Some(id) = result.get("resultId") {
                        self.result = id.clone();
                    }
                }
                Message::Notification(it) => {
                    has_diagnostics |= it.params["version"] == self.version
                }
                Message::Request(_) => {}
            }
        }
        self.next = 0;
    }

    /// Types a character, and asks for everything that a key makes an editor ask for.
    fn key(&mut self, line: usize, column: usize, typed: char) -> Duration {
        let start = Instant::now();
        self.version += 1;
        let place = json!({ "line": line, "character": column });
        let change =
            json!({ "range": { "start": place, "end": place }, "text": typed.to_string() });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": self.version }, "contentChanges": [change] }),
        );
        let (line, column) = if typed == '\n' { (line + 1, 0) } else { (line, column + 1) };
        let after = json!({ "line": line, "character": column });
        let shown = json!({
            "start": { "line": line.saturating_sub(SHOWN / 2), "character": 0 },
            "end": { "line": line + SHOWN / 2, "character": 0 },
        });
        self.request("textDocument/completion", json!({ "position": after }));
        self.request("textDocument/signatureHelp", json!({ "position": after }));
        self.request("textDocument/documentHighlight", json!({ "position": after }));
        self.request("textDocument/hover", json!({ "position": after }));
        let previous = self.result.clone();
        self.request(
            "textDocument/semanticTokens/full/delta",
            json!({ "previousResultId": previous }),
        );
        self.request("textDocument/inlayHint", json!({ "range": shown }));
        self.request(
            "textDocument/codeAction",
            json!({ "range": { "start": after, "end": after }, "context": { "diagnostics": [] } }),
        );
        self.request("textDocument/foldingRange", json!({}));
        self.request("textDocument/documentSymbol", json!({}));
        self.wait();
        start.elapsed()
    }
}

fn shown(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!("{name:32} {:6} keys  median {:6.1} ms  p99 {:6.1} ms", times.len(), at(50), at(99));
}

fn main() {
    let is_test = std::env::args().any(|arg| arg == "--test");
    let (server, connection) = Connection::memory();
    let server = std::thread::spawn(move || run(&server, Settings::default()).is_ok());
    let mut editor = Editor { connection, next: 0, version: 0, result: Value::Null, bytes: 0 };
    editor.next = 1;
    let params = json!({ "capabilities": {} });
    editor.send(Request { id: RequestId::from(1), method: "initialize".to_owned(), params }.into());
    editor.connection.receiver.recv().expect("an answer");
    editor.next = 0;
    editor.notify("initialized", json!({}));

    let mut text = script();
    let start = Instant::now();
    let document = json!({ "uri": URI, "languageId": "sql", "version": 0, "text": text });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    editor.request("textDocument/semanticTokens/full", json!({}));
    editor.wait();
    println!(
        "{} lines, {} bytes, opened in {:?}",
        text.lines().count(),
        text.len(),
        start.elapsed()
    );

    let mut all = Vec::new();
    for (name, before, typed) in TYPED {
        let mut offset = text.find(before).unwrap_or_else(|| panic!("{name}: a place"));
        if name == "a condition" {
            offset = text.find("ON CONFLICT (id) DO UPDATE SET total = excluded.total;\n\nWITH big AS (\n    SELECT customer, sum(total) AS spent\n    FROM orders_61").expect("a place")
                + "ON CONFLICT (id) DO UPDATE SET total = excluded.total".len();
        }
        let mut times = Vec::new();
        for c in typed.chars().take(if is_test { 2 } else { typed.len() }) {
            let line = text[..offset].matches('\n').count();
            let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
            times.push(editor.key(line, column, c));
            text.insert(offset, c);
            offset += c.len_utf8();
        }
        shown(name, &mut times);
        all.extend(times);
    }
    shown("all", &mut all);
    println!("{} bytes of answers per key", editor.bytes / all.len());
    editor.next = 0;
    let params = Value::Null;
    editor.send(Request { id: RequestId::from(1), method: "shutdown".to_owned(), params }.into());
    editor.connection.receiver.recv().expect("an answer");
    editor.notify("exit", Value::Null);
    assert!(server.join().expect("no panic"));
}
