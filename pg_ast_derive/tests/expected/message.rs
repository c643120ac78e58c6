#[derive(Message)]
#[pg_ast(tree = crate::pg18::message, json)]
struct SelectStmt {
    #[prost(message, repeated, tag = "1")]
    #[pg_ast(name = "targetList")]
    target_list: ::prost::alloc::vec::Vec<Node>,
    #[prost(message, optional, boxed, tag = "2")]
    r#where: ::core::option::Option<::prost::alloc::boxed::Box<Node>>,
    #[prost(enumeration = "SetOperation", tag = "3")]
    #[pg_ast(name = "op_", json = "op", json_form = "Always")]
    op: i32,
}
