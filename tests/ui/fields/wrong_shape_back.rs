use pg_ast::{IntoRaw, Node, raw};

#[derive(IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    aliasname: bool,
    colnames: Vec<Node>,
}

fn main() {}
