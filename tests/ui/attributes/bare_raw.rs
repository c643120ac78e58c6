use pg_ast::FromRaw;
use pg_ast::raw::Alias as CAlias;

#[derive(FromRaw)]
#[pg_ast(raw = CAlias, partial)]
struct Alias {
    aliasname: String,
}

fn main() {}
