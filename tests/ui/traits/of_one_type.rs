//! Only the library's messages are types of one kind of nodes.

use pg_ast::view::edit::OfOneType;

#[derive(Default)]
struct Mine;

impl OfOneType for Mine {}

impl OfOneType for pg_ast::protobuf::Node {}

fn main() {
    pg_ast::view::Tree::build(|arena| arena.make::<Mine>().into());
}
