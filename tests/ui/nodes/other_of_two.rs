use pg_ast::{FromRaw, Node, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Stmt {
    #[pg_ast(other)]
    Other(Node, Node),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Item {
    #[pg_ast(raw = raw::RangeVar)]
    Table(pg_ast::protobuf::RangeVar),
    // Without the attribute.
    Other,
}

fn main() {}
