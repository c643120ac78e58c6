//! What a message of the tree has to say.

use pg_ast_derive::Message;

#[derive(Message)]
struct Name {
    #[prost(string, tag = "1")]
    text: String,
}

#[derive(Message)]
#[pg_ast(tree = tree)]
struct Alias {
    name: Name,
}

#[derive(Message)]
#[pg_ast(tree = tree)]
union Number {
    signed: i32,
    unsigned: u32,
}

mod tree {}

fn main() {}
