// @generated from other.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, raw::Node> for Expr {
    unsafe fn write_node(
        __node: *const raw::Node,
        __place: *mut ::core::option::Option<Self>,
        __cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            match (*__node).type_ {
                raw::NodeTag::T_ParamRef => {
                    __place
                        .write(
                            ::core::option::Option::Some(
                                Self::Param(
                                    <Param as ::pg_ast::FromRaw<
                                        'tree,
                                        raw::ParamRef,
                                    >>::from_raw(
                                        ::pg_ast::FromRawContext::tagged::<
                                            raw::ParamRef,
                                            { raw::NodeTag::T_ParamRef.0 },
                                        >(__node),
                                        __cx,
                                    ),
                                ),
                            ),
                        )
                }
                _ => __place.write(::core::option::Option::Some(Self::Other)),
            }
        }
    }
    fn from_null() -> ::core::option::Option<Self> {
        ::core::option::Option::Some(Self::Other)
    }
    unsafe fn from_number(_: *const ::core::ffi::c_int) -> ::core::option::Option<Self> {
        ::core::option::Option::Some(Self::Other)
    }
}
