use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw, IntoRaw)]
struct Alias {
    aliasname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    alias: Option<Alias>,
}

fn main() {
    let _ = pg_ast::parse_as::<Alias>("");
}
