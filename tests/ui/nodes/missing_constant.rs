use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum SetOperation {
    #[pg_ast(name = "SETOP_NUN")]
    None,
}

fn main() {}
