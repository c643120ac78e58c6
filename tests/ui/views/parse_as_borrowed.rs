use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::ListenStmt)]
struct Listen<'a> {
    conditionname: &'a str,
}

fn main() {
    let stmts = pg_ast::parse_as::<Listen>("LISTEN jobs").unwrap();
    println!("{}", stmts[0].as_ref().unwrap().conditionname);
    let _ = pg_ast::parse_as::<pg_ast::view::Node>("LISTEN jobs");
}
