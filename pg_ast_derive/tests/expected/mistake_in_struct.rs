#[derive(FromRaw, IntoRaw, Recursive, Walk, HeapSize)]
#[pg_ast(partail, raw = ::libpg_query::pg18::Alias, walk = crate::pg18::walk)]
struct Alias {
    aliasname: String,
}
