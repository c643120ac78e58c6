// @generated from walk_nodes.rs: `BLESS=1 cargo test -p pg_ast_derive`

// HeapSize
const _: () = {
    #[automatically_derived]
    impl ::pg_ast::HeapSize for Node {
        fn heap_size(&self) -> usize {
            match self {
                Self::AExpr(node) => ::pg_ast::HeapSize::heap_size(node),
                Self::SelectStmt(node) => ::pg_ast::HeapSize::heap_size(node),
            }
        }
    }
};

// Nodes
/// A node of any type, borrowed: one variant for each type that a node can have.
///
/// It is as small as a reference and a tag, and can be copied. A reference to a node of a
/// given type becomes one by `From`.
///
/// ```
/// use pg_ast::{NodeEnum, NodeRef};
///
/// let tree = pg_ast::parse("SELECT a FROM t")?;
/// let tables: Vec<_> = tree
///     .nodes()
///     .filter_map(|(node, _)| match node {
///         NodeRef::RangeVar(table) => Some(table.relname.as_str()),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(tables, ["t"]);
///
/// let stmt = tree.protobuf.stmts[0].stmt.as_ref().unwrap();
/// let Some(NodeEnum::SelectStmt(select)) = &stmt.node else { panic!() };
/// assert_eq!(Some(NodeRef::from(&**select)), stmt.to_ref());
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeRef<'a> {
    #[allow(missing_docs)]
    AExpr(&'a super::AExpr),
    #[allow(missing_docs)]
    SelectStmt(&'a super::SelectStmt),
}
/// A node of any type, borrowed to be changed: one variant for each type that a node can
/// have.
///
/// What it cannot do is to put a node of another type in the place; that is done through the
/// [`Node`](super::Node) around it, by `Node::transform` or `VisitMut::visit_node`.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pg_ast::NodeMut;
///
/// let mut tree = pg_ast::parse("SELECT a FROM t JOIN u USING (id)")?;
/// let _ = tree.walk_mut(|node| {
///     if let NodeMut::RangeVar(table) = node {
///         table.schemaname = "s".to_owned();
///     }
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a FROM s.t JOIN s.u USING (id)");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub enum NodeMut<'a> {
    #[allow(missing_docs)]
    AExpr(&'a mut super::AExpr),
    #[allow(missing_docs)]
    SelectStmt(&'a mut super::SelectStmt),
}
impl Node {
    /// The node, borrowed.
    #[must_use]
    pub fn to_ref(&self) -> NodeRef<'_> {
        match self {
            Self::AExpr(node) => NodeRef::AExpr(node),
            Self::SelectStmt(node) => NodeRef::SelectStmt(node),
        }
    }
    /// The node, borrowed to be changed.
    #[must_use]
    pub fn to_mut(&mut self) -> NodeMut<'_> {
        match self {
            Self::AExpr(node) => NodeMut::AExpr(node),
            Self::SelectStmt(node) => NodeMut::SelectStmt(node),
        }
    }
}
impl<'a> NodeRef<'a> {
    /// What PostgreSQL calls the type of the node: the name of the C struct.
    ///
    /// ```
    /// let tree = pg_ast::parse("CREATE LANGUAGE l HANDLER h; SELECT 1")?;
    /// let names: Vec<_> = tree.nodes().map(|(node, _)| node.name()).collect();
    /// assert_eq!(names[..2], ["RawStmt", "CreatePLangStmt"]);
    /// assert_eq!(names[3..], ["RawStmt", "SelectStmt", "ResTarget", "A_Const", "Integer"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AExpr(_) => "A_Expr",
            Self::SelectStmt(_) => "SelectStmt",
        }
    }
    /// A copy of the node, and of all that is below it.
    #[must_use]
    pub fn to_enum(self) -> Node {
        match self {
            Self::AExpr(node) => Node::AExpr(::core::clone::Clone::clone(node)),
            Self::SelectStmt(node) => {
                Node::SelectStmt(
                    ::std::boxed::Box::new(::core::clone::Clone::clone(node)),
                )
            }
        }
    }
    /// What has the fields.
    pub(crate) fn message(self) -> &'a dyn crate::pg18::walk::Children {
        match self {
            Self::AExpr(node) => node,
            Self::SelectStmt(node) => node,
        }
    }
}
impl<'a> NodeMut<'a> {
    /// The same node, to be read.
    #[must_use]
    pub fn to_ref(&self) -> NodeRef<'_> {
        match self {
            Self::AExpr(node) => NodeRef::AExpr(node),
            Self::SelectStmt(node) => NodeRef::SelectStmt(node),
        }
    }
    /// The same node for a shorter time, so that this borrow can be used again.
    #[must_use]
    pub fn reborrow(&mut self) -> NodeMut<'_> {
        match self {
            Self::AExpr(node) => NodeMut::AExpr(node),
            Self::SelectStmt(node) => NodeMut::SelectStmt(node),
        }
    }
    /// What has the fields.
    pub(crate) fn message(self) -> &'a mut dyn crate::pg18::walk::Children {
        match self {
            Self::AExpr(node) => node,
            Self::SelectStmt(node) => node,
        }
    }
    /// The node, with an empty one of its type left in its place.
    pub(crate) fn take(self) -> Node {
        match self {
            Self::AExpr(node) => Node::AExpr(::core::mem::take(node)),
            Self::SelectStmt(node) => {
                Node::SelectStmt(::std::boxed::Box::new(::core::mem::take(node)))
            }
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for NodeMut<'_> {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::fmt::Debug::fmt(&self.to_ref(), f)
    }
}
#[automatically_derived]
impl ::pg_ast::IntoRaw<*mut ::libpg_query::pg18::Node> for NodeRef<'_> {
    fn into_raw(
        self,
        cx: &mut ::pg_ast::IntoRawContext<'_>,
    ) -> *mut ::libpg_query::pg18::Node {
        match self {
            Self::AExpr(node) => {
                <&super::AExpr as ::pg_ast::IntoRaw<
                    *mut ::libpg_query::pg18::A_Expr,
                >>::into_raw(node, cx)
                    .cast::<::libpg_query::pg18::Node>()
            }
            Self::SelectStmt(node) => {
                <&super::SelectStmt as ::pg_ast::IntoRaw<
                    *mut ::libpg_query::pg18::SelectStmt,
                >>::into_raw(node, cx)
                    .cast::<::libpg_query::pg18::Node>()
            }
        }
    }
}
/// A walk over a tree, with a method for each node type.
///
/// Each method visits the children of its node, unless it is overridden. One that is
/// overridden does so by [`visit_children`](Self::visit_children); or it does not, and the walk
/// leaves out what is below the node. A method that breaks ends the walk.
///
/// A walk begins with `visit` of a `ParseResult`, a `Node` or a [`NodeRef`]. It takes more stack
/// from the heap when it needs it, so that the depth of a tree does not matter.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pg_ast::protobuf::{RangeVar, SubLink};
/// use pg_ast::Visit;
///
/// /// The tables of a query, but not those of its subselects.
/// #[derive(Default)]
/// struct Tables<'a>(Vec<&'a str>);
///
/// impl<'a> Visit<'a> for Tables<'a> {
///     type Break = ();
///
///     fn visit_range_var(&mut self, node: &'a RangeVar) -> ControlFlow<()> {
///         self.0.push(&node.relname);
///         self.visit_children(node.into())
///     }
///
///     fn visit_sub_link(&mut self, _: &'a SubLink) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
/// }
///
/// let tree = pg_ast::parse("SELECT * FROM a JOIN b USING (id) WHERE x IN (SELECT y FROM c)")?;
/// let mut tables = Tables::default();
/// assert!(tree.visit(&mut tables).is_continue());
/// assert_eq!(tables.0, ["a", "b"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub trait Visit<'a> {
    /// What a walk gives that ends early.
    type Break;
    /// Called for each node, before the method of its type.
    fn enter(&mut self, node: NodeRef<'a>) -> ::core::ops::ControlFlow<Self::Break> {
        let _ = node;
        ::core::ops::ControlFlow::Continue(())
    }
    /// Called for each node, after the method of its type; not if the walk ends there.
    fn leave(&mut self, node: NodeRef<'a>) -> ::core::ops::ControlFlow<Self::Break> {
        let _ = node;
        ::core::ops::ControlFlow::Continue(())
    }
    /// Visits the children of a node, in the order of its fields.
    fn visit_children(
        &mut self,
        node: NodeRef<'a>,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        node.try_children(|child| child.visit(self))
    }
    /// Visits a node of the type `AExpr`: by default, its children.
    fn visit_a_expr(
        &mut self,
        node: &'a super::AExpr,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        self.visit_children(NodeRef::AExpr(node))
    }
    /// Visits a node of the type `SelectStmt`: by default, its children.
    fn visit_select_stmt(
        &mut self,
        node: &'a super::SelectStmt,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        self.visit_children(NodeRef::SelectStmt(node))
    }
}
impl<'a> NodeRef<'a> {
    /// Calls the method of the node's type.
    pub(crate) fn accept<V: Visit<'a> + ?::core::marker::Sized>(
        self,
        visitor: &mut V,
    ) -> ::core::ops::ControlFlow<V::Break> {
        match self {
            Self::AExpr(node) => visitor.visit_a_expr(node),
            Self::SelectStmt(node) => visitor.visit_select_stmt(node),
        }
    }
}
/// A walk over a tree that can change it, with a method for each node type.
///
/// As [`Visit`]; and [`visit_node`](Self::visit_node) is called for each place where any node
/// can stand, so that it can put another one there. The children of a node are those that it
/// has after [`enter`](Self::enter) has changed it.
///
/// A walk begins with `visit_mut` of a `ParseResult`, a `Node` or a [`NodeMut`].
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pg_ast::protobuf::{ParamRef, RangeVar};
/// use pg_ast::{Node, NodeEnum, VisitMut};
///
/// /// Puts parameters in place of constants, and tables into a schema.
/// #[derive(Default)]
/// struct Rewrite(i32);
///
/// impl VisitMut for Rewrite {
///     type Break = ();
///
///     fn visit_node(&mut self, slot: &mut Node) -> ControlFlow<()> {
///         if let Some(NodeEnum::AConst(_)) = slot.node {
///             self.0 += 1;
///             *slot = Node::from(ParamRef { number: self.0, location: -1 });
///         }
///         self.visit_slot(slot)
///     }
///
///     fn visit_range_var(&mut self, node: &mut RangeVar) -> ControlFlow<()> {
///         node.schemaname = "app".to_owned();
///         self.visit_children(node.into())
///     }
/// }
///
/// let mut tree = pg_ast::parse("SELECT * FROM t WHERE a = 1 AND b = 'x'")?;
/// assert!(tree.visit_mut(&mut Rewrite::default()).is_continue());
/// assert_eq!(pg_ast::deparse(&tree)?, "SELECT * FROM app.t WHERE a = $1 AND b = $2");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub trait VisitMut {
    /// What a walk gives that ends early.
    type Break;
    /// Called for each node, before the method of its type.
    fn enter(&mut self, node: NodeMut<'_>) -> ::core::ops::ControlFlow<Self::Break> {
        let _ = node;
        ::core::ops::ControlFlow::Continue(())
    }
    /// Called for each node, after the method of its type; not if the walk ends there.
    fn leave(&mut self, node: NodeMut<'_>) -> ::core::ops::ControlFlow<Self::Break> {
        let _ = node;
        ::core::ops::ControlFlow::Continue(())
    }
    /// Visits a place where any node can stand, or none: by default, the node that is there.
    fn visit_node(
        &mut self,
        slot: &mut super::Node,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        self.visit_slot(slot)
    }
    /// Visits the node that stands in a place, if there is one: what
    /// [`visit_node`](Self::visit_node) does by default.
    fn visit_slot(
        &mut self,
        slot: &mut super::Node,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        match slot.to_mut() {
            ::core::option::Option::Some(node) => node.visit_mut(self),
            ::core::option::Option::None => ::core::ops::ControlFlow::Continue(()),
        }
    }
    /// Visits the children of a node, in the order of its fields.
    fn visit_children(
        &mut self,
        node: NodeMut<'_>,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        crate::pg18::walk::visit_children_mut(node, self)
    }
    /// Visits a node of the type `AExpr`: by default, its children.
    fn visit_a_expr(
        &mut self,
        node: &mut super::AExpr,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        self.visit_children(NodeMut::AExpr(node))
    }
    /// Visits a node of the type `SelectStmt`: by default, its children.
    fn visit_select_stmt(
        &mut self,
        node: &mut super::SelectStmt,
    ) -> ::core::ops::ControlFlow<Self::Break> {
        self.visit_children(NodeMut::SelectStmt(node))
    }
}
impl NodeMut<'_> {
    /// Calls the method of the node's type.
    pub(crate) fn accept<V: VisitMut + ?::core::marker::Sized>(
        self,
        visitor: &mut V,
    ) -> ::core::ops::ControlFlow<V::Break> {
        match self {
            Self::AExpr(node) => visitor.visit_a_expr(node),
            Self::SelectStmt(node) => visitor.visit_select_stmt(node),
        }
    }
}
const _: () = {
    #[automatically_derived]
    impl<'a> ::core::convert::From<&'a super::AExpr> for NodeRef<'a> {
        fn from(node: &'a super::AExpr) -> Self {
            Self::AExpr(node)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::convert::From<&'a mut super::AExpr> for NodeMut<'a> {
        fn from(node: &'a mut super::AExpr) -> Self {
            Self::AExpr(node)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<super::AExpr> for Node {
        fn from(node: super::AExpr) -> Self {
            Self::AExpr(node)
        }
    }
    #[automatically_derived]
    impl crate::pg18::walk::Field for super::AExpr {
        fn walk<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            f(NodeRef::AExpr(self))
        }
        fn walk_mut<'a>(
            &'a mut self,
            f: &mut crate::pg18::walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            f(crate::pg18::walk::Slot::Message(NodeMut::AExpr(self)))
        }
    }
    #[automatically_derived]
    impl<'a> ::core::convert::From<&'a super::SelectStmt> for NodeRef<'a> {
        fn from(node: &'a super::SelectStmt) -> Self {
            Self::SelectStmt(node)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::convert::From<&'a mut super::SelectStmt> for NodeMut<'a> {
        fn from(node: &'a mut super::SelectStmt) -> Self {
            Self::SelectStmt(node)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<super::SelectStmt> for Node {
        fn from(node: super::SelectStmt) -> Self {
            Self::SelectStmt(::std::boxed::Box::new(node))
        }
    }
    #[automatically_derived]
    impl crate::pg18::walk::Field for super::SelectStmt {
        fn walk<'a>(
            &'a self,
            f: &mut crate::pg18::walk::Sink<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            f(NodeRef::SelectStmt(self))
        }
        fn walk_mut<'a>(
            &'a mut self,
            f: &mut crate::pg18::walk::SinkMut<'_, 'a>,
        ) -> ::core::ops::ControlFlow<()> {
            f(crate::pg18::walk::Slot::Message(NodeMut::SelectStmt(self)))
        }
    }
};
