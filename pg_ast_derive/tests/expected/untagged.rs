#[derive(FromRaw)]
#[pg_ast(raw = ::libpg_query::pg18::PLpgSQL_row, internal(untagged), skip_raw(dtype))]
struct Row {
    dno: Dno,
    #[pg_ast(internal(items = ::libpg_query::pg18::PLpgSQL_expr))]
    params: Vec<Expr>,
    #[pg_ast(internal(count = "nfields"))]
    fieldnames: Vec<String>,
    #[pg_ast(internal(count = "nfields"))]
    varnos: Vec<Dno>,
}
