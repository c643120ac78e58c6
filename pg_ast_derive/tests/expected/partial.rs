#[derive(FromRaw)]
#[pg_ast(raw = pg_ast::raw::SelectStmt, partial)]
struct Select {
    #[pg_ast(name = "fromClause")]
    from_clause: Vec<Node>,
    op: SetOperation,
    #[pg_ast(skip)]
    seen: u64,
}
