//! A new node has one place, and is not its own child.

use pg_ast::{protobuf, view};

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    tree.edit(|_, arena| {
        let mut one = arena.make::<protobuf::ResTarget>();
        let name = arena.string("a");
        one.as_mut().indirection_mut().push(name);
        one.as_mut().indirection_mut().push(name);
        one.as_mut().val_mut().set(one);
    });
}
