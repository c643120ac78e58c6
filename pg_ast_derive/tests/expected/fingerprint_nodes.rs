#[derive(Fingerprint)]
#[pg_ast(raw = ::libpg_query::pg18::Node)]
enum Node {
    #[pg_ast(raw = ::libpg_query::pg18::Alias)]
    #[pg_ast(no_fingerprint)]
    Alias(Alias),
    #[pg_ast(raw = ::libpg_query::pg18::SelectStmt)]
    SelectStmt(Box<SelectStmt>),
    #[pg_ast(raw = ::libpg_query::pg18::List, tag = "T_List")]
    List(List),
}
