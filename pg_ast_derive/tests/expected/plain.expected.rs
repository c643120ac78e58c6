// @generated from plain.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::Alias> for Alias {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::Alias,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::Alias,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).aliasname, &raw mut (*__place).aliasname);
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).colnames, &raw mut (*__place).columns);
            let Self { aliasname: _, columns: _ } = *__place;
            let ::libpg_query::pg18::Alias { aliasname: _, colnames: _, type_: _ } = *__raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for Alias {
    #[inline]
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::Alias,
                { ::libpg_query::pg18::NodeTag::T_Alias.0 },
            >(__cx, __node, __place)
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
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::Alias {
        ::libpg_query::pg18::Alias {
            type_: <::libpg_query::pg18::Alias as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_Alias.0 },
            >>::TAG,
            aliasname: <&String as ::pg_ast::IntoRaw<
                _,
            >>::into_raw(&self.aliasname, __cx),
            colnames: <&Vec<Node> as ::pg_ast::IntoRaw<_>>::into_raw(&self.columns, __cx),
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Alias> for &Alias {
    #[inline]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Alias {
        __cx.node::<Alias, ::libpg_query::pg18::Alias>(self)
    }
}
