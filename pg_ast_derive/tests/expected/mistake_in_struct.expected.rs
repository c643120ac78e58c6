// @generated from mistake_in_struct.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
::core::compile_error! {
    "a type has no attribute `partail`; it has `raw`, `partial`, `header`, `skip_raw`, `crate`; did you mean `partial`?\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
::core::compile_error! {
    "a type has no attribute `walk`; it has `raw`, `partial`, `header`, `skip_raw`, `crate`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::Alias> for Alias {
    unsafe fn from_raw(
        _: *const ::libpg_query::pg18::Alias,
        _: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        ::core::unreachable!("the derive reported an error")
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for Alias {
    unsafe fn write_node(
        _: *const ::libpg_query::pg18::Node,
        _: *mut ::core::option::Option<Self>,
        _: &mut ::pg_ast::FromRawContext,
    ) {
        ::core::unreachable!("the derive reported an error")
    }
}

// IntoRaw
::core::compile_error! {
    "a type has no attribute `partail`; it has `raw`, `partial`, `header`, `skip_raw`, `crate`; did you mean `partial`?\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
::core::compile_error! {
    "a type has no attribute `walk`; it has `raw`, `partial`, `header`, `skip_raw`, `crate`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::Alias> for &Alias {
    fn into_raw(
        self,
        _: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::Alias {
        ::core::unreachable!("the derive reported an error")
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Alias> for &Alias {
    fn into_raw(
        self,
        _: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Alias {
        ::core::unreachable!("the derive reported an error")
    }
}
