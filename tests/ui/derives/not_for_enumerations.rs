#[derive(pg_ast_derive::Message)]
#[pg_ast(raw = pg_ast::raw::SetOperation, tree = tree)]
enum SetOperation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
}

mod tree {}

fn main() {}
