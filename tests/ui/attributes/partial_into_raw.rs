use pg_ast::{IntoRaw, raw};

#[derive(IntoRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    aliasname: String,
}

fn main() {}
