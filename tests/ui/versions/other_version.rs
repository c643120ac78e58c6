#![forbid(unsafe_code)]

use pg_ast::FromRaw;
use pg_ast::pg17::raw as other;
use pg_ast::pg18::raw;

#[derive(FromRaw)]
#[pg_ast(raw = other::RangeVar, partial)]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(raw = other::RangeVar)]
    Table(Table),
}

fn main() {
    let _ = pg_ast::pg18::parse_as::<Table>("SELECT 1");
}
