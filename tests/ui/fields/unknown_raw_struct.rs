use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alais, partial)]
struct Alias {
    aliasname: String,
}

fn main() {}
