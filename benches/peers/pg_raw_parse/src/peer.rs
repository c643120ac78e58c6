use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};

pub struct Measured;

impl Peer for Measured {
    type Tree = pg_raw_parse::ParseResult;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse, Function::Normalize];

    /// The tree stays in C's memory.
    fn parse(sql: &Sql) -> Option<Self::Tree> {
        pg_raw_parse::parse(&sql.text).ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(pg_raw_parse::deparse_stmts(tree.iter())).is_ok()
    }

    fn normalize(sql: &Sql) -> bool {
        black_box(pg_raw_parse::normalize::normalize(&sql.text)).is_ok()
    }
}
