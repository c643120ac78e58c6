// @generated from own_tags.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::PLpgSQL_stmt>
for Stmt {
    unsafe fn write_node(
        node: *const ::libpg_query::pg18::PLpgSQL_stmt,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            match ::pg_ast::convert::lists::own_tag((*node).cmd_type) {
                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_IF => {
                    place
                        .write(
                            ::core::option::Option::Some(
                                Self::If(
                                    <::std::boxed::Box<
                                        super::StmtIf,
                                    > as ::pg_ast::FromRaw<
                                        'tree,
                                        ::libpg_query::pg18::PLpgSQL_stmt_if,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            ::libpg_query::pg18::PLpgSQL_stmt_if,
                                            {
                                                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_IF.0
                                            },
                                        >(node),
                                        cx,
                                    ),
                                ),
                            ),
                        )
                }
                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_NULL => {
                    place
                        .write(
                            ::core::option::Option::Some(
                                Self::Null(
                                    <super::StmtNull as ::pg_ast::FromRaw<
                                        'tree,
                                        ::libpg_query::pg18::PLpgSQL_stmt_null,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            ::libpg_query::pg18::PLpgSQL_stmt_null,
                                            {
                                                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_NULL.0
                                            },
                                        >(node),
                                        cx,
                                    ),
                                ),
                            ),
                        )
                }
                _ => place.write(::core::option::Option::None),
            }
        }
    }
}
