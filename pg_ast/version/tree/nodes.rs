//! Every node of a tree, one after the other.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::protobuf::{self, Node};
use super::{NodeEnum, NodeMut, NodeRef, ParseResult};

/// The nodes of a tree, each with its depth, from the top down: a node comes before its children, and
/// those in the order of their fields.
///
/// It keeps its place on the heap, so that the depth of a tree does not matter, and goes no further
/// than it is asked to.
///
/// ```
/// let tree = pg_ast::parse("SELECT 1")?;
/// let mut nodes = tree.nodes().map(|(node, depth)| (format!("{node:?}"), depth));
/// assert!(matches!(nodes.next(), Some((node, 0)) if node.starts_with("RawStmt")));
/// assert!(matches!(nodes.next(), Some((node, 1)) if node.starts_with("SelectStmt")));
/// assert!(matches!(nodes.next(), Some((node, 2)) if node.starts_with("ResTarget")));
/// assert!(matches!(nodes.next(), Some((node, 3)) if node.starts_with("AConst")));
/// assert!(matches!(nodes.next(), Some((node, 4)) if node.starts_with("Integer")));
/// assert_eq!(nodes.next(), None);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Nodes<'a> {
    /// What is still to come, the next one last.
    stack: Vec<(NodeRef<'a>, usize)>,
}

impl<'a> Nodes<'a> {
    fn new(roots: impl DoubleEndedIterator<Item = NodeRef<'a>>) -> Self {
        Self { stack: roots.rev().map(|root| (root, 0)).collect() }
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = (NodeRef<'a>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (node, depth) = self.stack.pop()?;
        let children = self.stack.len();
        node.children(|child| self.stack.push((child, depth + 1)));
        self.stack[children..].reverse();
        Some((node, depth))
    }
}

impl FusedIterator for Nodes<'_> {}

impl Nodes<'_> {
    /// The largest depth of those that are still to come; 0 if there are none.
    fn deepest(self) -> usize {
        self.map(|(_, depth)| depth).max().unwrap_or(0)
    }
}

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
    /// let insert = tree.protobuf.stmts[0].stmt.as_ref().and_then(|stmt| stmt.to_ref()).unwrap();
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
    /// let select = tree.protobuf.stmts[0].stmt.as_ref().and_then(|stmt| stmt.to_ref()).unwrap();
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

    /// This node, which has the depth 0, and all that are below it; see [`Nodes`].
    pub fn nodes(self) -> Nodes<'a> {
        Nodes::new([self].into_iter())
    }

    /// How many levels there are below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(self) -> usize {
        self.nodes().deepest()
    }
}

impl NodeEnum {
    /// This node, which has the depth 0, and all that are below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        self.to_ref().nodes()
    }

    /// Calls `f` for this node and for all that are below it, in the order of [`Nodes`], until it
    /// breaks: that is what it gives then.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.to_mut().walk_mut(f)
    }
}

impl Node {
    /// The node, borrowed; `None` if there is none here.
    ///
    /// ```
    /// use pg_ast::{Node, NodeRef};
    ///
    /// let tree = pg_ast::parse("SELECT 1")?;
    /// let stmt = tree.protobuf.stmts[0].stmt.as_ref().unwrap();
    /// assert!(matches!(stmt.to_ref(), Some(NodeRef::SelectStmt(_))));
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
    /// let Some(NodeMut::ParamRef(param)) = node.to_mut() else { panic!() };
    /// param.number = 2;
    /// assert_eq!(node, make::param_ref(2).into());
    /// ```
    #[must_use]
    pub fn to_mut(&mut self) -> Option<NodeMut<'_>> {
        self.node.as_mut().map(NodeEnum::to_mut)
    }

    /// This node, which has the depth 0, and all that are below it; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.to_ref().into_iter())
    }

    /// How many levels there are below this node; see [`ParseResult::depth`].
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes().deepest()
    }
}

impl protobuf::ParseResult {
    /// Every node of the tree; see [`Nodes`]. The statements, each a `RawStmt`, have the depth 0.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.stmts.iter().map(NodeRef::from))
    }

    /// The depth of the tree; see [`ParseResult::depth`](super::ParseResult::depth).
    #[must_use]
    pub fn depth(&self) -> usize {
        self.nodes().deepest()
    }
}

impl ParseResult {
    /// Every node of the tree; see [`Nodes`]. The statements, each a `RawStmt`, have the depth 0.
    pub fn nodes(&self) -> Nodes<'_> {
        self.protobuf.nodes()
    }

    /// The depth of the tree: the largest one that [`nodes`](Self::nodes) gives, 0 for a tree without
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

/// Calls `f` for each of the nodes and for all below them.
fn walk_mut<'a, B>(
    roots: impl DoubleEndedIterator<Item = NodeMut<'a>>,
    mut f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // What is still to come, the next one last.
    let mut stack: Vec<_> = roots.rev().collect();
    while let Some(mut node) = stack.pop() {
        f(node.reborrow())?;
        let children = stack.len();
        let _ = node.message().children_mut(&mut |slot| {
            stack.extend(slot.into_mut());
            ControlFlow::Continue(())
        });
        stack[children..].reverse();
    }
    ControlFlow::Continue(())
}

impl NodeMut<'_> {
    /// Calls `f` for this node and for all that are below it, in the order of [`Nodes`], until it
    /// breaks: that is what it gives then.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    pub fn walk_mut<B>(self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_mut([self].into_iter(), f)
    }
}

impl Node {
    /// Calls `f` for this node and for all that are below it, in the order of [`Nodes`], until it
    /// breaks: that is what it gives then.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_mut(self.to_mut().into_iter(), f)
    }
}

impl protobuf::ParseResult {
    /// Calls `f` for every node of the tree, in the order of [`Nodes`], until it breaks: that is what
    /// it gives then.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_mut(self.stmts.iter_mut().map(NodeMut::from), f)
    }
}

impl ParseResult {
    /// Calls `f` for every node of the tree, in the order of [`Nodes`], until it breaks: that is what
    /// it gives then.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use pg_ast::NodeMut;
    ///
    /// let mut tree = pg_ast::parse("SELECT 1, 2, 3")?;
    /// let second = tree.walk_mut(|node| match node {
    ///     NodeMut::Integer(integer) if integer.ival == 2 => {
    ///         integer.ival = 20;
    ///         ControlFlow::Break("found")
    ///     }
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(second, ControlFlow::Break("found"));
    /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT 1, 20, 3");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.change().walk_mut(f)
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
