// @generated from skip_raw.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::Query> for Query {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::Query,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::Query,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).isReturn, &raw mut (*__place).is_return);
            let Self { is_return: _ } = *__place;
            let ::libpg_query::pg18::Query {
                isReturn: _,
                queryId: _,
                canSetTag: _,
                type_: _,
            } = *__raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for Query {
    #[inline]
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::Query,
                { ::libpg_query::pg18::NodeTag::T_Query.0 },
            >(__cx, __node, __place)
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::Query> for &Query {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::Query {
        ::libpg_query::pg18::Query {
            type_: <::libpg_query::pg18::Query as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_Query.0 },
            >>::TAG,
            isReturn: <&bool as ::pg_ast::IntoRaw<_>>::into_raw(&self.is_return, __cx),
            queryId: __cx
                .zeroed::<
                    ::libpg_query::pg18::Query,
                    { ::libpg_query::pg18::NodeTag::T_Query.0 },
                >()
                .queryId,
            canSetTag: __cx
                .zeroed::<
                    ::libpg_query::pg18::Query,
                    { ::libpg_query::pg18::NodeTag::T_Query.0 },
                >()
                .canSetTag,
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Query> for &Query {
    #[inline]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Query {
        __cx.node::<Query, ::libpg_query::pg18::Query>(self)
    }
}
