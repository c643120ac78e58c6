use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::ResTarget, partial)]
struct Target {
    #[pg_ast(location)]
    name: String,
}

fn main() {}
