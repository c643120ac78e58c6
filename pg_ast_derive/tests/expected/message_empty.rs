#[derive(Message)]
#[pg_ast(tree = crate::pg18::message)]
struct Nothing {}
