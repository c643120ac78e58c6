use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum SetOperation {
    #[pg_ast(raw = raw::SETOP_NONE)]
    None,
    #[pg_ast(tag = "SETOP_UNION")]
    Union,
    #[pg_ast(skip, name = "SETOP_INTERSECT")]
    Intersect,
}

fn main() {}
