use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Alias)]
struct Alias {
    #[pg_ast(skip, not_null)]
    aliasname: String,
    colnames: Vec<Node>,
}

// What is made of it gives no message of its own.
#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::RangeVar)]
struct Table {
    catalogname: String,
    schemaname: String,
    relname: String,
    inh: bool,
    relpersistence: String,
    alias: Option<Alias>,
    location: i32,
}

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::Node)]
enum Item {
    #[pg_ast(raw = raw::Alias)]
    Alias(Alias),
    #[pg_ast(raw = raw::RangeVar)]
    Table(Table),
}

fn main() {
    let _ = pg_ast::parse_as::<Item>("");
    let _ = pg_ast::parse_as::<Alias>("");
}
