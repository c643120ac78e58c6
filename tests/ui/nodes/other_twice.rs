use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::ListenStmt)]
    Listen(Listen),
    #[pg_ast(other)]
    Other,
    #[pg_ast(other)]
    Unknown(pg_ast::Node),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::ListenStmt)]
struct Listen {
    conditionname: String,
}

fn main() {}
