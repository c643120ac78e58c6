// @generated from fingerprint_empty.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Fingerprint
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::Message
    for ::pg_ast::__private::fingerprint::InC<::libpg_query::pg18::CheckPointStmt> {
        const NAME: &'static str = "CheckPointStmt";
        #[allow(unused_variables, unused_unsafe)]
        fn fields(
            &self,
            out: &mut ::pg_ast::__private::fingerprint::Stream,
            _: ::pg_ast::__private::fingerprint::Place,
            depth: u32,
        ) {
            let raw = self.get();
            unsafe {}
        }
    }
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::Hashed
    for ::pg_ast::__private::fingerprint::InC<*mut ::libpg_query::pg18::CheckPointStmt> {
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
