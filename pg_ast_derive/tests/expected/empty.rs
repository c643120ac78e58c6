#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::A_Star)]
struct AStar {}
