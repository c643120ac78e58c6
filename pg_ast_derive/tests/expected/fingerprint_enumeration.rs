#[derive(Fingerprint)]
#[pg_ast(raw = ::libpg_query::pg18::SetOperation)]
enum SetOperation {
    #[pg_ast(skip)]
    Undefined = 0,
    #[pg_ast(name = "SETOP_NONE")]
    SetopNone = 1,
    #[pg_ast(name = "SETOP_UNION")]
    SetopUnion = 2,
}
