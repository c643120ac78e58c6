// @generated from header.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::CollateExpr>
for CollateExpr {
    #[inline]
    unsafe fn from_raw(
        raw: *const ::libpg_query::pg18::CollateExpr,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const ::libpg_query::pg18::CollateExpr,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            <Option<
                Box<Node>,
            > as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).xpr, &raw mut (*place).xpr, cx);
            <Option<
                Box<Node>,
            > as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).arg, &raw mut (*place).arg, cx);
            <u32 as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).collOid, &raw mut (*place).coll_oid, cx);
            <i32 as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).location, &raw mut (*place).location, cx);
            let Self { xpr: _, arg: _, coll_oid: _, location: _ } = *place;
            let ::libpg_query::pg18::CollateExpr {
                xpr: _,
                arg: _,
                collOid: _,
                location: _,
            } = *raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for CollateExpr {
    #[inline]
    unsafe fn write_node(
        node: *const ::libpg_query::pg18::Node,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::CollateExpr,
                { ::libpg_query::pg18::NodeTag::T_CollateExpr.0 },
            >(cx, node, place)
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
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::CollateExpr {
        let mut raw = ::libpg_query::pg18::CollateExpr {
            xpr: <&Option<Box<Node>> as ::pg_ast::IntoRaw<_>>::into_raw(&self.xpr, cx),
            arg: <&Option<Box<Node>> as ::pg_ast::IntoRaw<_>>::into_raw(&self.arg, cx),
            collOid: <&u32 as ::pg_ast::IntoRaw<_>>::into_raw(&self.coll_oid, cx),
            location: <&i32 as ::pg_ast::IntoRaw<_>>::into_raw(&self.location, cx),
        };
        raw.xpr.type_ = <::libpg_query::pg18::CollateExpr as ::pg_ast::Tagged<
            { ::libpg_query::pg18::NodeTag::T_CollateExpr.0 },
        >>::TAG;
        raw
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::CollateExpr> for &CollateExpr {
    #[inline]
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::CollateExpr {
        cx.node::<CollateExpr, ::libpg_query::pg18::CollateExpr>(self)
    }
}
