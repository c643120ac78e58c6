#[derive(Fingerprint)]
#[pg_ast(raw = ::libpg_query::pg18::CheckPointStmt)]
struct CheckPointStmt {}
