use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: &'static str,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::DeleteStmt, partial)]
struct Delete<'a> {
    relation: Option<pg_ast::view::RangeVar<'static>>,
    #[pg_ast(name = "whereClause")]
    condition: Option<pg_ast::view::Node<'a>>,
    #[pg_ast(name = "usingClause")]
    using: pg_ast::view::List<'static>,
}

fn main() {}
