//! A field for one type takes nodes of that type only; and a node goes to one place.

use pg_ast::{protobuf, view};

fn main() {
    let mut tree = view::parse("INSERT INTO t VALUES (1)").unwrap();
    tree.edit(|mut stmts, arena| {
        let mut insert = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::InsertStmt>()).unwrap();
        insert.relation_mut().set(arena.string("t"));
        let table = arena.make::<protobuf::RangeVar>();
        insert.relation_mut().set(table);
        insert.relation_mut().set(table);
    });
}
