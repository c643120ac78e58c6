use pg_ast::protobuf::IntList;
use pg_ast::{FromRaw, Node, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: Option<Box<String>>,
    schemaname: Option<Option<String>>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::NullTest, partial)]
struct NullTest {
    xpr: Node,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete {
    #[pg_ast(name = "usingClause")]
    using: Option<IntList>,
}

fn main() {}
