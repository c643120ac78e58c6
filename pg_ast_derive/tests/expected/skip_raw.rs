#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::Query)]
#[pg_ast(skip_raw(queryId, canSetTag))]
struct Query {
    #[pg_ast(name = "isReturn")]
    is_return: bool,
}
