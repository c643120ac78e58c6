use pg_ast::{FromRaw, protobuf, raw};

#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Lists {
    #[pg_ast(raw = raw::List, tag = "T_IntLst")]
    Int(protobuf::IntList),
}

fn main() {}
