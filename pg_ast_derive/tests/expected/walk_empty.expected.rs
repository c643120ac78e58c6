// @generated from walk_empty.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Walk
const _: () = {
    #[automatically_derived]
    impl crate::pg18::walk::Children for CheckPointStmt {
        #[allow(unused_variables)]
        fn children<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            ::core::ops::ControlFlow::Continue(())
        }
        #[allow(unused_variables)]
        fn children_mut<'a>(
            &'a mut self,
            f: &mut crate::pg18::walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            ::core::ops::ControlFlow::Continue(())
        }
        #[allow(unused_variables)]
        fn singles<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            ::core::ops::ControlFlow::Continue(())
        }
    }
};

// HeapSize
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::HeapSize for CheckPointStmt {
        fn heap_size(&self) -> usize {
            0
        }
    }
};
