use pg_ast_derive::Walk;

#[derive(Walk)]
struct Name {
    text: String,
}

#[derive(Walk)]
#[pg_ast(walk = "pg_ast::walk")]
struct Alias {
    name: Name,
}

fn main() {}
