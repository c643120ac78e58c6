//! Mutable access to all nodes of a tree, one after the other.

use core::ops::ControlFlow;
use core::ptr::NonNull;

use super::messages::message::DynMessage;
use super::names::protobuf;
use super::names::protobuf::Node;
use super::names::{NodeEnum, NodeMut, ParseResult};
use super::shared::has_copies;

/// The nodes of a tree to be changed, in the order of [`Nodes`](super::super::Nodes).
///
/// It is not an [`Iterator`], since a node must be released before the next one is returned. Use `while let`, or
/// [`for_each`](Self::for_each) if nothing ends the walk early.
///
/// The children of a node are those that it has when the next node is requested.
///
/// A node that PostgreSQL's grammar uses in several places comes once, as in [`Nodes`](super::super::Nodes). When the walk
/// is behind it, its copies become equal to it: in a loop that ends early, those of nodes on the way to the last one stay
/// as they were.
///
/// ```
/// use pg_ast::NodeMut;
///
/// // The tables of a query, but not those of its subselects, get a schema.
/// let mut tree = pg_ast::parse("SELECT * FROM a WHERE x IN (SELECT y FROM b)")?;
/// let mut nodes = tree.nodes_mut();
/// while let Some(node) = nodes.next() {
///     match node {
///         NodeMut::RangeVar(table) => table.schemaname = "s".to_owned(),
///         NodeMut::SubLink(_) => nodes.skip_children(),
///         _ => {}
///     }
/// }
/// assert_eq!(pg_ast::deparse(&tree)?, "SELECT * FROM s.a WHERE x IN (SELECT y FROM b)");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "it does nothing unless it is asked for nodes"]
pub struct NodesMut<'a> {
    /// The remaining nodes, the next one last, each with its depth.
    stack: Vec<(NodeMut<'a>, usize)>,
    /// The last node, unless its children are to be skipped.
    last: Option<NodeMut<'a>>,
    /// The types of its ancestors.
    ancestors: Vec<&'static str>,
    /// The nodes on the way to the last one that have copies below them, which are renewed behind their nodes.
    renewed: Vec<Renewed>,
}

/// A node with copies below it, and its depth.
#[derive(Debug)]
struct Renewed(NonNull<DynMessage>, usize);

// SAFETY: it stands for a mutable reference to the message, which any thread may have.
unsafe impl Send for Renewed {}
// SAFETY: as above; a shared one allows nothing.
unsafe impl Sync for Renewed {}

/// What most statements need at once, so that the lists do not have to grow.
const NODES: usize = 32;
const LEVELS: usize = 16;

impl<'a> NodesMut<'a> {
    fn new(roots: impl DoubleEndedIterator<Item = NodeMut<'a>>) -> Self {
        let mut stack = Vec::with_capacity(NODES);
        stack.extend(roots.rev().map(|root| (root, 0)));
        Self { stack, last: None, ancestors: Vec::with_capacity(LEVELS), renewed: Vec::new() }
    }

    /// Returns the next node, or `None` at the end.
    // An iterator would yield nodes that contain each other, all mutable at the same time.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<NodeMut<'_>> {
        if let Some(last) = self.last.take()
            && let table = last.to_ref().message().table()
            && table.holds != 0
        {
            self.ancestors.push(last.to_ref().name());
            let (children, depth) = (self.stack.len(), self.ancestors.len());
            let renewed = table.copies && has_copies(last.to_ref());
            let mut message = last.message();
            if renewed {
                let place = NonNull::from(message);
                self.renewed.push(Renewed(place, depth - 1));
                // SAFETY: the reference that the pointer was made of is not used any more; the pointer is not
                // used before all references to nodes below this one are gone.
                message = unsafe { &mut *place.as_ptr() };
            }
            let _ = message.children_mut(|slot| {
                self.stack.extend(slot.into_mut().map(|child| (child, depth)));
                ControlFlow::Continue(())
            });
            self.stack[children..].reverse();
        }
        let next = self.stack.pop();
        if !self.renewed.is_empty() {
            self.renew(next.as_ref().map_or(0, |(_, depth)| *depth));
        }
        let (node, depth) = next?;
        self.ancestors.truncate(depth);
        Some(self.last.insert(node).reborrow())
    }

    /// Renews the copies below nodes of this depth or more: the walk is behind them.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, depth: usize) {
        while let Some(Renewed(mut message, _)) = self.renewed.pop_if(|last| last.1 >= depth) {
            // SAFETY: the message is borrowed as long as `'a`. Of the references to what is below it, none is left: they
            // were on the stack above those to nodes behind it, and `last` is none of them.
            unsafe { message.as_mut() }.renew_copies();
        }
    }

    /// Skips the nodes below the last node.
    pub fn skip_children(&mut self) {
        self.last = None;
    }

    /// Returns the types of the ancestors of the last node, by their C [names](super::super::NodeRef::name), the
    /// parent at the end: as many as the depth of the node.
    ///
    /// The ancestors themselves cannot be read while a node in them is mutably borrowed.
    #[must_use]
    pub fn ancestors(&self) -> &[&'static str] {
        &self.ancestors
    }

    /// Calls `f` for each node that is still to come.
    ///
    /// ```
    /// use pg_ast::NodeMut;
    ///
    /// let mut tree = pg_ast::parse("SELECT a FROM t WHERE b = 'x'")?;
    /// tree.nodes_mut().for_each(|node| {
    ///     if let NodeMut::ColumnRef(column) = node {
    ///         column.fields.insert(0, pg_ast::make::string("t").into());
    ///     }
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT t.a FROM t WHERE t.b = 'x'");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn for_each(mut self, mut f: impl FnMut(NodeMut<'_>)) {
        while let Some(node) = self.next() {
            f(node);
        }
    }

    /// Calls `f` for each remaining node, until it breaks.
    fn walk<B>(mut self, mut f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut result = ControlFlow::Continue(());
        while result.is_continue()
            && let Some(node) = self.next()
        {
            result = f(node);
        }
        // No reference is left, even if the walk ends early.
        self.stack.clear();
        self.last = None;
        self.renew(0);
        result
    }
}

