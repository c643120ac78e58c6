// @generated from walk.rs: `BLESS=1 cargo test -p pg_ast_derive`

// Walk
const _: () = {
    #[automatically_derived]
    impl crate::pg18::walk::Children for RuleStmt {
        #[allow(unused_variables)]
        fn children<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            crate::pg18::walk::Field::walk(&self.rulename, f)?;
            crate::pg18::walk::Field::walk(&self.r#where, f)?;
            crate::pg18::walk::Field::walk(&self.actions, f)?;
            ::core::ops::ControlFlow::Continue(())
        }
        #[allow(unused_variables)]
        fn children_mut<'a>(
            &'a mut self,
            f: &mut crate::pg18::walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            crate::pg18::walk::Field::walk_mut(&mut self.rulename, f)?;
            crate::pg18::walk::Field::walk_mut(&mut self.r#where, f)?;
            crate::pg18::walk::Field::walk_mut(&mut self.actions, f)?;
            ::core::ops::ControlFlow::Continue(())
        }
        #[allow(unused_variables)]
        fn singles<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            if !<::prost::alloc::string::String as crate::pg18::walk::Field>::LIST {
                crate::pg18::walk::Field::walk(&self.rulename, f)?;
            }
            if !<::core::option::Option<
                ::prost::alloc::boxed::Box<Node>,
            > as crate::pg18::walk::Field>::LIST {
                crate::pg18::walk::Field::walk(&self.r#where, f)?;
            }
            if !<::prost::alloc::vec::Vec<Node> as crate::pg18::walk::Field>::LIST {
                crate::pg18::walk::Field::walk(&self.actions, f)?;
            }
            ::core::ops::ControlFlow::Continue(())
        }
    }
};

// HeapSize
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::HeapSize for RuleStmt {
        fn heap_size(&self) -> usize {
            0 + ::pg_ast::HeapSize::heap_size(&self.rulename)
                + ::pg_ast::HeapSize::heap_size(&self.r#where)
                + ::pg_ast::HeapSize::heap_size(&self.actions)
        }
    }
};
