#[derive(FromRaw)]
#[pg_ast(raw = raw::Node)]
enum Expr<'a> {
    #[pg_ast(raw = raw::ParamRef)]
    Param(Param<'a>),
    #[pg_ast(other)]
    Other(view::Node<'a>),
}
