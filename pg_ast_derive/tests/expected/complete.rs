#[derive(IntoRaw)]
#[pg_ast(raw = raw::FuncCall, internal(complete), skip_raw(args))]
struct FuncCall {
    funcname: Vec<Node>,
}
