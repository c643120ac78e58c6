use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum SetOperation {
    #[pg_ast(skip)]
    Undefined,
}

fn main() {}
