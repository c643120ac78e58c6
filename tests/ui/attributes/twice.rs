use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, raw = raw::RangeVar, partial)]
struct Alias {
    aliasname: String,
}

fn main() {}
