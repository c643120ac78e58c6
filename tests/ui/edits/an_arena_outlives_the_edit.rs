//! The memory for new nodes is that of the edit.

use pg_ast::view;

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    let kept = tree.edit(|stmts, _| stmts.arena());
    let new = view::parse("SELECT 1").unwrap().edit(|_, arena| arena.string("a"));
    drop(tree);
    let _ = (kept.string("a"), new);
}
