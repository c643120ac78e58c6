use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Alias, skip_raw(colname))]
struct Alias {
    aliasname: String,
}

fn main() {}
