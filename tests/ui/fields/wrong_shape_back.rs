use pg_ast::{IntoRaw, raw};

#[derive(IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    aliasname: String,
    colnames: bool,
}

fn main() {}
