use pg_ast::{FromRaw, IntoRaw, raw};

struct Select {
    all: bool,
}

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(Select),
}

fn main() {}
