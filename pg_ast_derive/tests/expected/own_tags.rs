#[derive(FromRaw)]
#[pg_ast(
    raw = ::libpg_query::pg18::PLpgSQL_stmt,
    internal(tags = ::libpg_query::pg18::PLpgSQL_stmt_type),
    header = "cmd_type"
)]
enum Stmt {
    #[pg_ast(raw = ::libpg_query::pg18::PLpgSQL_stmt_if, tag = "PLPGSQL_STMT_IF")]
    If(::std::boxed::Box<super::StmtIf>),
    #[pg_ast(raw = ::libpg_query::pg18::PLpgSQL_stmt_null, tag = "PLPGSQL_STMT_NULL")]
    Null(super::StmtNull),
}
