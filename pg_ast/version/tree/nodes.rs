//! Every node of a tree, one after the other.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::protobuf::{self, Node};
use super::{NodeEnum, NodeMut, NodeRef, ParseResult};

/// The nodes of a tree, from the top down: a node comes before its children, and those in the order of
/// their fields.
///
/// It keeps its place on the heap, so that the depth of a tree does not matter, and goes no further
/// than it is asked to. Within a loop over it, [`skip_children`](Self::skip_children) leaves out what is
/// below a node, and [`ancestors`](Self::ancestors) tells what a node is below of.
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
    /// What is still to come, the next one last, each with its depth.
    stack: Vec<(NodeRef<'a>, usize)>,
    /// The node that came last, behind those that it is below of.
    path: Vec<NodeRef<'a>>,
    /// Where in the stack the children of that node begin.
    children: usize,
}

impl<'a> Nodes<'a> {
    fn new(roots: impl DoubleEndedIterator<Item = NodeRef<'a>>) -> Self {
        let stack: Vec<_> = roots.rev().map(|root| (root, 0)).collect();
        Self { children: stack.len(), stack, path: Vec::new() }
    }

    /// The nodes that are still to come, each with its depth: how many [`ancestors`](Self::ancestors)
    /// it has.
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

    /// Leaves out what is below the node that came last.
    pub fn skip_children(&mut self) {
        self.stack.truncate(self.children);
    }

    /// What the node that came last is below of: its parent last. It is as long as the node is deep.
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
        node.children(|child| self.stack.push((child, depth + 1)));
        self.stack[self.children..].reverse();
        Some(node)
    }
}

impl FusedIterator for Nodes<'_> {}

/// [`Nodes`], each with its depth: what [`Nodes::with_depth`] gives.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct WithDepth<'a>(Nodes<'a>);

impl<'a> WithDepth<'a> {
    /// Leaves out what is below the node that came last.
    pub fn skip_children(&mut self) {
        self.0.skip_children();
    }

    /// What the node that came last is below of; see [`Nodes::ancestors`].
    #[must_use]
    pub fn ancestors(&self) -> &[NodeRef<'a>] {
        self.0.ancestors()
    }

    /// The largest depth of those that are still to come; 0 if there are none.
    fn deepest(self) -> usize {
        self.map(|(_, depth)| depth).max().unwrap_or(0)
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

impl<'a> NodeRef<'a> {
    /// Calls `f` for each node that is in a field of this one, in the order of the fields.
    ///
    /// The nodes are those of the schema: what stands in a list, in a field for any node, in a
    /// field for a node of one type (the `RangeVar` of an `INSERT`), and the value of a constant. A list
    /// that is a node by itself is a child, and its items are the children of that. An empty cell of a
    /// list is none.
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
        let _ = self.message().children(&mut |child| {
            f(child);
            ControlFlow::Continue(())
        });
    }

    /// As [`children`](Self::children), until `f` breaks: that is what it gives then.
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
        let _ = self.message().children(&mut |child| {
            broken = f(child);
            if broken.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        broken
    }

    /// This node and all that are below it; see [`Nodes`].
    pub fn nodes(self) -> Nodes<'a> {
        Nodes::new([self].into_iter())
    }

    /// How many levels there are below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(self) -> usize {
        self.nodes().with_depth().deepest()
    }
}

impl NodeEnum {
    /// This node and all that are below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        self.to_ref().nodes()
    }
}

impl Node {
    /// The node, borrowed; `None` if there is none here.
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

    /// The node, borrowed to be changed; `None` if there is none here.
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

    /// This node and all that are below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.to_ref().into_iter())
    }

    /// How many levels there are below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes().with_depth().deepest()
    }
}

impl protobuf::ParseResult {
    /// Every node of the tree; see [`Nodes`]. It begins with the first statement, a `RawStmt`.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.stmts.iter().map(NodeRef::from))
    }

    /// The depth of the tree; see [`ParseResult::depth`](super::ParseResult::depth).
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes().with_depth().deepest()
    }
}

impl ParseResult {
    /// Every node of the tree; see [`Nodes`]. It begins with the first statement, a `RawStmt`.
    pub fn nodes(&self) -> Nodes<'_> {
        self.protobuf.nodes()
    }

    /// The depth of the tree: that of its deepest [node](Nodes::with_depth), 0 for a tree without
    /// statements.
    ///
    /// It counts the levels below the statement: a node in a field, or in a list in a field, is one level
    /// below the node that has the field. [`parse_with`](super::super::parse_with) accepts a statement if
    /// this is at most [`max_depth`](crate::ParserOptions::max_depth). A program with a walk of its own
    /// that recurses can refuse a tree by it.
    ///
    /// It takes the time of a walk, and no stack.
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

/// A node of any type, in the place where any can stand.
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
