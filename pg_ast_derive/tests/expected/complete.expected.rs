// @generated from complete.rs: `BLESS=1 cargo test -p pg_ast_derive`

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<raw::FuncCall> for &FuncCall {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(self, cx: &mut ::pg_ast::IntoRawContext<'_>) -> raw::FuncCall {
        if let ::core::option::Option::Some(field) = self.missing_field() {
            cx.incomplete("FuncCall", field);
        }
        raw::FuncCall {
            type_: <raw::FuncCall as ::pg_ast::Tagged<
                { raw::NodeTag::T_FuncCall.0 },
            >>::TAG,
            funcname: <&Vec<Node> as ::pg_ast::IntoRaw<_>>::into_raw(&self.funcname, cx),
            args: cx.zeroed::<raw::FuncCall, { raw::NodeTag::T_FuncCall.0 }>().args,
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut raw::FuncCall> for &FuncCall {
    #[inline]
    fn into_raw(self, cx: &mut ::pg_ast::IntoRawContext<'_>) -> *mut raw::FuncCall {
        cx.node::<FuncCall, raw::FuncCall>(self)
    }
}
