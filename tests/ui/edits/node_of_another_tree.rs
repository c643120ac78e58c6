//! A new node belongs to the tree of its edit.

use pg_ast::view;

fn main() {
    let mut one = view::parse("SELECT 1").unwrap();
    let mut other = view::parse("SELECT 2").unwrap();
    one.edit(|mut stmts, _| {
        other.edit(|_, arena| {
            stmts.push(arena.stmt(arena.string("a")));
        });
    });
}
