#[derive(FromRaw, IntoRaw, Recursive)]
#[pg_ast(partail, raw = ::libpg_query::pg18::Alias)]
struct Alias {
    aliasname: String,
}
