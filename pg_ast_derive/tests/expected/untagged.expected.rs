// @generated from untagged.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::PLpgSQL_row> for Row {
    #[inline]
    unsafe fn from_raw(
        __raw: *const ::libpg_query::pg18::PLpgSQL_row,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const ::libpg_query::pg18::PLpgSQL_row,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        __cx.internal::<Self>();
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).dno, &raw mut (*__place).dno);
            __cx.internal::<Self>();
            (&raw mut (*__place).params)
                .write(
                    __cx
                        .items::<
                            '_,
                            'tree,
                            Self,
                            Vec<Expr>,
                            ::libpg_query::pg18::PLpgSQL_expr,
                            _,
                        >(&raw const (*__raw).params),
                );
            __cx.internal::<Self>();
            (&raw mut (*__place).fieldnames)
                .write(
                    __cx
                        .array::<
                            '_,
                            'tree,
                            Self,
                            Vec<String>,
                            _,
                        >((*__raw).nfields, &raw const (*__raw).fieldnames),
                );
            __cx.internal::<Self>();
            (&raw mut (*__place).varnos)
                .write(
                    __cx
                        .array::<
                            '_,
                            'tree,
                            Self,
                            Vec<Dno>,
                            _,
                        >((*__raw).nfields, &raw const (*__raw).varnos),
                );
            let Self { dno: _, params: _, fieldnames: _, varnos: _ } = *__place;
            let ::libpg_query::pg18::PLpgSQL_row {
                dno: _,
                params: _,
                fieldnames: _,
                varnos: _,
                nfields: _,
                dtype: _,
            } = *__raw;
        }
    }
}
