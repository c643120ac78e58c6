use std::hint::black_box;

use peer_protocol::{Function, Peer, Sql};
use pg_ast::view;

pub struct Measured;

impl Peer for Measured {
    type Tree = view::Tree;

    const FUNCTIONS: &[Function] =
        &[Function::Parse, Function::Walk, Function::Deparse, Function::FingerprintTree];

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        view::parse(&sql.text).ok()
    }

    fn walk(sql: &Sql) -> bool {
        view::parse(&sql.text).is_ok_and(|tree| black_box(tree.nodes().count()) > 0)
    }

    fn deparse(tree: &Self::Tree) -> bool {
        black_box(tree.deparse()).is_ok()
    }

    fn fingerprint_tree(tree: &Self::Tree) -> bool {
        black_box(tree.fingerprint());
        true
    }
}
