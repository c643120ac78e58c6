use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Alias, partial)]
struct Alias<T> {
    #[pg_ast(nam = "aliasname")]
    name: String,
    #[pg_ast(name = "not a name")]
    columns: T,
}

fn uses(sql: &str) {
    let _ = pg_ast::parse_as::<Alias<i32>>(sql);
}

fn main() {}
