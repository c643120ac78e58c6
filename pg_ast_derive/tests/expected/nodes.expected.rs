// @generated from nodes.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for Node {
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            match (*__node).type_ {
                ::libpg_query::pg18::NodeTag::T_Alias => {
                    __place
                        .write(
                            ::core::option::Option::Some(
                                Self::Alias(
                                    <super::Alias as ::pg_ast::FromRaw<
                                        'tree,
                                        ::libpg_query::pg18::Alias,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            ::libpg_query::pg18::Alias,
                                            { ::libpg_query::pg18::NodeTag::T_Alias.0 },
                                        >(__node),
                                        __cx,
                                    ),
                                ),
                            ),
                        )
                }
                ::libpg_query::pg18::NodeTag::T_SelectStmt => {
                    __place
                        .write(
                            ::core::option::Option::Some(
                                Self::SelectStmt(
                                    <::prost::alloc::boxed::Box<
                                        super::SelectStmt,
                                    > as ::pg_ast::FromRaw<
                                        'tree,
                                        ::libpg_query::pg18::SelectStmt,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            ::libpg_query::pg18::SelectStmt,
                                            { ::libpg_query::pg18::NodeTag::T_SelectStmt.0 },
                                        >(__node),
                                        __cx,
                                    ),
                                ),
                            ),
                        )
                }
                ::libpg_query::pg18::NodeTag::T_IntList => {
                    __place
                        .write(
                            ::core::option::Option::Some(
                                Self::IntList(
                                    <super::IntList as ::pg_ast::FromRaw<
                                        'tree,
                                        ::libpg_query::pg18::List,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            ::libpg_query::pg18::List,
                                            { ::libpg_query::pg18::NodeTag::T_IntList.0 },
                                        >(__node),
                                        __cx,
                                    ),
                                ),
                            ),
                        )
                }
                _ => __place.write(::core::option::Option::None),
            }
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Node> for &Node {
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Node {
        match self {
            Node::Alias(__node) => {
                <&super::Alias as ::pg_ast::IntoRaw<
                    *mut ::libpg_query::pg18::Alias,
                >>::into_raw(__node, __cx)
                    .cast::<::libpg_query::pg18::Node>()
            }
            Node::SelectStmt(__node) => {
                <&::prost::alloc::boxed::Box<
                    super::SelectStmt,
                > as ::pg_ast::IntoRaw<
                    *mut ::libpg_query::pg18::SelectStmt,
                >>::into_raw(__node, __cx)
                    .cast::<::libpg_query::pg18::Node>()
            }
            Node::IntList(__node) => {
                <&super::IntList as ::pg_ast::IntoRaw<
                    *mut ::libpg_query::pg18::List,
                >>::into_raw(__node, __cx)
                    .cast::<::libpg_query::pg18::Node>()
            }
        }
    }
}
