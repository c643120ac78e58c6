// @generated from not_null.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::String> for String {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::String,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::String,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).sval, &raw mut (*__place).sval);
            let Self { sval: _ } = *__place;
            let ::libpg_query::pg18::String { sval: _, type_: _ } = *__raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for String {
    #[inline]
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::String,
                { ::libpg_query::pg18::NodeTag::T_String.0 },
            >(__cx, __node, __place)
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::String> for &String {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::String {
        ::libpg_query::pg18::String {
            type_: <::libpg_query::pg18::String as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_String.0 },
            >>::TAG,
            sval: __cx.c_string(&self.sval),
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::String> for &String {
    #[inline]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::String {
        __cx.node::<String, ::libpg_query::pg18::String>(self)
    }
}
