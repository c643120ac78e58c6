use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node, header = "xpr.type_")]
enum Node {
    #[pg_ast(raw = raw::Alias)]
    Alias(protobuf::Alias),
}

#[derive(FromRaw)]
#[pg_ast(raw = raw::SetOperation, skip_raw(op))]
enum SetOperation {
    #[pg_ast(name = "SETOP_NONE")]
    None,
}

fn main() {}
