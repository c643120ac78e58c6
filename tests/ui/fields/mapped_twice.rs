use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    aliasname: String,
    #[pg_ast(name = "aliasname")]
    name: String,
}

fn main() {}
