//! How long a key takes in a script of 5,000 lines, with everything that an editor asks for after it.
//!
//! `cargo bench -p pg_ast_lsp --bench keys` types in several places, and prints the median and the 99th percentile of each. Messages
//! pass through pipes, as they do between processes. `-- --test` types only a few keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use connection::Connection;

mod connection;

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

/// The processor time of all threads, where the system tells it: another program does not change it.
fn cpu_time() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = threads.flatten().filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Some(Duration::from_nanos(nanoseconds.sum()))
}

/// What a key or a request takes: the time that passes, and that of the processor.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

fn measured(f: impl FnOnce()) -> Took {
    let (start, before) = (Instant::now(), cpu_time());
    f();
    let wall = start.elapsed();
    let cpu = before.zip(cpu_time()).map_or(wall, |(before, after)| after.saturating_sub(before));
    Took { wall, cpu }
}

struct Editor {
    connection: Connection,
    next: i32,
    version: i32,
    result: Value,
    bytes: usize,
    parts: BTreeMap<&'static str, Vec<Duration>>,
}

impl Editor {
    fn notify(&mut self, method: &str, params: &Value) {
        self.connection.notify(method, params);
    }

    fn request(&mut self, method: &str, mut params: Value) {
        params["textDocument"] = json!({ "uri": URI });
        self.next += 1;
        self.connection.request(self.next, method, &params);
    }

    /// Waits for the answers of the requests, and for the diagnostics of the text.
    fn wait(&mut self, methods: &[&'static str], mut has_diagnostics: bool) {
        let mut methods = methods.iter();
        let mut last = Instant::now();
        while methods.len() > 0 || !has_diagnostics {
            let message = self.connection.receive();
            self.bytes += message.len();
            // The other answers are not read here: that would be measured, too.
            let is_diagnostics = message.contains("textDocument/publishDiagnostics");
            if !is_diagnostics {
                if let Some((_, rest)) = message.split_once(r#""resultId":""#) {
                    let (id, _) = rest.split_once('"').expect("an id");
                    self.result = id.into();
                }
                // They are answered one after the other.
                let now = Instant::now();
                let method = methods.next().copied().unwrap_or_default();
                self.parts.entry(method).or_default().push(now - last);
                last = now;
            } else if message.contains(&format!(r#""version":{}"#, self.version)) {
                has_diagnostics = true;
            }
        }
    }

    /// Types a character, and asks for everything that a key makes an editor ask for.
    fn key(&mut self, line: usize, column: usize, typed: char) -> Took {
        self.version += 1;
        let place = json!({ "line": line, "character": column });
        let change =
            json!({ "range": { "start": place, "end": place }, "text": typed.to_string() });
        let document = json!({ "uri": URI, "version": self.version });
        let change = json!({ "textDocument": document, "contentChanges": [change] });
        let (line, column) = if typed == '\n' { (line + 1, 0) } else { (line, column + 1) };
        let after = json!({ "line": line, "character": column });
        let shown = json!({
            "start": { "line": line.saturating_sub(SHOWN / 2), "character": 0 },
            "end": { "line": line + SHOWN / 2, "character": 0 },
        });
        let here = json!({ "start": after, "end": after });
        let requests = [
            ("textDocument/completion", json!({ "position": after })),
            ("textDocument/signatureHelp", json!({ "position": after })),
            ("textDocument/documentHighlight", json!({ "position": after })),
            ("textDocument/hover", json!({ "position": after })),
            ("textDocument/semanticTokens/full/delta", json!({ "previousResultId": self.result })),
            ("textDocument/inlayHint", json!({ "range": shown })),
            ("textDocument/foldingRange", json!({})),
            ("textDocument/documentSymbol", json!({})),
            ("textDocument/codeAction", json!({ "range": here, "context": { "diagnostics": [] } })),
        ];
        let methods = requests.each_ref().map(|(method, _)| *method);
        measured(|| {
            self.notify("textDocument/didChange", &change);
            for (method, params) in requests {
                self.request(method, params);
            }
            self.wait(&methods, false);
        })
    }
}

fn shown(name: &str, times: &[Took]) {
    let at = |of: fn(&Took) -> Duration, percent: usize| {
        let mut times: Vec<_> = times.iter().map(of).collect();
        times.sort_unstable();
        times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3
    };
    let [wall, cpu]: [fn(&Took) -> Duration; 2] = [|it| it.wall, |it| it.cpu];
    println!(
        "{name:40} {:5}  median {:6.1} ms, p99 {:6.1} ms; processor {:6.1} ms, p99 {:6.1} ms",
        times.len(),
        at(wall, 50),
        at(wall, 99),
        at(cpu, 50),
        at(cpu, 99)
    );
}

fn main() {
    let is_test = std::env::args().any(|arg| arg == "--test");
    let resolve = json!({ "codeAction": { "resolveSupport": { "properties": ["edit"] } } });
    let mut editor = Editor {
        connection: Connection::start(&json!({ "textDocument": resolve })),
        next: 1,
        version: 0,
        result: Value::Null,
        bytes: 0,
        parts: BTreeMap::new(),
    };

    let mut text = script();
    let start = Instant::now();
    let document = json!({ "uri": URI, "languageId": "sql", "version": 0, "text": text });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    editor.wait(&[], false);
    let (lines, took) = (text.lines().count(), start.elapsed());
    println!("{lines} lines, {} bytes, opened in {took:.0?}", text.len());
    editor.request("textDocument/semanticTokens/full", json!({}));
    editor.wait(&["textDocument/semanticTokens/full"], true);

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
        shown(name, &times);
        all.extend(times);
    }
    shown("all keys", &all);
    for (method, mut times) in core::mem::take(&mut editor.parts) {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
        println!("  {method:40} median {:6.1} ms, p99 {:6.1} ms", at(50), at(99));
    }
    println!("{} bytes of answers per key", editor.bytes / all.len());
    editor.connection.end();
}
