// @generated from prost_enumeration.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromRaw<'tree, ::libpg_query::pg18::SelectStmt>
for SelectStmt {
    #[inline]
    unsafe fn from_raw(
        raw: *const ::libpg_query::pg18::SelectStmt,
        cx: &mut ::pg_ast::FromRawContext,
    ) -> Self {
        unsafe { ::pg_ast::FromRawContext::value(cx, raw) }
    }
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    unsafe fn write_raw(
        raw: *const ::libpg_query::pg18::SelectStmt,
        place: *mut Self,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            (&raw mut (*place).op)
                .write(
                    <SetOperation as ::pg_ast::FromRaw<
                        'tree,
                        _,
                    >>::from_raw(&raw const (*raw).op, cx) as i32,
                );
            <bool as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).all, &raw mut (*place).all, cx);
            <::core::option::Option<
                ::prost::alloc::boxed::Box<SelectStmt>,
            > as ::pg_ast::FromRaw<
                'tree,
                _,
            >>::write_raw(&raw const (*raw).larg, &raw mut (*place).larg, cx);
            let Self { op: _, all: _, larg: _ } = *place;
            let ::libpg_query::pg18::SelectStmt { op: _, all: _, larg: _, type_: _ } = *raw;
        }
    }
}
#[automatically_derived]
unsafe impl<'tree> ::pg_ast::FromNode<'tree, ::libpg_query::pg18::Node> for SelectStmt {
    #[inline]
    unsafe fn write_node(
        node: *const ::libpg_query::pg18::Node,
        place: *mut ::core::option::Option<Self>,
        cx: &mut ::pg_ast::FromRawContext,
    ) {
        unsafe {
            ::pg_ast::FromRawContext::write_tagged::<
                Self,
                ::libpg_query::pg18::SelectStmt,
                { ::libpg_query::pg18::NodeTag::T_SelectStmt.0 },
            >(cx, node, place)
        }
    }
}

// IntoRaw
#[automatically_derived]
impl ::pg_ast::IntoRaw<::libpg_query::pg18::SelectStmt> for &SelectStmt {
    #[inline]
    #[allow(unused_variables)]
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> ::libpg_query::pg18::SelectStmt {
        ::libpg_query::pg18::SelectStmt {
            type_: <::libpg_query::pg18::SelectStmt as ::pg_ast::Tagged<
                { ::libpg_query::pg18::NodeTag::T_SelectStmt.0 },
            >>::TAG,
            op: <&SetOperation as ::pg_ast::IntoRaw<
                _,
            >>::into_raw(
                &match <SetOperation as ::core::convert::TryFrom<
                    i32,
                >>::try_from(self.op) {
                    ::core::result::Result::Ok(constant) => constant,
                    ::core::result::Result::Err(_) => ::core::default::Default::default(),
                },
                cx,
            ),
            all: <&bool as ::pg_ast::IntoRaw<_>>::into_raw(&self.all, cx),
            larg: <&::core::option::Option<
                ::prost::alloc::boxed::Box<SelectStmt>,
            > as ::pg_ast::IntoRaw<_>>::into_raw(&self.larg, cx),
        }
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::SelectStmt> for &SelectStmt {
    #[inline]
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::SelectStmt {
        cx.node::<SelectStmt, ::libpg_query::pg18::SelectStmt>(self)
    }
}
