//! So is a string of it.

use pg_ast::view::{self, Node};

fn table(sql: &str) -> Option<&str> {
    let tree = view::parse(sql).ok()?;
    tree.nodes().find_map(|node| match node {
        Node::RangeVar(table) => Some(table.relname()),
        _ => None,
    })
}

fn main() {
    table("SELECT 1 FROM t");
}
