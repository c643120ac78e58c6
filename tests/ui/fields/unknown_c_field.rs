use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    #[pg_ast(name = "aliasnam")]
    name: String,
}

fn main() {}
