//! Prints statements, to measure `pgast digest` with: 76 kinds, with other constants in each. They are a script, or a log in
//! one of PostgreSQL's formats (`stderr`, `csvlog`, `jsonlog`, `syslog`).
//!
//! ```sh
//! cargo run --release -p pg_ast_cli --example statements -- 10000000 | pgast digest
//! cargo run --release -p pg_ast_cli --example statements -- 100000 csvlog > postgresql.csv
//! ```

use std::io::{self, BufWriter, Write as _};

/// How many kinds there are of each shape.
const TABLES: u64 = 25;

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let count = args.next().and_then(|count| count.parse().ok()).unwrap_or(1_000_u64);
    let format = args.next().unwrap_or_default();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    for i in 0..count {
        let statement = statement(i);
        let line = match format.as_str() {
            "" => format!("{statement};"),
            format => record(i, &statement, format).ok_or(io::ErrorKind::InvalidInput)?,
        };
        writeln!(out, "{line}")?;
    }
    out.flush()
}

fn statement(i: u64) -> String {
    // Other numbers than those of the shape.
    let (table, id) = (i / 4 % TABLES, i.wrapping_mul(0x9e37_79b9) % 1_000_003);
    let table = char::from(b'a' + u8::try_from(table).unwrap_or_default());
    match i % 4 {
        0 => format!("SELECT abalance FROM accounts_{table} WHERE aid = {id}"),
        1 => format!("UPDATE tellers_{table} SET tbalance = tbalance + {id} WHERE tid = 7"),
        2 => {
            format!("INSERT INTO history_{table} (tid, bid, aid, delta) VALUES (1, 2, {id}, {i})")
        }
        _ => format!(
            "SELECT o.id, u.name FROM orders_{table} o JOIN users u ON u.id = o.user_id \
             WHERE o.state IN ('new', 'paid') AND u.id = {id} ORDER BY o.id LIMIT 10"
        ),
    }
}

/// Returns the record of a log for a statement that has run, one each second; `None` if the format is not known. No statement
/// has a character that a format escapes.
fn record(i: u64, statement: &str, format: &str) -> Option<String> {
    let (day, hour, minute, second) = (1 + i / 86_400 % 28, i / 3_600 % 24, i / 60 % 60, i % 60);
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    let time = format!("2026-03-{day:02} {clock}.{:03} UTC", i % 1_000);
    let (process, line) = (1_000 + i % 20, i + 1);
    let message = format!("duration: {}.{:03} ms  statement: {statement}", i % 20, i * 7 % 1_000);
    Some(match format {
        "stderr" => format!("{time} [{process}] app@shop LOG:  {message}"),
        "syslog" => format!(
            "Mar {day:2} {clock} host postgres[{process}]: [{line}-1] user=app,db=shop LOG:  {message}"
        ),
        "csvlog" => format!(
            "{time},\"app\",\"shop\",{process},\"127.0.0.1:5000\",65f0.{process:x},{line},\"SELECT\",\
             2026-03-01 00:00:00 UTC,3/{line},0,LOG,00000,\"{message}\",,,,,,,,,\"psql\",\"client backend\",,0"
        ),
        "jsonlog" => format!(
            r#"{{"timestamp":"{time}","user":"app","dbname":"shop","pid":{process},"remote_host":"127.0.0.1","session_id":"65f0.{process:x}","line_num":{line},"ps":"SELECT","session_start":"2026-03-01 00:00:00 UTC","error_severity":"LOG","message":"{message}","application_name":"psql","backend_type":"client backend","query_id":0}}"#
        ),
        _ => return None,
    })
}
