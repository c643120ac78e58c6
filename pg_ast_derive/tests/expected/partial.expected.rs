// @generated from partial.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
const _: () = {
    #[automatically_derived]
    unsafe impl ::pg_ast::FromRaw<pg_ast::raw::SelectStmt> for Select {
        #[inline]
        unsafe fn from_raw(
            raw: *const pg_ast::raw::SelectStmt,
            cx: &mut ::pg_ast::FromRawContext,
        ) -> Self {
            unsafe {
                Self {
                    from_clause: <Vec<
                        Node,
                    > as ::pg_ast::FromRaw<
                        _,
                    >>::from_raw(&raw const (*raw).fromClause, cx),
                    op: <SetOperation as ::pg_ast::FromRaw<
                        _,
                    >>::from_raw(&raw const (*raw).op, cx),
                    seen: ::core::default::Default::default(),
                }
            }
        }
    }
    #[automatically_derived]
    unsafe impl ::pg_ast::FromNode<pg_ast::raw::Node> for Select {
        #[inline]
        unsafe fn write_node(
            node: *const pg_ast::raw::Node,
            place: *mut ::core::option::Option<Self>,
            cx: &mut ::pg_ast::FromRawContext,
        ) {
            unsafe {
                place
                    .write(
                        match (*node).type_ {
                            pg_ast::raw::NodeTag::T_SelectStmt => {
                                ::core::option::Option::Some(
                                    <Self as ::pg_ast::FromRaw<
                                        pg_ast::raw::SelectStmt,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            pg_ast::raw::SelectStmt,
                                            { pg_ast::raw::NodeTag::T_SelectStmt.0 },
                                        >(node),
                                        cx,
                                    ),
                                )
                            }
                            _ => ::core::option::Option::None,
                        },
                    );
            }
        }
    }
};
