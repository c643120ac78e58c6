//! Iterators over all nodes of a tree.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::names::protobuf;
use super::names::protobuf::Node;
use super::names::{NodeEnum, NodeMut, NodeRef, ParseResult};
use super::walk::Sink;

/// An iterator over the nodes of a tree, from the top down: a node comes before its children, which are in the order
/// of their fields.
///
/// A node that PostgreSQL's grammar uses in several places comes once, where it is printed: the source of `SET (a, b) =
/// ..` below the [`MultiAssignRef`](protobuf::MultiAssignRef) with the `colno` 1, the types of a function's parameters in
/// `DROP FUNCTION f(int)` below the parameters, the columns of a `CREATE RECURSIVE VIEW` below the
/// [`CommonTableExpr`](protobuf::CommonTableExpr) that it makes. An owned tree has copies in the other places (`source` of
/// the other columns, `objargs`, `aliases`). Everything that walks over a tree follows this rule. A change in a walk
/// is carried over to the copies; a program that changes a field by itself changes these, too.
///
/// Its state is on the heap, so the depth of a tree does not matter, and it is lazy. In a
/// loop over it, [`skip_children`](Self::skip_children) skips the nodes
/// below a node, and [`ancestors`](Self::ancestors) returns the nodes above it.
///
/// ```
/// use pg_ast::NodeRef;
///
/// let tree = pg_ast::parse("SELECT a FROM (SELECT b FROM t) AS s WHERE c")?;
/// let mut columns = Vec::new();
/// let mut nodes = tree.nodes();
/// while let Some(node) = nodes.next() {
///     match node {
///         NodeRef::RangeSubselect(_) => nodes.skip_children(),
///         NodeRef::ColumnRef(_) => columns.push(nodes.ancestors().last().map(|node| node.name())),
///         _ => {}
///     }
/// }
/// assert_eq!(columns, [Some("ResTarget"), Some("SelectStmt")]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Nodes<'a> {
    /// The remaining nodes, the next one last, each with its depth.
    stack: Vec<(NodeRef<'a>, usize)>,
    /// The last node, after its ancestors.
    path: Vec<NodeRef<'a>>,
    /// The index in the stack at which the children of that node begin.
    children: usize,
}

impl<'a> Nodes<'a> {
    fn new(roots: impl DoubleEndedIterator<Item = NodeRef<'a>>) -> Self {
        let stack: Vec<_> = roots.rev().map(|root| (root, 0)).collect();
        Self { children: stack.len(), stack, path: Vec::new() }
    }

    /// Pairs the remaining nodes with their depth: the number of [`ancestors`](Self::ancestors)
    /// that a node has.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT 1")?;
    /// let nodes = tree.nodes().with_depth().map(|(node, depth)| (node.name(), depth));
    /// assert!(nodes.eq([
    ///     ("RawStmt", 0),
    ///     ("SelectStmt", 1),
    ///     ("ResTarget", 2),
    ///     ("A_Const", 3),
    ///     ("Integer", 4),
    /// ]));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn with_depth(self) -> WithDepth<'a> {
        WithDepth(self)
    }

    /// Skips the nodes below the last node.
    pub fn skip_children(&mut self) {
        self.stack.truncate(self.children);
    }

    /// Returns the ancestors of the last node, its parent at the end: as many as the depth of the node.
    #[must_use]
    pub fn ancestors(&self) -> &[NodeRef<'a>] {
        self.path.split_last().map_or(&[], |(_, ancestors)| ancestors)
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (node, depth) = self.stack.pop()?;
        self.path.truncate(depth);
        self.path.push(node);
        self.children = self.stack.len();
        let _ = node.message().children(|child| {
            self.stack.push((child, depth + 1));
            ControlFlow::Continue(())
        });
        self.stack[self.children..].reverse();
        Some(node)
    }
}

impl FusedIterator for Nodes<'_> {}

/// An iterator over nodes with their depth; see [`Nodes::with_depth`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct WithDepth<'a>(Nodes<'a>);

impl<'a> WithDepth<'a> {
    /// Skips the nodes below the last node.
    pub fn skip_children(&mut self) {
        self.0.skip_children();
    }

