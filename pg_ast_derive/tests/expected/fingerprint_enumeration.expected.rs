// @generated from fingerprint_enumeration.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Fingerprint
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::__private::fingerprint::Hashed
    for ::pg_ast::__private::fingerprint::InC<::libpg_query::pg18::SetOperation> {
        fn fingerprint(
            &self,
            out: &mut ::pg_ast::__private::fingerprint::Stream,
            site: &'static ::pg_ast::__private::fingerprint::Site,
            _: u32,
        ) {
            let name = match *self.get() {
                ::libpg_query::pg18::SetOperation::SETOP_UNION => "SETOP_UNION",
                _ => "SETOP_NONE",
            };
            out.constant(site, name);
        }
    }
};
