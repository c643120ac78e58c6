use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(protobuf::DeleteStmt),
}

fn main() {}
