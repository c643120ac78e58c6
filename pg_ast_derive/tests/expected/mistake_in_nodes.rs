#[derive(FromRaw, IntoRaw, Recursive, Walk, HeapSize)]
#[pg_ast(raw = ::libpg_query::pg18::Node, walk = crate::pg18::walk)]
enum Node {
    #[pg_ast(raw = ::libpg_query::pg18::Alias)]
    Alias(super::Alias, i32),
}
