//! Nothing of an edit outlives it.

use pg_ast::view;

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    let mut kept = None;
    tree.edit(|mut stmts, _| {
        kept = stmts.get_mut(0);
    });
    let _ = tree.edit(|_, arena| arena.string("a"));
    drop(kept);
}
