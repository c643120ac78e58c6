use pg_ast::FromRaw;

#[derive(FromRaw)]
struct Alias {
    aliasname: String,
}

fn main() {}
