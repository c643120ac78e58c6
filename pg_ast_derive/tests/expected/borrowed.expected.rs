// @generated from borrowed.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'a> ::pg_ast::FromRaw<'a, raw::RangeVar> for Table<'a> {
    #[inline]
    unsafe fn from_raw(
        __raw: *const raw::RangeVar,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const raw::RangeVar,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'a,
                    _,
                    _,
                >(&raw const (*__raw).relname, &raw mut (*__place).relname);
            __cx.field::<
                    '_,
                    'a,
                    _,
                    _,
                >(&raw const (*__raw).alias, &raw mut (*__place).alias);
            let Self { relname: _, alias: _ } = *__place;
        }
    }
}
#[automatically_derived]
unsafe impl<'a> ::pg_ast::FromNode<'a, raw::Node> for Table<'a> {
    #[inline]
    unsafe fn write_node(
        __node: *const raw::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                raw::RangeVar,
                { raw::NodeTag::T_RangeVar.0 },
            >(__cx, __node, __place)
        }
    }
}
