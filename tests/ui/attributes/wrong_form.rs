use pg_ast::FromRaw;

#[derive(FromRaw)]
#[pg_ast(raw(pg_ast::raw::Alias), partial = true, skip_raw = colnames, header = type_, crate)]
struct Alias {
    #[pg_ast(skip())]
    aliasname: String,
}

#[derive(FromRaw)]
#[pg_ast]
struct Table {
    relname: String,
}

#[derive(FromRaw)]
#[pg_ast(partial raw = pg_ast::raw::RangeVar)]
struct View {
    #[pg_ast = "relname"]
    name: String,
}

#[derive(FromRaw)]
#[pg_ast("raw")]
struct Sequence {
    relname: String,
}

fn main() {}
