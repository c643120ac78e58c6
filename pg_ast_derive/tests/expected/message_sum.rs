#[derive(Message)]
#[pg_ast(tree = crate::pg18::message)]
pub enum Val {
    #[prost(message, tag = "1")]
    #[pg_ast(json = "ival")]
    Ival(super::Integer),
    #[prost(message, tag = "4")]
    #[pg_ast(json = "sval")]
    Sval(::prost::alloc::boxed::Box<super::String>),
}
