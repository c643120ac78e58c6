//! A view is not kept while its tree changes.

use pg_ast::view;

fn main() {
    let mut tree = view::parse("SELECT * FROM t").unwrap();
    let first = tree.stmts().next().unwrap();
    tree.edit(|mut stmts, _| {
        stmts.walk_tables_mut(|table, _| {
            let name = table.view().relname();
            table.set_relname("u");
            println!("{name}");
        });
    });
    println!("{first:?}");
}
