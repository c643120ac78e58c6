// @generated from own_tags.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::PLpgSQL_stmt>
for Stmt {
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::PLpgSQL_stmt,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        __cx.internal::<Self>();
        unsafe {
            match (*__node).cmd_type {
                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_IF => {
                    __place
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
                                        >(__node),
                                        __cx,
                                    ),
                                ),
                            ),
                        )
                }
                ::libpg_query::pg18::PLpgSQL_stmt_type::PLPGSQL_STMT_NULL => {
                    __place
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
