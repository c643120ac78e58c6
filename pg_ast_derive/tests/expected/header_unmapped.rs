#[derive(IntoRaw)]
#[pg_ast(raw = ::libpg_query::pg18::CollateExpr, header = "xpr.type_")]
struct CollateExpr {
    location: i32,
}
