#![forbid(unsafe_code)]

use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: String,
}

/// The list holds other nodes, too.
#[derive(FromRaw)]
#[pg_ast(raw = raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "fromClause", internal(items = raw::RangeVar))]
    tables: Vec<Table>,
}

/// As many as the location says.
#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias {
    #[pg_ast(internal(count = "type_"))]
    aliasname: Vec<i8>,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node, internal(tags = raw::NodeTag))]
enum Item {
    #[pg_ast(raw = raw::RangeVar)]
    Table(Table),
}

#[derive(IntoRaw)]
#[pg_ast(raw = raw::ListenStmt, internal(complete))]
struct Listen {
    conditionname: String,
}

fn main() {}
