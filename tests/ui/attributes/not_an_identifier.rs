use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::A_Expr, partial)]
struct Expr {
    #[pg_ast(name = "l expr")]
    left: i32,
    #[pg_ast(name = "")]
    right: i32,
    #[pg_ast(name = 1)]
    name: i32,
    #[pg_ast(name)]
    kind: i32,
    #[pg_ast(name = "r#location")]
    location: i32,
}

fn main() {}
