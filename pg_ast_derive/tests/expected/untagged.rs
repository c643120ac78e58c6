#[derive(FromRaw)]
#[pg_ast(raw = ::libpg_query::pg18::PLpgSQL_row, untagged, skip_raw(dtype))]
struct Row {
    dno: Dno,
    #[pg_ast(items = ::libpg_query::pg18::PLpgSQL_expr)]
    params: Vec<Expr>,
    #[pg_ast(count = "nfields")]
    fieldnames: Vec<String>,
    #[pg_ast(count = "nfields")]
    varnos: Vec<Dno>,
}
