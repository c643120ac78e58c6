//! Only the library's views are views of nodes: another one could say that it is of another type than its node.

use pg_ast::{protobuf, view};

struct Liar<'a>(view::Node<'a>);

impl<'a> From<Liar<'a>> for view::Node<'a> {
    fn from(liar: Liar<'a>) -> Self {
        liar.0
    }
}

impl<'a> view::edit::ViewOfNode<'a> for Liar<'a> {
    type Type = protobuf::SelectStmt;
}

fn main() {
    let mut tree = view::parse("SELECT 1").unwrap();
    let other = view::parse("SELECT 2").unwrap();
    let number = other.nodes().find_map(|node| node.as_a_const()).unwrap();
    tree.edit(|_, arena| {
        arena.copy(Liar(number.into())).view().target_list().len();
    });
}
