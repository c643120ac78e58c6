// @generated from empty.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::A_Star> for AStar {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::A_Star,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::A_Star,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            let Self {} = *__place;
            let ::libpg_query::pg18::A_Star { type_: _ } = *__raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for AStar {
    #[inline]
    unsafe fn write_node(
        __node: *const ::libpg_query::pg18::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::A_Star,
                { ::libpg_query::pg18::NodeTag::T_A_Star.0 },
            >(__cx, __node, __place)
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::A_Star> for &AStar {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::A_Star {
        ::libpg_query::pg18::A_Star {
            type_: <::libpg_query::pg18::A_Star as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_A_Star.0 },
            >>::TAG,
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::A_Star> for &AStar {
    #[inline]
    fn into_raw(
        self,
        __cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::A_Star {
        __cx.node::<AStar, ::libpg_query::pg18::A_Star>(self)
    }
}
