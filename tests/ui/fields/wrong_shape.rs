use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    colnames: i32,
}

fn main() {}
