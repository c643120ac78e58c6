#[derive(Fingerprint)]
#[pg_ast(raw = ::libpg_query::pg18::CollateExpr, header = "xpr.type_")]
struct CollateExpr {
    #[pg_ast(no_fingerprint)]
    xpr: Option<Box<Node>>,
    arg: Option<Box<Node>>,
    #[pg_ast(name = "collOid")]
    coll_oid: u32,
    #[prost(enumeration = "SetOperation", tag = "16")]
    #[pg_ast(name = "type_")]
    r#type: i32,
    #[pg_ast(no_fingerprint)]
    name: String,
    #[pg_ast(location)]
    location: i32,
}
