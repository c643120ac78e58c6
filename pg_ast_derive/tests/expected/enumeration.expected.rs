// @generated from enumeration.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
impl ::pg_ast::__private::FromConstant<::libpg_query::pg18::SetOperation>
for SetOperation {
    #[inline]
    fn from_constant(
        __raw: ::libpg_query::pg18::SetOperation,
    ) -> ::core::option::Option<Self> {
        match __raw {
            ::libpg_query::pg18::SetOperation::SETOP_NONE => {
                ::core::option::Option::Some(Self::SetopNone)
            }
            ::libpg_query::pg18::SetOperation::SETOP_UNION => {
                ::core::option::Option::Some(Self::SetopUnion)
            }
            _ => ::core::option::Option::None,
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::SetOperation>
for SetOperation {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::SetOperation,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        let __value = unsafe { *__raw };
        match <Self as ::pg_ast::__private::FromConstant<
            ::libpg_query::pg18::SetOperation,
        >>::from_constant(__value) {
            ::core::option::Option::Some(__constant) => __constant,
            ::core::option::Option::None => {
                __cx.unmapped_constant(
                    "SetOperation",
                    ::core::convert::From::from(__value.0),
                );
                Self::Undefined
            }
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::SetOperation> for &SetOperation {
    #[inline]
    fn into_raw(
        self,
        _: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::SetOperation {
        match *self {
            SetOperation::Undefined => ::libpg_query::pg18::SetOperation::SETOP_NONE,
            SetOperation::SetopNone => ::libpg_query::pg18::SetOperation::SETOP_NONE,
            SetOperation::SetopUnion => ::libpg_query::pg18::SetOperation::SETOP_UNION,
        }
    }
}
