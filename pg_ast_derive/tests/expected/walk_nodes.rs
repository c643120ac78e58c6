#[derive(HeapSize, Nodes)]
#[pg_ast(walk = crate::pg18::walk, raw = ::libpg_query::pg18::Node)]
pub enum Node {
    #[pg_ast(raw = ::libpg_query::pg18::A_Expr)]
    AExpr(super::AExpr),
    #[pg_ast(raw = ::libpg_query::pg18::SelectStmt)]
    SelectStmt(::prost::alloc::boxed::Box<super::SelectStmt>),
}
