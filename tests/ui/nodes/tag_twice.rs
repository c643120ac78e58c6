use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Node {
    #[pg_ast(raw = raw::Alias)]
    Alias(protobuf::Alias),
    #[pg_ast(raw = raw::Alias)]
    Other(protobuf::Alias),
}

fn main() {}
