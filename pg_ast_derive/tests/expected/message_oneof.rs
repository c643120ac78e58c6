#[derive(Message)]
#[pg_ast(tree = crate::pg18::message, json)]
pub enum Val {
    #[prost(message, tag = "1")]
    #[pg_ast(raw = crate::pg18::raw::Integer, json = "ival")]
    Ival(super::Integer),
    #[prost(message, tag = "4")]
    #[pg_ast(raw = crate::pg18::raw::String)]
    Sval(::prost::alloc::boxed::Box<super::String>),
}
