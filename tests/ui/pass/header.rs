//! A tag that lies in a struct at the front, which no field is for.

use pg_ast::{FromRaw, IntoRaw, Node, raw};

#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = raw::CollateExpr, header = "xpr.type_")]
struct CollateExpr {
    arg: Option<Box<Node>>,
    #[pg_ast(name = "collOid")]
    coll_oid: u32,
    location: i32,
}

#[test]
fn derives() {
    let _ = |expr: CollateExpr| (expr.arg, expr.coll_oid, expr.location);
}
