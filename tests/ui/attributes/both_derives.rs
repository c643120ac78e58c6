use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    #[pg_ast(nam = "aliasname")]
    name: String,
    colnames: Vec<Node>,
}

fn main() {}