    /// Returns the ancestors of the last node; see [`Nodes::ancestors`].
    #[must_use]
    pub fn ancestors(&self) -> &[NodeRef<'a>] {
        self.0.ancestors()
    }
}

impl<'a> Iterator for WithDepth<'a> {
    type Item = (NodeRef<'a>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.0.next()?;
        Some((node, self.0.ancestors().len()))
    }
}

impl FusedIterator for WithDepth<'_> {}

/// Returns the largest depth of the nodes below these; 0 if there are none. It counts the copies that walks leave
/// out, since they are dropped as well.
fn deepest<'a>(roots: impl Iterator<Item = NodeRef<'a>>) -> usize {
    let mut stack: Vec<_> = roots.map(|root| (root, 0)).collect();
    let mut deepest = 0;
    while let Some((node, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        let _ = node.message().all_children(|child| {
            stack.push((child, depth + 1));
            ControlFlow::Continue(())
        });
    }
    deepest
}

impl<'a> NodeRef<'a> {
    /// Calls `f` for each child of this node, in the order of the fields.
    ///
    /// The children are the nodes in lists, in fields for any node, in
    /// fields for one node type (the `RangeVar` of an `INSERT`), and the value of a constant. A list
    /// that is a node itself is a child, and its items are the children of the list. An empty cell of a
    /// list is skipped, and so is a copy of a node that is a child elsewhere; see [`Nodes`].
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let tree = pg_ast::parse("INSERT INTO t (a) VALUES (1)")?;
    /// let insert = tree.stmts().next().unwrap();
    /// let mut children = Vec::new();
    /// insert.children(|child| children.push(child));
    /// assert!(matches!(
    ///     children[..],
    ///     [NodeRef::RangeVar(_), NodeRef::ResTarget(_), NodeRef::SelectStmt(_)]
    /// ));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn children(self, mut f: impl FnMut(NodeRef<'a>)) {
        self.each_child(&mut |child| {
            f(child);
            ControlFlow::Continue(())
        });
    }

    /// Like [`children`](Self::children), until `f` breaks; then returns the value of the break.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// let tree = pg_ast::parse("SELECT a, b, c")?;
    /// let select = tree.stmts().next().unwrap();
    /// let mut count = 0;
    /// let stopped = select.try_children(|_| {
    ///     count += 1;
    ///     if count == 2 { ControlFlow::Break("two") } else { ControlFlow::Continue(()) }
    /// });
    /// assert_eq!((stopped, count), (ControlFlow::Break("two"), 2));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn try_children<B>(
        self,
        mut f: impl FnMut(NodeRef<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut broken = ControlFlow::Continue(());
        self.each_child(&mut |child| {
            broken = f(child);
            if broken.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        broken
    }

    /// Compiled here, and not for each `f`.
    fn each_child(self, f: &mut Sink<'_, 'a>) {
        let _ = self.message().children(f);
    }

    /// Returns this node and all nodes below it; see [`Nodes`].
    pub fn nodes(self) -> Nodes<'a> {
        Nodes::new([self].into_iter())
    }

    /// Returns the number of levels below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(self) -> usize {
        deepest([self].into_iter())
    }
}

impl NodeEnum {
    /// Returns this node and all nodes below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        self.to_ref().nodes()
    }
}

impl Node {
    /// Borrows the node; `None` if it is empty.
    ///
    /// ```
    /// use pg_ast::{Node, NodeRef};
    ///
    /// let expr = pg_ast::parse_expr("a + 1")?;
    /// assert!(matches!(expr.to_ref(), Some(NodeRef::AExpr(_))));
    /// assert_eq!(Node::default().to_ref(), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn to_ref(&self) -> Option<NodeRef<'_>> {
        self.node.as_ref().map(NodeEnum::to_ref)
    }

    /// Borrows the node mutably; `None` if it is empty.
    ///
    /// ```
    /// use pg_ast::{Node, NodeMut, make};
    ///
    /// let mut node = Node::from(make::param_ref(1));
    /// if let Some(NodeMut::ParamRef(param)) = node.to_mut() {
    ///     param.number = 2;
    /// }
    /// assert_eq!(node, make::param_ref(2).into());
    /// ```
    #[must_use]
    pub fn to_mut(&mut self) -> Option<NodeMut<'_>> {
        self.node.as_mut().map(NodeEnum::to_mut)
    }

    /// Returns this node and all nodes below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.to_ref().into_iter())
    }

    /// Returns the number of levels below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(&self) -> usize {
        deepest(self.to_ref().into_iter())
    }
}

