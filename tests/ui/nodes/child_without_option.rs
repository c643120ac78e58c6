use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    #[pg_ast(name = "whereClause")]
    condition: Condition,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Condition {
    #[pg_ast(raw = raw::ParamRef)]
    Param(pg_ast::protobuf::ParamRef),
    #[pg_ast(other)]
    Other,
}

fn main() {}
