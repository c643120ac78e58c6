//! Only the library's messages are types of nodes.

use pg_ast::view::edit::NodeType;

struct Mine;

impl NodeType for Mine {}

fn main() {
    pg_ast::view::Tree::build(|arena| arena.own(&Mine).unwrap().into());
}
