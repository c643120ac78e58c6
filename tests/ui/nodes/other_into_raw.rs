use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum Operation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
    #[pg_ast(other)]
    Other,
}

fn main() {}
