use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    Select(pg_ast::protobuf::SelectStmt),
}

fn main() {}
