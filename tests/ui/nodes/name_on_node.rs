use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(name = "SelectStmt")]
    Select(pg_ast::protobuf::SelectStmt),
}

fn main() {}
