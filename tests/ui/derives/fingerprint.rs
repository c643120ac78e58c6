use pg_ast_derive::Fingerprint;

#[derive(Fingerprint)]
struct Alias {
    aliasname: String,
}

#[derive(Fingerprint)]
#[pg_ast(raw = "pg_ast::raw::Node")]
enum Node {
    Alias(Alias),
}

fn main() {}
