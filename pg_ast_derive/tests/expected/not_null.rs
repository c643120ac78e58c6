#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::String)]
struct String {
    #[pg_ast(not_null)]
    sval: ::prost::alloc::string::String,
}
