// @generated from fingerprint_nodes.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Fingerprint
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::RawSum for ::libpg_query::pg18::Node {
        unsafe fn node(
            node: *const Self,
            out: &mut ::pg_ast::__private::fingerprint::Stream,
            place: ::pg_ast::__private::fingerprint::Place,
            depth: u32,
        ) {
            unsafe {
                match (*node).type_ {
                    ::libpg_query::pg18::NodeTag::T_SelectStmt => {
                        ::pg_ast::__private::fingerprint::Message::node(
                            ::pg_ast::__private::fingerprint::InC::<
                                ::libpg_query::pg18::SelectStmt,
                            >::new(node.cast()),
                            out,
                            place,
                            depth,
                        )
                    }
                    ::libpg_query::pg18::NodeTag::T_List => {
                        ::pg_ast::__private::fingerprint::Message::node(
                            ::pg_ast::__private::fingerprint::InC::<
                                ::libpg_query::pg18::List,
                            >::new(node.cast()),
                            out,
                            place,
                            depth,
                        )
                    }
                    _ => {}
                }
            }
        }
    }
};
