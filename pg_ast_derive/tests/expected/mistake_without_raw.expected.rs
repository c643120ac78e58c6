// @generated from mistake_without_raw.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
::core::compile_error! {
    "`Alias` does not say which C type it is: add `#[pg_ast(raw = ..)]`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
#[automatically_derived]
unsafe impl<'tree, AnyRaw> ::pg_ast::FromRaw<'tree, AnyRaw> for Alias {
    unsafe fn from_raw(_: *const AnyRaw, _: &mut ::pg_ast::FromRawContext) -> Self {
        ::core::unreachable!("the derive reported an error")
    }
}
#[automatically_derived]
unsafe impl<'tree, AnyRaw> ::pg_ast::FromNode<'tree, AnyRaw> for Alias {
    unsafe fn write_node(
        _: *const AnyRaw,
        _: *mut ::core::option::Option<Self>,
        _: &mut ::pg_ast::FromRawContext,
    ) {
        ::core::unreachable!("the derive reported an error")
    }
}

// IntoRaw
::core::compile_error! {
    "`Alias` does not say which C type it is: add `#[pg_ast(raw = ..)]`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-type"
}
#[automatically_derived]
impl<AnyRaw> ::pg_ast::IntoRaw<AnyRaw> for &Alias {
    fn into_raw(self, _: &mut ::pg_ast::IntoRawContext<'_>) -> AnyRaw {
        ::core::unreachable!("the derive reported an error")
    }
}
