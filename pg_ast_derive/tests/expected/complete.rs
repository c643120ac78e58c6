#[derive(IntoRaw)]
#[pg_ast(raw = raw::FuncCall, complete, skip_raw(args))]
struct FuncCall {
    funcname: Vec<Node>,
}
