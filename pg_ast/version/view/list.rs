//! Lists.

use core::iter::FusedIterator;
use core::ops::{ControlFlow, Range};
use core::{fmt, hash, ptr};

use super::memory::Cells;
use super::names::{protobuf, raw};
use super::{Node, to_owned};
use crate::convert::c_tree::in_c::InC;
use crate::types::error::Error;

/// A list of nodes, PostgreSQL's `List`; a null pointer is the empty list.
///
/// An empty cell, such as that of `SELECT DISTINCT`, is a [`Node::Null`]. The items in lists of numbers are
/// [`Integer`](super::Integer)s.
///
/// ```
/// let tree = pg_ast::view::parse("SELECT a, b, c")?;
/// let select = tree.stmts().find_map(|stmt| stmt.stmt()?.as_select_stmt()).unwrap();
/// let targets = select.target_list();
/// assert_eq!(targets.len(), 3);
/// assert!(targets.iter().all(|target| target.name() == "ResTarget"));
/// assert_eq!(targets.get(2), targets.last());
/// assert!(targets.get(3).is_none() && select.from_clause().is_empty());
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct List<'a>(Option<InC<'a, raw::List>>);

impl<'a> List<'a> {
    /// Returns a list of a tree; `None` is the empty list.
    #[inline]
    pub(crate) fn of(list: Option<InC<'a, raw::List>>) -> Self {
        Self(list)
    }

    /// Returns the address of the list; null for the empty one.
    pub(super) fn as_ptr(self) -> *const raw::List {
        self.0.map_or(ptr::null(), InC::as_ptr)
    }

    /// Returns the cells.
    #[inline]
    fn cells(self) -> Cells<'a> {
        self.0.map_or(Cells::NONE, InC::<raw::List>::cells)
    }

    /// Returns the number of items.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.map_or(0, InC::<raw::List>::len)
    }

    /// Returns true if there are no items.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the item at an index, counted from 0; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn get(self, index: usize) -> Option<Node<'a>> {
        self.cells().get(index)
    }

    /// Returns the first item.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Node<'a>> {
        self.get(0)
    }

    /// Returns the last item.
    #[inline]
    #[must_use]
    pub fn last(self) -> Option<Node<'a>> {
        self.get(self.len().wrapping_sub(1))
    }

    /// Iterates over the items.
    #[inline]
    pub fn iter(self) -> ListIter<'a> {
        ListIter { list: self, rest: 0..self.len() }
    }

    /// Copies the items and all nodes below them into the types of the owned tree.
    ///
    /// # Errors
    ///
    /// An item has more than 6,500 levels ([`TooDeep`](crate::ErrorKind::TooDeep)).
    // The function is one for a given lifetime.
    #[allow(clippy::redundant_closure)]
    pub fn to_owned_tree(self) -> Result<Vec<protobuf::Node>, Error> {
        self.as_field(|field| to_owned::to_owned(field))
    }

    /// Passes the list on in the form that a field has: a pointer in memory.
    fn as_field<R>(self, f: impl FnOnce(InC<'_, *mut raw::List>) -> R) -> R {
        let list = self.0.map_or(ptr::null_mut(), |list| list.as_ptr().cast_mut());
        // SAFETY: the pointer is null, or that of a list of a tree; it is there, unchanged, until `f` returns.
        f(unsafe { InC::new(&raw const list) })
    }

    /// Pushes the items that are not null onto a stack, so that the first one is on top.
    #[inline]
    pub(super) fn push_onto(self, stack: &mut Vec<(Node<'a>, usize)>, depth: usize) {
        let cells = self.cells();
        stack.reserve(cells.len());
        for node in cells.items().rev() {
            if !matches!(node, Node::Null) {
                stack.push((node, depth));
            }
        }
    }

    /// Calls `f` for each item that is not null.
    #[inline]
    pub(super) fn try_each<B>(
        self,
        f: &mut impl FnMut(Node<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for node in self.cells().items() {
            if !matches!(node, Node::Null) {
                f(node)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'a> IntoIterator for List<'a> {
    type Item = Node<'a>;
    type IntoIter = ListIter<'a>;

    #[inline]
    fn into_iter(self) -> ListIter<'a> {
        self.iter()
    }
}

/// Prints like the items of the owned tree.
impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_field(|field| to_owned::debug::<Vec<protobuf::Node>, _>(field, f))
    }
}

impl PartialEq for List<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for List<'_> {}

impl hash::Hash for List<'_> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|node| node.hash(state));
    }
}

/// An iterator over the items of a [`List`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ListIter<'a> {
    list: List<'a>,
    rest: Range<usize>,
}

impl<'a> Iterator for ListIter<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        self.list.get(self.rest.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl DoubleEndedIterator for ListIter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.list.get(self.rest.next_back()?)
    }
}

impl ExactSizeIterator for ListIter<'_> {}

impl FusedIterator for ListIter<'_> {}
