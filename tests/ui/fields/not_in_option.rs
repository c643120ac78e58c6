use pg_ast::{FromRaw, Node, raw};

struct Names;

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    #[pg_ast(name = "whereClause")]
    condition: Node,
    #[pg_ast(name = "usingClause")]
    using: Names,
    relation: std::collections::HashMap<String, Names>,
}

fn main() {}
