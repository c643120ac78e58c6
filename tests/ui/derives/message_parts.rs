//! What a message of the tree must not have, and its parts must.

use pg_ast_derive::Message;

#[derive(Message)]
#[pg_ast(tree = tree)]
struct Name<T> {
    #[prost(string, tag = "1")]
    text: T,
}

#[derive(Message)]
#[pg_ast(tree = tree)]
struct Alias {
    #[pg_ast(json_name = "aliasname")]
    #[prost(string, tag = "1")]
    name: String,
}

#[derive(Message)]
#[pg_ast(tree = tree, repeated)]
struct List {
    #[prost(int32, repeated, tag = "1")]
    items: Vec<i32>,
}

#[derive(Message)]
#[pg_ast(tree = tree)]
enum Value {
    #[prost(message, tag = "1")]
    Alias(Alias),
    #[prost(message)]
    List(List),
}

mod tree {}

fn main() {}