impl<'a> NodeMut<'a> {
    /// Returns this node and all nodes below it, mutable; see [`NodesMut`].
    pub fn nodes_mut(self) -> NodesMut<'a> {
        NodesMut::new([self].into_iter())
    }

    /// Calls `f` for this node and for all nodes below it, in the order of
    /// [`Nodes`](super::super::Nodes), until it breaks; then returns the value of the break.
    ///
    /// The children of a node are those that it has after `f` has changed it.
    pub fn walk_mut<B>(self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.nodes_mut().walk(f)
    }
}

impl NodeEnum {
    /// Returns this node and all nodes below it, mutable; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_> {
        self.to_mut().nodes_mut()
    }

    /// Calls `f` for this node and for all nodes below it; see [`NodeMut::walk_mut`].
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.nodes_mut().walk(f)
    }
}

impl Node {
    /// Returns this node and all nodes below it, mutable; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_> {
        NodesMut::new(self.to_mut().into_iter())
    }

    /// Calls `f` for this node and for all nodes below it; see [`NodeMut::walk_mut`].
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.nodes_mut().walk(f)
    }
}

impl protobuf::ParseResult {
    /// Returns every node of the tree, mutable; see [`NodesMut`].
    pub fn nodes_mut(&mut self) -> NodesMut<'_> {
        NodesMut::new(self.stmts.iter_mut().map(NodeMut::from))
    }

    /// Calls `f` for every node of the tree; see
    /// [`ParseResult::walk_mut`](super::super::ParseResult::walk_mut).
    pub fn walk_mut<B>(&mut self, f: impl FnMut(NodeMut<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.nodes_mut().walk(f)
    }
}

impl ParseResult {
    /// Returns every node of the tree, mutable; see [`NodesMut`].
    ///
    /// A node that the grammar uses in several places comes once, and its copies become equal to it.
    ///
    /// ```
    /// use pg_ast::NodeMut;
    ///
    /// let mut tree = pg_ast::parse("UPDATE t SET (a, b) = (SELECT f(), x FROM u)")?;
    /// let mut calls = 0;
    /// tree.nodes_mut().for_each(|node| {
    ///     if let NodeMut::FuncCall(call) = node {
    ///         calls += 1;
    ///         call.args.push(pg_ast::make::int_const(calls).into());
    ///     }
    /// });
    /// assert_eq!(calls, 1);
    /// assert_eq!(tree.deparse()?, "UPDATE t SET (a, b) = (SELECT f(1), x FROM u)");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn nodes_mut(&mut self) -> NodesMut<'_> {
        self.change().nodes_mut()
    }

    /// Calls `f` for every node of the tree, in the order of [`Nodes`](super::super::Nodes), until it breaks;
    /// then returns the value of the break. [`nodes_mut`](Self::nodes_mut) does the same as a loop, which can
    /// skip the nodes below a node.
    ///
    /// The children of a node are those that it has after `f` has changed it. A node that the grammar uses in several
    /// places is passed once; see [`NodesMut`].
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
