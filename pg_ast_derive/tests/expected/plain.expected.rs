// @generated from plain.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::Alias> for Alias {
    #[inline]
    unsafe fn from_raw(
        raw: *const ::libpg_query::pg18::Alias,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const ::libpg_query::pg18::Alias,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            <String as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).aliasname, &raw mut (*place).aliasname, cx);
            <Vec<
                Node,
            > as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).colnames, &raw mut (*place).columns, cx);
            let Self { aliasname: _, columns: _ } = *place;
            let ::libpg_query::pg18::Alias { aliasname: _, colnames: _, type_: _ } = *raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for Alias {
    #[inline]
    unsafe fn write_node(
        node: *const ::libpg_query::pg18::Node,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::Alias,
                { ::libpg_query::pg18::NodeTag::T_Alias.0 },
            >(cx, node, place)
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::Alias> for &Alias {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::Alias {
        ::libpg_query::pg18::Alias {
            type_: <::libpg_query::pg18::Alias as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_Alias.0 },
            >>::TAG,
            aliasname: <&String as ::pg_ast::IntoRaw<_>>::into_raw(&self.aliasname, cx),
            colnames: <&Vec<Node> as ::pg_ast::IntoRaw<_>>::into_raw(&self.columns, cx),
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Alias> for &Alias {
    #[inline]
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Alias {
        cx.node::<Alias, ::libpg_query::pg18::Alias>(self)
    }
}
