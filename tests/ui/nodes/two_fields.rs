use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::SelectStmt)]
    Select(pg_ast::protobuf::SelectStmt, i32),
}

fn main() {}
