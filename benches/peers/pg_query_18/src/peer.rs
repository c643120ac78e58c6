use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};

pub struct Measured;

impl Peer for Measured {
    type Tree = pg_query::ParseResult;

    const FUNCTIONS: &[Function] =
        &[Function::Parse, Function::Deparse, Function::Fingerprint, Function::Normalize];

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        pg_query::parse(&sql.text, 0).ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(tree.deparse(pg_query::DeparseOptions::default())).is_ok()
    }

    fn fingerprint(sql: &Sql) -> bool {
        black_box(pg_query::fingerprint(&sql.text, 0, 0)).is_ok()
    }

    fn normalize(sql: &Sql) -> bool {
        black_box(pg_query::normalize(&sql.text)).is_ok()
    }
}
