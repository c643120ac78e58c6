// @generated from untagged.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::PLpgSQL_row> for Row {
    #[inline]
    unsafe fn from_raw(
        raw: *const ::libpg_query::pg18::PLpgSQL_row,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const ::libpg_query::pg18::PLpgSQL_row,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            <Dno as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).dno, &raw mut (*place).dno, cx);
            (&raw mut (*place).params)
                .write(
                    ::pg_ast::convert::lists::of_structs::<
                        Vec<Expr>,
                        ::libpg_query::pg18::PLpgSQL_expr,
                        _,
                    >(&raw const (*raw).params, cx),
                );
            (&raw mut (*place).fieldnames)
                .write(
                    ::pg_ast::convert::lists::of_array::<
                        Vec<String>,
                        _,
                    >((*raw).nfields, &raw const (*raw).fieldnames, cx),
                );
            (&raw mut (*place).varnos)
                .write(
                    ::pg_ast::convert::lists::of_array::<
                        Vec<Dno>,
                        _,
                    >((*raw).nfields, &raw const (*raw).varnos, cx),
                );
            let Self { dno: _, params: _, fieldnames: _, varnos: _ } = *place;
            let ::libpg_query::pg18::PLpgSQL_row {
                dno: _,
                params: _,
                fieldnames: _,
                varnos: _,
                nfields: _,
                dtype: _,
            } = *raw;
        }
    }
}
