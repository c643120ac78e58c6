// @generated from walk_sum.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Walk
const _: () = {
    #[automatically_derived]
    impl crate::pg18::walk::Field for Val {
        #[allow(unused_variables)]
        fn walk<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            match self {
                Self::Ival(node) => crate::pg18::walk::Field::walk(node, f),
                Self::Sval(node) => crate::pg18::walk::Field::walk(node, f),
            }
        }
        #[allow(unused_variables)]
        fn walk_mut<'a>(
            &'a mut self,
            f: &mut crate::pg18::walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            match self {
                Self::Ival(node) => crate::pg18::walk::Field::walk_mut(node, f),
                Self::Sval(node) => crate::pg18::walk::Field::walk_mut(node, f),
            }
        }
    }
};

// HeapSize
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::HeapSize for Val {
        fn heap_size(&self) -> usize {
            match self {
                Self::Ival(node) => ::pg_ast::HeapSize::heap_size(node),
                Self::Sval(node) => ::pg_ast::HeapSize::heap_size(node),
            }
        }
    }
};
