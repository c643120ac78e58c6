#[derive(FromRaw, IntoRaw, Recursive)]
#[pg_ast(raw = ::libpg_query::pg18::SelectStmt)]
struct SelectStmt {
    #[prost(enumeration = "SetOperation", tag = "16")]
    op: i32,
    #[prost(bool, tag = "17")]
    all: bool,
    #[prost(message, optional, boxed, tag = "18")]
    larg: ::core::option::Option<::prost::alloc::boxed::Box<SelectStmt>>,
}
