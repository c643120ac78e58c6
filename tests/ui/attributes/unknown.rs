use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partail)]
struct Alias {
    aliasname: String,
}

fn main() {}
