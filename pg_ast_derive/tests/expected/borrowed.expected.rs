// @generated from borrowed.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'a> ::pg_ast::FromRaw<'a, raw::RangeVar> for Table<'a> {
    #[inline]
    unsafe fn from_raw(
        raw: *const raw::RangeVar,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const raw::RangeVar,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            <&'a str as ::pg_ast::FromRaw<
                'a,
                _,
            >>::write_raw(&raw const (*raw).relname, &raw mut (*place).relname, cx);
            <Option<
                Alias<'a>,
            > as ::pg_ast::FromRaw<
                'a,
                _,
            >>::write_raw(&raw const (*raw).alias, &raw mut (*place).alias, cx);
            let Self { relname: _, alias: _ } = *place;
        }
    }
}
#[automatically_derived]
unsafe impl<'a> ::pg_ast::FromNode<'a, raw::Node> for Table<'a> {
    #[inline]
    unsafe fn write_node(
        node: *const raw::Node,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                raw::RangeVar,
                { raw::NodeTag::T_RangeVar.0 },
            >(cx, node, place)
        }
    }
}
