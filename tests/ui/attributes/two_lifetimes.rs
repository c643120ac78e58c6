use pg_ast::{FromRaw, IntoRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table<'a, 'b> {
    schemaname: &'a str,
    relname: &'b str,
}

#[derive(IntoRaw)]
#[pg_ast(raw = raw::ListenStmt)]
struct Listen<'a> {
    conditionname: &'a str,
}

fn main() {}
