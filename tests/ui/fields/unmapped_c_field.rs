use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    aliasname: String,
}

fn main() {}
