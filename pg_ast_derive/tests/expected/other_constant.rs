#[derive(FromRaw)]
#[pg_ast(raw = raw::A_Expr_Kind)]
enum Kind {
    #[pg_ast(name = "AEXPR_IN")]
    In,
    #[pg_ast(other)]
    Other,
}
