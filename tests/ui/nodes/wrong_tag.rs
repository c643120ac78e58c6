#![forbid(unsafe_code)]

use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = raw::RangeVar, tag = "T_SelectStmt")]
    Select(Table),
}

fn main() {
    // Without the error above it would read a SelectStmt as a RangeVar.
    let _ = pg_ast::parse_as::<Stmt>("SELECT 1");
}
