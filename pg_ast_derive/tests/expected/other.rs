#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Expr {
    #[pg_ast(raw = raw::ParamRef)]
    Param(Param),
    #[pg_ast(other)]
    Other,
}
