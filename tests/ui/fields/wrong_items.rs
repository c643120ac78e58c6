use pg_ast::protobuf::SetOperation;
use pg_ast::{FromRaw, raw};

struct Plain;

#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "fromClause")]
    from: Vec<Plain>,
    #[pg_ast(name = "targetList")]
    targets: Vec<SetOperation>,
    #[pg_ast(name = "valuesLists")]
    values: Vec<Vec<String>>,
    #[pg_ast(name = "whereClause")]
    condition: Option<Plain>,
    #[pg_ast(name = "groupClause")]
    group: Option<pg_ast::Node>,
}

fn main() {}
