// @generated from other_constant.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
impl ::pg_ast::__private::FromConstant<raw::A_Expr_Kind> for Kind {
    #[inline]
    fn from_constant(__raw: raw::A_Expr_Kind) -> ::core::option::Option<Self> {
        match __raw {
            raw::A_Expr_Kind::AEXPR_IN => ::core::option::Option::Some(Self::In),
            _ => ::core::option::Option::Some(Self::Other),
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, raw::A_Expr_Kind> for Kind {
    #[inline]
    unsafe fn from_raw(
        __raw: *const raw::A_Expr_Kind,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        let __value = unsafe { *__raw };
        match <Self as ::pg_ast::__private::FromConstant<
            raw::A_Expr_Kind,
        >>::from_constant(__value) {
            ::core::option::Option::Some(__constant) => __constant,
            ::core::option::Option::None => {
                __cx.unmapped_constant(
                    "A_Expr_Kind",
                    ::core::convert::From::from(__value.0),
                );
                Self::In
            }
        }
    }
}
