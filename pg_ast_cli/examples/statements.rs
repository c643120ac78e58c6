//! Prints statements, to measure `pgast digest` with: 76 kinds, with other constants in each.
//!
//! ```sh
//! cargo run --release -p pg_ast_cli --example statements -- 10000000 | pgast digest
//! ```

use std::io::{self, BufWriter, Write as _};

/// How many kinds there are of each shape.
const TABLES: u64 = 25;

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000_u64);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    for i in 0..count {
        // Other numbers than those of the shape.
        let (table, id) = (i / 4 % TABLES, i.wrapping_mul(0x9e37_79b9) % 1_000_003);
        let table = char::from(b'a' + u8::try_from(table).unwrap_or_default());
        match i % 4 {
            0 => writeln!(out, "SELECT abalance FROM accounts_{table} WHERE aid = {id};"),
            1 => writeln!(
                out,
                "UPDATE tellers_{table} SET tbalance = tbalance + {id} WHERE tid = 7;"
            ),
            2 => writeln!(
                out,
                "INSERT INTO history_{table} (tid, bid, aid, delta) VALUES (1, 2, {id}, {i});"
            ),
            _ => writeln!(
                out,
                "SELECT o.id, u.name FROM orders_{table} o JOIN users u ON u.id = o.user_id \
                 WHERE o.state IN ('new', 'paid') AND u.id = {id} ORDER BY o.id LIMIT 10;"
            ),
        }?;
    }
    out.flush()
}
