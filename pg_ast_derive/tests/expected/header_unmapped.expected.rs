// @generated from header_unmapped.rs: `BLESS=1 cargo test -p pg_ast_derive`

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::CollateExpr> for &CollateExpr {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::CollateExpr {
        let mut __raw = ::libpg_query::pg18::CollateExpr {
            xpr: __cx
                .zeroed::<
                    ::libpg_query::pg18::CollateExpr,
                    { ::libpg_query::pg18::NodeTag::T_CollateExpr.0 },
                >()
                .xpr,
            location: <&i32 as ::pg_ast::IntoRaw<_>>::into_raw(&self.location, __cx),
        };
        __raw.xpr.type_ = <::libpg_query::pg18::CollateExpr as ::pg_ast::Tagged<
            { ::libpg_query::pg18::NodeTag::T_CollateExpr.0 },
        >>::TAG;
        __raw
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::CollateExpr> for &CollateExpr {
    #[inline]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::CollateExpr {
        __cx.node::<CollateExpr, ::libpg_query::pg18::CollateExpr>(self)
    }
}
