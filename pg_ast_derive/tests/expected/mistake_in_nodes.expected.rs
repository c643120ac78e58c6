// @generated from mistake_in_nodes.rs: `BLESS=1 cargo test -p pg_ast_derive`

// FromRaw
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
unsafe impl ::pg_ast::FromNode<::libpg_query::pg18::Node> for Node {
    unsafe fn write_node(
        _: *const ::libpg_query::pg18::Node,
        _: *mut ::core::option::Option<Self>,
        _: &mut ::pg_ast::FromRawContext,
    ) {
        ::core::unreachable!("the derive reported an error")
    }
}

// IntoRaw
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Node> for &Node {
    fn into_raw(
        self,
        _: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Node {
        ::core::unreachable!("the derive reported an error")
    }
}

// Fingerprint
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl ::pg_ast::__private::fingerprint::RawSum for ::libpg_query::pg18::Node {
    unsafe fn node(
        _: *const Self,
        _: &mut ::pg_ast::__private::fingerprint::Stream,
        _: ::pg_ast::__private::fingerprint::Place,
        _: u32,
    ) {
        ::core::unreachable!("the derive reported an error")
    }
}

// Recursive
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl ::core::clone::Clone for Node {
    fn clone(&self) -> Self {
        ::core::unreachable!("the derive reported an error")
    }
}
#[automatically_derived]
impl ::core::cmp::PartialEq for Node {
    fn eq(&self, _: &Self) -> bool {
        ::core::unreachable!("the derive reported an error")
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for Node {
    fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::unreachable!("the derive reported an error")
    }
}

// Walk
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl crate::pg18::walk::Field for Node {
    fn walk<'a>(
        &'a self,
        _: &mut crate::pg18::walk::Sink<'_, 'a>,
    ) -> ::core::ops::ControlFlow<()> {
        ::core::unreachable!("the derive reported an error")
    }
    fn walk_mut<'a>(
        &'a mut self,
        _: &mut crate::pg18::walk::SinkMut<'_, 'a>,
    ) -> ::core::ops::ControlFlow<()> {
        ::core::unreachable!("the derive reported an error")
    }
}

// HeapSize
::core::compile_error! {
    "variant `Alias` must hold exactly one node, as in `Alias(..)`\nsee https://docs.rs/pg_ast/latest/pg_ast/derive.FromRaw.html#attributes-of-a-variant"
}
#[automatically_derived]
impl ::pg_ast::HeapSize for Node {
    fn heap_size(&self) -> usize {
        ::core::unreachable!("the derive reported an error")
    }
}