impl protobuf::ParseResult {
    /// Returns every node of the tree, beginning with the first statement, a `RawStmt`; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.stmts.iter().map(NodeRef::from))
    }

    /// Returns the depth of the tree; see [`ParseResult::depth`](super::super::ParseResult::depth).
    #[must_use]
    pub fn depth(&self) -> usize {
        deepest(self.stmts.iter().map(NodeRef::from))
    }
}

impl ParseResult {
    /// Returns every node of the tree, beginning with the first statement, a `RawStmt`; see [`Nodes`].
    ///
    /// A call in `UPDATE t SET (a, b) = (SELECT f(), x FROM u)` comes once, though an owned tree has a copy of the `SELECT`
    /// for each column.
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let tree = pg_ast::parse("UPDATE t SET (a, b) = (SELECT f(), x FROM u)")?;
    /// assert_eq!(tree.nodes().filter_map(NodeRef::as_func_call).count(), 1);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn nodes(&self) -> Nodes<'_> {
        self.protobuf.nodes()
    }

    /// Returns the node with this index in the order of [`nodes`](Self::nodes), as results have it in a field `node`; `None`
    /// if there are not so many.
    ///
    /// It goes over the nodes before it. A program that looks up many of them collects `nodes` once.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT a FROM t")?;
    /// let table = tree.nodes().find(|node| node.as_range_var().is_some()).unwrap();
    /// let index = tree.node_index(table).unwrap();
    /// assert_eq!(tree.node_at(index), Some(table));
    /// assert_eq!((tree.node_at(0).unwrap().name(), tree.node_at(100)), ("RawStmt", None));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn node_at(&self, index: usize) -> Option<NodeRef<'_>> {
        self.nodes().nth(index)
    }

    /// Returns the index of a node of this tree, the inverse of [`node_at`](Self::node_at). A node that is only equal to one of this
    /// tree has none, nor has the copy of a node that is [used in several places](Nodes).
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let tree = pg_ast::parse("SELECT 1, 1")?;
    /// let constants: Vec<_> = tree.nodes().filter_map(NodeRef::as_a_const).collect();
    /// assert_eq!(constants[0].val, constants[1].val);
    /// let index = |constant| tree.node_index(constant);
    /// assert_eq!((index(constants[0]), index(constants[1])), (Some(3), Some(6)));
    /// assert_eq!(tree.clone().node_index(constants[0]), None);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn node_index<'a>(&'a self, node: impl Into<NodeRef<'a>>) -> Option<usize> {
        let node = node.into();
        self.nodes().position(|other| other.is_same(node))
    }

    /// Returns the depth of the tree: that of its deepest [node](Nodes::with_depth), 0 for a tree without
    /// statements.
    ///
    /// It counts the levels below the statement: a node in a field, or in a list in a field, is one level
    /// below the node that has the field. [`parse_with`](super::super::parse_with) accepts a statement if
    /// this is at most [`max_depth`](crate::ParserOptions::max_depth). A program with its own
    /// recursive walk can use it to reject a tree.
    ///
    /// This takes the time of a walk, and no stack.
    ///
    /// ```
    /// // RawStmt, SelectStmt, ResTarget, A_Const, Integer
    /// assert_eq!(pg_ast::parse("SELECT 1")?.depth(), 4);
    /// assert_eq!(pg_ast::parse("SELECT 1; SELECT NOT NOT true")?.depth(), 6);
    /// assert_eq!(pg_ast::parse("")?.depth(), 0);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        self.protobuf.depth()
    }
}

/// Wraps a node of any type.
///
/// ```
/// use pg_ast::protobuf::ParamRef;
/// use pg_ast::{Node, NodeEnum};
///
/// let node = Node::from(ParamRef { number: 1, location: -1 });
/// assert!(matches!(node.node, Some(NodeEnum::ParamRef(_))));
/// ```
impl<T: Into<NodeEnum>> From<T> for Node {
    fn from(node: T) -> Self {
        Self { node: Some(node.into()) }
    }
}
