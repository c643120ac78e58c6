//! An edit is on one thread.

use pg_ast::{protobuf, view};

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    tree.edit(|mut stmts, arena| {
        let new = arena.make::<protobuf::ColumnRef>();
        std::thread::scope(|scope| {
            scope.spawn(move || new.view().fields().len());
            scope.spawn(|| stmts.nodes_mut().next().is_some());
            scope.spawn(|| arena.string("a").view().sval().len());
        });
    });
}
