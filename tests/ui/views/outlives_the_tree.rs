//! A node is there for as long as its tree is.

use pg_ast::view;

fn main() {
    let node = {
        let tree = view::parse("SELECT 1").unwrap();
        tree.stmts().next().unwrap()
    };
    println!("{node:?}");
}
