// @generated from header.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::CollateExpr>
for CollateExpr {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::CollateExpr,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::CollateExpr,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).xpr, &raw mut (*__place).xpr);
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).arg, &raw mut (*__place).arg);
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).collOid, &raw mut (*__place).coll_oid);
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).location, &raw mut (*__place).location);
            let Self { xpr: _, arg: _, coll_oid: _, location: _ } = *__place;
            let ::libpg_query::pg18::CollateExpr {
                xpr: _,
                arg: _,
                collOid: _,
                location: _,
            } = *__raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for CollateExpr {
    #[inline]
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::CollateExpr,
                { ::libpg_query::pg18::NodeTag::T_CollateExpr.0 },
            >(__cx, __node, __place)
        }
    }
}

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
            xpr: <&Option<Box<Node>> as ::pg_ast::IntoRaw<_>>::into_raw(&self.xpr, __cx),
            arg: <&Option<Box<Node>> as ::pg_ast::IntoRaw<_>>::into_raw(&self.arg, __cx),
            collOid: <&u32 as ::pg_ast::IntoRaw<_>>::into_raw(&self.coll_oid, __cx),
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
