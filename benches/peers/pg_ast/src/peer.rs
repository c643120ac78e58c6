use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};

pub struct Measured;

impl Peer for Measured {
    type Tree = pg_ast::ParseResult;

    const FUNCTIONS: &[Function] = &Function::ALL;

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        pg_ast::parse(&sql.text).ok()
    }

    fn walk(sql: &Sql) -> bool {
        pg_ast::parse(&sql.text).is_ok_and(|tree| black_box(tree.nodes().count()) > 0)
    }

    fn check(sql: &Sql) -> bool {
        black_box(pg_ast::check(&sql.text)).is_ok()
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(pg_ast::deparse(tree)).is_ok()
    }

    fn fingerprint(sql: &Sql) -> bool {
        black_box(pg_ast::fingerprint(&sql.text)).is_ok()
    }

    fn fingerprint_tree(tree: &Self::Tree) -> bool {
        black_box(tree.fingerprint());
        true
    }

    fn normalize(sql: &Sql) -> bool {
        black_box(pg_ast::normalize(&sql.text)).is_ok()
    }
}
