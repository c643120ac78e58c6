//! A tree has one edit at a time, and is not dropped or replaced within it.

use pg_ast::view;

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    let mut other = view::parse("SELECT 2").unwrap();
    tree.edit(|stmts, _| {
        std::mem::swap(&mut tree, &mut other);
        println!("{stmts:?}");
    });
}
