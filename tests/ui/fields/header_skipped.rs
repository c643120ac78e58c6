use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::CollateExpr, header = "xpr.type_", skip_raw(xpr))]
struct CollateExpr {
    arg: Option<Box<Node>>,
    #[pg_ast(name = "collOid")]
    coll_oid: u32,
    location: i32,
}

fn main() {}
