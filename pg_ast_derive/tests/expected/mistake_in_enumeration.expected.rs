// @generated from mistake_in_enumeration.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
::core::compile_error! {
    "a variant has no attribute `nam`; it has `raw`, `tag`, `name`, `skip`, `other`; did you mean `name`?\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::SetOperation>
for SetOperation {
    unsafe fn from_raw(
        _: *const ::libpg_query::pg18::SetOperation,
        _: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        ::core::unreachable!("the derive reported an error")
    }
}

// IntoRaw
::core::compile_error! {
    "a variant has no attribute `nam`; it has `raw`, `tag`, `name`, `skip`, `other`; did you mean `name`?\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::SetOperation> for &SetOperation {
    fn into_raw(
        self,
        _: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::SetOperation {
        ::core::unreachable!("the derive reported an error")
    }
}
