use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, skip_raw(aliasname))]
struct Alias {
    aliasname: String,
    colnames: Vec<pg_ast::Node>,
}

fn main() {}
