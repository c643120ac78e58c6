// @generated from partial.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, pg_ast::raw::SelectStmt> for Select {
    #[inline]
    unsafe fn from_raw(
        __raw: *const pg_ast::raw::SelectStmt,
        __cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(__cx, __raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        __raw: *const pg_ast::raw::SelectStmt,
        __place: *mut Self,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).fromClause, &raw mut (*__place).from_clause);
            __cx.field::<
                    '_,
                    'tree,
                    _,
                    _,
                >(&raw const (*__raw).op, &raw mut (*__place).op);
            (&raw mut (*__place).seen).write(::core::default::Default::default());
            let Self { from_clause: _, op: _, seen: _ } = *__place;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, pg_ast::raw::Node> for Select {
    #[inline]
    unsafe fn write_node(
        __node: *const pg_ast::raw::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                pg_ast::raw::SelectStmt,
                { pg_ast::raw::NodeTag::T_SelectStmt.0 },
            >(__cx, __node, __place)
        }
    }
}
