use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[repr(C, packed(4))]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    aliasname: String,
}

fn main() {}
