use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::CollateExpr)]
struct CollateExpr {
    arg: Option<Box<Node>>,
    #[pg_ast(name = "collOid")]
    coll_oid: u32,
    location: i32,
}

fn main() {}
