#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::SetOperation)]
enum SetOperation {
    #[pg_ast(nam = "SETOP_NONE")]
    None,
}
