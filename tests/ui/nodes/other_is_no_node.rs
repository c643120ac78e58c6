use pg_ast::protobuf::SetOperation;
use pg_ast::{FromRaw, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(other)]
    Other(SetOperation),
}

fn main() {}
