//! A place is changed by one handle at a time.

use pg_ast::{protobuf, view};

fn main() {
    let mut tree = view::parse("SELECT a, b").unwrap();
    tree.edit(|mut stmts, _| {
        let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
        let mut condition = select.where_clause_mut();
        let mut again = select.where_clause_mut();
        condition.take();
        again.take();
        let mut nodes = stmts.nodes_mut();
        let first = nodes.next();
        let second = nodes.next();
        drop((first, second));
    });
}
