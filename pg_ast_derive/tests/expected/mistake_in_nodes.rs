#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::Node)]
enum Node {
    #[pg_ast(raw = ::libpg_query::pg18::Alias)]
    Alias(super::Alias, i32),
}
