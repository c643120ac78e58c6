#[derive(FromRaw, IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::CollateExpr, header = "xpr.type_")]
struct CollateExpr {
    xpr: Option<Box<Node>>,
    arg: Option<Box<Node>>,
    #[pg_ast(name = "collOid")]
    coll_oid: u32,
    location: i32,
}
