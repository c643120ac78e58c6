#[derive(Walk, HeapSize)]
#[pg_ast(walk = crate::pg18::walk)]
struct RuleStmt {
    rulename: ::prost::alloc::string::String,
    r#where: ::core::option::Option<::prost::alloc::boxed::Box<Node>>,
    actions: ::prost::alloc::vec::Vec<Node>,
}
