// @generated from other_constant.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
impl ::pg_ast::__private::FromConstant<raw::A_Expr_Kind> for Kind {
    #[inline]
    fn from_constant(raw: raw::A_Expr_Kind) -> ::core::option::Option<Self> {
        match raw {
            raw::A_Expr_Kind::AEXPR_IN => ::core::option::Option::Some(Self::In),
            _ => ::core::option::Option::Some(Self::Other),
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, raw::A_Expr_Kind> for Kind {
    #[inline]
    unsafe fn from_raw(
        raw: *const raw::A_Expr_Kind,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        let value = unsafe { *raw };
        match <Self as ::pg_ast::__private::FromConstant<
            raw::A_Expr_Kind,
        >>::from_constant(value) {
            ::core::option::Option::Some(constant) => constant,
            ::core::option::Option::None => {
                cx.unmapped_constant(
                    "A_Expr_Kind",
                    ::core::convert::From::from(value.0),
                );
                Self::In
            }
        }
    }
}
