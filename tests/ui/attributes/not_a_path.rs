use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = 18, partial)]
struct Alias {
    aliasname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, skip_raw(alias::aliasname))]
struct Table {
    relname: String,
}

fn main() {}
