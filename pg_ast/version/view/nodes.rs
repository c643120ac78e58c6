//! Iterators over all nodes of a view; and walks with a visitor.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::{Node, Tree, Visit};
use crate::foundation::stack::with_stack;

/// An iterator over the nodes of a view, from the top down: a node comes before its children, which are in the order
/// of their fields.
///
/// Its state is on the heap, so the depth of a tree does not matter, and it is lazy. A node to which several others point
/// comes once, in the place that [`Nodes`](super::super::Nodes) of the owned tree has for it.
///
/// ```
/// use pg_ast::view::{self, Node};
///
/// let tree = view::parse("SELECT a FROM (SELECT b FROM t) AS s WHERE c")?;
/// let mut columns = Vec::new();
/// let mut nodes = tree.nodes();
/// while let Some(node) = nodes.next() {
///     match node {
///         Node::RangeSubselect(_) => nodes.skip_children(),
///         Node::ColumnRef(_) => columns.push(nodes.ancestors().last().map(|node| node.name())),
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
    stack: Vec<(Node<'a>, usize)>,
    /// The last node, after its ancestors.
    path: Vec<Node<'a>>,
    /// The index in the stack at which the children of that node begin.
    children: usize,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(roots: impl DoubleEndedIterator<Item = Node<'a>>) -> Self {
        // Room for most statements.
        let mut stack = Vec::with_capacity(32);
        stack.extend(roots.rev().map(|root| (root, 0)));
        Self { children: stack.len(), stack, path: Vec::with_capacity(16) }
    }

    /// Pairs the remaining nodes with their depth: the number of [`ancestors`](Self::ancestors)
    /// that a node has.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a")?;
    /// let nodes = tree.nodes().with_depth().map(|(node, depth)| (node.name(), depth));
    /// assert_eq!(nodes.last(), Some(("String", 4)));
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
    pub fn ancestors(&self) -> &[Node<'a>] {
        self.path.split_last().map_or(&[], |(_, ancestors)| ancestors)
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (node, depth) = self.stack.pop()?;
        self.path.truncate(depth);
        self.path.push(node);
        self.children = self.stack.len();
        node.push_children(&mut self.stack, depth + 1);
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
    pub fn ancestors(&self) -> &[Node<'a>] {
        self.0.ancestors()
    }
}

impl<'a> Iterator for WithDepth<'a> {
    type Item = (Node<'a>, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let node = self.0.next()?;
        Some((node, self.0.ancestors().len()))
    }
}

impl FusedIterator for WithDepth<'_> {}

impl<'a> Node<'a> {
    /// Returns this node and all nodes below it; see [`Nodes`].
    pub fn nodes(self) -> Nodes<'a> {
        Nodes::new([self].into_iter())
    }

    /// Visits this node, and the nodes below it as far as the visitor descends; see [`Visit`].
    ///
    /// It calls `enter`, the method of the node's type, and `leave`. It takes more stack from the heap
    /// when it needs it.
    pub fn visit<V: Visit<'a> + ?Sized>(self, visitor: &mut V) -> ControlFlow<V::Break> {
        with_stack(|| {
            visitor.enter(self)?;
            self.accept(visitor)?;
            visitor.leave(self)
        })
    }
}

impl Tree {
    /// Returns the node with this index in the order of [`nodes`](Self::nodes), as results have it in a field `node`; `None`
    /// if there are not so many.
    ///
    /// It goes over the nodes before it. A program that looks up many of them collects `nodes` once.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("SELECT a FROM t")?;
    /// let table = tree.nodes().find(|node| node.as_range_var().is_some()).unwrap();
    /// let index = tree.node_index(table).unwrap();
    /// assert_eq!(tree.node_at(index), Some(table));
    /// // It is the same in the owned tree.
    /// assert_eq!(tree.to_owned_tree()?.node_at(index).unwrap().name(), "RangeVar");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn node_at(&self, index: usize) -> Option<Node<'_>> {
        self.nodes().nth(index)
    }

    /// Returns the index of a node of this tree, the inverse of [`node_at`](Self::node_at). A node that is only equal to one of this
    /// tree has none.
    #[must_use]
    pub fn node_index<'a>(&'a self, node: impl Into<Node<'a>>) -> Option<usize> {
        let node = node.into();
        self.nodes().position(|other| other.is_same(node))
    }

    /// Visits the statements, each a `RawStmt`, one after the other; see [`Visit`].
    pub fn visit<'a, V: Visit<'a> + ?Sized>(&'a self, visitor: &mut V) -> ControlFlow<V::Break> {
        self.stmts().try_for_each(|stmt| Node::from(stmt).visit(visitor))
    }
}
