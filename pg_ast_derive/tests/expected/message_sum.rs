#[derive(Message)]
#[pg_ast(tree = crate::pg18::message)]
pub enum Val {
    #[prost(message, tag = "1")]
    Ival(super::Integer),
    #[prost(message, tag = "4")]
    Sval(::prost::alloc::boxed::Box<super::String>),
}
