use std::ptr::NonNull;

use libpg_query::pg18 as raw;
use libpg_query::pg18::oracle as c;
use peer_protocol::{Function, Peer, Sql};

/// PostgreSQL's parser and libpg_query's deparser without any wrapper: the lower bound.
pub struct Measured;

/// A tree in C's memory.
pub struct Tree(NonNull<c::Tree>);

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is freed once.
        unsafe { c::tree_free(self.0.as_ptr()) };
    }
}

impl Peer for Measured {
    type Tree = Tree;

    const FUNCTIONS: &[Function] = &[Function::Parse, Function::Deparse];

    fn init() {
        // SAFETY: it may be called at any time.
        assert!(unsafe { raw::shim_thread_init() });
    }

    fn parse(sql: &Sql) -> Option<Self::Tree> {
        // SAFETY: the SQL ends in a NUL.
        NonNull::new(unsafe { c::tree_new(sql.c.as_ptr()) }).map(Tree)
    }

    /// In one call, and in memory that C keeps for the next one.
    fn parse_and_drop(sql: &Sql) -> bool {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::raw_parse(sql.c.as_ptr()) }
    }

    fn deparse(tree: &Self::Tree) -> bool {
        // SAFETY: the tree has not been freed.
        unsafe { c::tree_deparse(tree.0.as_ptr()) > 0 }
    }
}
