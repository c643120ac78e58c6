use pg_ast::{FromRaw, Node, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(other, raw = raw::ListenStmt)]
    Other(Node),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation)]
enum Operation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
    #[pg_ast(other, name = "SETOP_UNION")]
    Other,
}

fn main() {}
