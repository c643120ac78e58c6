// @generated from other_borrowed.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'a> ::pg_ast::FromNode<'a, raw::Node> for Expr<'a> {
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
                                    <Param<
                                        'a,
                                    > as ::pg_ast::FromRaw<
                                        'a,
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
                _ => {
                    __place
                        .write(
                            ::core::option::Option::map(
                                <view::Node<
                                    'a,
                                > as ::pg_ast::FromNode<
                                    'a,
                                    raw::Node,
                                >>::from_node(__node, __cx),
                                Self::Other,
                            ),
                        )
                }
            }
        }
    }
    fn from_null() -> ::core::option::Option<Self> {
        ::core::option::Option::map(
            <view::Node<'a> as ::pg_ast::FromNode<'a, raw::Node>>::from_null(),
            Self::Other,
        )
    }
    unsafe fn from_number(
        __number: *const ::core::ffi::c_int,
    ) -> ::core::option::Option<Self> {
        ::core::option::Option::map(
            unsafe {
                <view::Node<
                    'a,
                > as ::pg_ast::FromNode<'a, raw::Node>>::from_number(__number)
            },
            Self::Other,
        )
    }
}
