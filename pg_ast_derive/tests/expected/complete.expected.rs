// @generated from complete.rs: `BLESS=1 cargo test -p pg_ast_derive`

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<raw::FuncCall> for &FuncCall {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(self, __cx: &mut ::pg_ast::IntoRawContext<'_>) -> raw::FuncCall {
        __cx.complete(self, "FuncCall");
        raw::FuncCall {
            type_: <raw::FuncCall as ::pg_ast::Tagged<
                { raw::NodeTag::T_FuncCall.0 },
            >>::TAG,
            funcname: <&Vec<
                Node,
            > as ::pg_ast::IntoRaw<_>>::into_raw(&self.funcname, __cx),
            args: __cx.zeroed::<raw::FuncCall, { raw::NodeTag::T_FuncCall.0 }>().args,
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut raw::FuncCall> for &FuncCall {
    #[inline]
    fn into_raw(self, __cx: &mut ::pg_ast::IntoRawContext<'_>) -> *mut raw::FuncCall {
        __cx.node::<FuncCall, raw::FuncCall>(self)
    }
}
