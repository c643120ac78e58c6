// @generated from fingerprint.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Fingerprint
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::Message
    for ::pg_ast::__private::fingerprint::InC<::libpg_query::pg18::CollateExpr> {
        const NAME: &'static str = "CollateExpr";
        #[allow(unused_variables, unused_unsafe)]
        fn fields(
            &self,
            out: &mut ::pg_ast::__private::fingerprint::Stream,
            _: ::pg_ast::__private::fingerprint::Place,
            depth: u32,
        ) {
            let raw = self.get();
            unsafe {
                ::pg_ast::__private::fingerprint::Hashed::fingerprint(
                    ::pg_ast::__private::fingerprint::InC::new(&raw const raw.arg),
                    out,
                    const {
                        &::pg_ast::__private::fingerprint::Site::new(
                            "CollateExpr",
                            "arg",
                        )
                    },
                    depth,
                );
                ::pg_ast::__private::fingerprint::Hashed::fingerprint(
                    ::pg_ast::__private::fingerprint::InC::new(&raw const raw.collOid),
                    out,
                    const {
                        &::pg_ast::__private::fingerprint::Site::new(
                            "CollateExpr",
                            "collOid",
                        )
                    },
                    depth,
                );
                ::pg_ast::__private::fingerprint::Hashed::fingerprint(
                    ::pg_ast::__private::fingerprint::InC::new(&raw const raw.type_),
                    out,
                    const {
                        &::pg_ast::__private::fingerprint::Site::new(
                            "CollateExpr",
                            "type",
                        )
                    },
                    depth,
                );
            }
        }
    }
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::Hashed
    for ::pg_ast::__private::fingerprint::InC<*mut ::libpg_query::pg18::CollateExpr> {
        #[inline]
        fn fingerprint(
            &self,
            out: &mut ::pg_ast::__private::fingerprint::Stream,
            site: &'static ::pg_ast::__private::fingerprint::Site,
            depth: u32,
        ) {
            ::pg_ast::__private::fingerprint::pointer(self, out, site, depth);
        }
    }
};
