// @generated from partial.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, pg_ast::raw::SelectStmt> for Select {
    #[inline]
    unsafe fn from_raw(
        raw: *const pg_ast::raw::SelectStmt,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const pg_ast::raw::SelectStmt,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            <Vec<
                Node,
            > as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(
                &raw const (*raw).fromClause,
                &raw mut (*place).from_clause,
                cx,
            );
            <SetOperation as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).op, &raw mut (*place).op, cx);
            (&raw mut (*place).seen).write(::core::default::Default::default());
            let Self { from_clause: _, op: _, seen: _ } = *place;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, pg_ast::raw::Node> for Select {
    #[inline]
    unsafe fn write_node(
        node: *const pg_ast::raw::Node,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                pg_ast::raw::SelectStmt,
                { pg_ast::raw::NodeTag::T_SelectStmt.0 },
            >(cx, node, place)
        }
    }
}
