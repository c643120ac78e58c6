#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::Alias)]
struct Alias {
    aliasname: String,
    #[pg_ast(name = "colnames")]
    columns: Vec<Node>,
}
