#[derive(FromRaw, IntoRaw, Recursive)]
#[pg_ast(raw = ::libpg_query::pg18::Node)]
enum Node {
    #[pg_ast(raw = ::libpg_query::pg18::Alias)]
    Alias(super::Alias),
    #[pg_ast(raw = ::libpg_query::pg18::SelectStmt)]
    SelectStmt(::prost::alloc::boxed::Box<super::SelectStmt>),
    #[pg_ast(raw = ::libpg_query::pg18::List, tag = "T_IntList")]
    IntList(super::IntList),
}
