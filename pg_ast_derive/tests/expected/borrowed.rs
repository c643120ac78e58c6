#[derive(FromRaw)]
#[pg_ast(raw = raw::RangeVar, partial)]
struct Table<'a> {
    relname: &'a str,
    alias: Option<Alias<'a>>,
}
