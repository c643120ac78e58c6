use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation, partial)]
enum SetOperation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
}

fn main() {}
