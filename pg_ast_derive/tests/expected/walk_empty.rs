#[derive(Walk, HeapSize)]
#[pg_ast(walk = crate::pg18::walk)]
struct CheckPointStmt {}
