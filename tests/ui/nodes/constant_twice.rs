use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum SetOperation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
    #[pg_ast(name = "SETOP_NONE")]
    Nothing,
}

fn main() {}
