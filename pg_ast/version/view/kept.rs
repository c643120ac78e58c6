//! A node of one type that is kept without its tree.

use core::fmt;
use core::marker::PhantomData;

use super::edit::node_type::OfType;
use super::edit::{Arena, New, OfOneType, ViewOfNode};
use super::macros::field;
use super::memory::changes::Fit;
use super::names::raw::{self, NodeTag};
use super::{Node, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::types::heap_size::HeapSize;

/// A node of one type, with all nodes below it, in memory of its own.
///
/// It has no lifetime, and can be sent to other threads. [`view`](Self::view) reads it, and is a source for
/// [`Arena::copy`](super::edit::Arena::copy). `N` is the type of the node in the owned tree: `Kept<protobuf::UpdateStmt>`.
///
/// ```
/// use pg_ast::view::{self, Kept};
/// use pg_ast::{make, protobuf};
///
/// struct Plan {
///     update: Kept<protobuf::UpdateStmt>,
/// }
///
/// fn plan(sql: &str) -> Result<Plan, pg_ast::Error> {
///     let tree = view::parse(sql)?;
///     let update = tree.node().and_then(|node| node.as_update_stmt()).expect("an UPDATE");
///     Ok(Plan { update: Kept::of(update) })
/// }
///
/// let plan = plan("UPDATE t SET a = 1 WHERE b = 2")?;
/// assert_eq!(plan.update.view().relation().unwrap().relname(), "t");
/// assert_eq!(plan.update.deparse()?, "UPDATE t SET a = 1 WHERE b = 2");
///
/// let delete = Kept::build(|arena| {
///     let mut delete = arena.make::<protobuf::DeleteStmt>();
///     let update = plan.update.view();
///     delete.as_mut().relation_mut().set(arena.copy(update.relation().unwrap()));
///     delete.as_mut().where_clause_mut().set(arena.copy(update.where_clause().unwrap()));
///     delete
/// });
/// assert_eq!(delete.deparse()?, "DELETE FROM t WHERE b = 2");
/// # let _ = make::param_ref(1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct Kept<N> {
    /// Its first statement is the node, or has it.
    tree: Tree,
    of: PhantomData<fn() -> N>,
}

impl<N: OfOneType> Kept<N> {
    /// Copies a node of any tree, with all nodes below it.
    #[must_use]
    pub fn of<'a>(node: impl ViewOfNode<'a, Type = N>) -> Self {
        Self::build(|arena| arena.copy(node))
    }

    /// Builds a node: the result of `f`.
    #[must_use]
    pub fn build(f: impl for<'t> FnOnce(&Arena<'t>) -> New<'t, N>) -> Self {
        Self::wrap(Tree::build(|arena| f(arena).into()))
    }

    /// Like [`build`](Self::build), with a closure that can fail.
    ///
    /// ```
    /// use pg_ast::{make, view::Kept};
    ///
    /// let kept = Kept::try_build(|arena| arena.own(&make::string_const("a")))?;
    /// assert_eq!(kept.deparse()?, "'a'");
    /// assert!(Kept::try_build(|arena| arena.own(&make::string_const("\0"))).is_err());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `f`.
    pub fn try_build<E>(
        f: impl for<'t> FnOnce(&Arena<'t>) -> Result<New<'t, N>, E>,
    ) -> Result<Self, E> {
        Ok(Self::wrap(Tree::try_build(|arena| Ok(f(arena)?.into()))?))
    }

    /// Wraps the tree of a node of this type.
    fn wrap(tree: Tree) -> Self {
        Self { tree, of: PhantomData }
    }

    /// Returns the C node; null for a list without items.
    fn raw(&self) -> *const raw::Node {
        let Some(stmt) = self.tree.stmts().next() else { return core::ptr::null() };
        let stmt = stmt.0;
        // A statement has none around it.
        if <N as OfType>::TAG == NodeTag::T_RawStmt {
            return stmt.as_ptr().cast();
        }
        field!(stmt.stmt).get()
    }

    /// Returns a view of the node.
    #[must_use]
    pub fn view(&self) -> N::View<'_> {
        // SAFETY: the tree was built from a node of this type, has not been changed since, and cannot be while it is borrowed.
        unsafe { N::view(self.raw(), Fit::Any) }
    }

    /// Returns a view of the node, as one of any type.
    #[must_use]
    pub fn node(&self) -> Node<'_> {
        // SAFETY: as above.
        unsafe { InC::new_or_null(self.raw()) }.map_or(Node::Null, Node::of)
    }

    /// Returns the tree that has the node as its only statement.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the tree that has the node as its only statement, to change it for instance.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.tree
    }
}

impl<N> Clone for Kept<N> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), of: PhantomData }
    }
}

/// Compares like owned nodes: with locations, and all nodes below.
impl<N> PartialEq for Kept<N> {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}

/// Prints like the owned node.
impl<N: OfOneType> fmt::Debug for Kept<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node().fmt(f)
    }
}

impl<N> HeapSize for Kept<N> {
    fn heap_size(&self) -> usize {
        self.tree.heap_size()
    }
}
