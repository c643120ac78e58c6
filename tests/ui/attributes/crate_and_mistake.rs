extern crate pg_ast as renamed;

#[derive(renamed::FromRaw, renamed::IntoRaw)]
#[pg_ast(raw = renamed::raw::Alias, not_null, crate = renamed)]
struct Alias {
    aliasname: String,
    colnames: Vec<renamed::Node>,
}

mod pg_ast {}

fn uses(sql: &str) {
    let _ = renamed::parse_as::<Alias>(sql);
}

fn main() {}
