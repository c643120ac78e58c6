use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(protobuf::SelectStmt),
    #[pg_ast(raw = raw::DeleteStmt)]
    Delete { stmt: protobuf::DeleteStmt },
    #[pg_ast(skip)]
    Insert(protobuf::InsertStmt),
    Other,
}

fn main() {}
