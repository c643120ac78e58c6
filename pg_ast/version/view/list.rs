//! Lists.

use core::ffi::c_int;
use core::iter::FusedIterator;
use core::ops::{ControlFlow, Range};
use core::{fmt, hash, slice};

use super::names::protobuf;
use super::names::raw;
use super::names::raw::NodeTag;
use super::{Integer, Node, to_owned};
use crate::convert::c_tree::in_c::InC;
use crate::types::error::Error;

/// A list of nodes, PostgreSQL's `List`; a null pointer is the empty list.
///
/// An empty cell, such as that of `SELECT DISTINCT`, is a [`Node::Null`]. The items in lists of numbers are
/// [`Integer`]s.
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
pub struct List<'a>(Option<&'a InC<raw::List>>);

impl<'a> List<'a> {
    /// Returns the list that a pointer points to; null is the empty list.
    ///
    /// # Safety
    ///
    /// The conditions of [`InC::new`].
    #[inline]
    pub(crate) unsafe fn from_raw(list: *const raw::List) -> Self {
        if list.is_null() {
            return Self(None);
        }
        // SAFETY: the caller guarantees it.
        Self(Some(unsafe { InC::new(list) }))
    }

    /// Returns the cells, and the tag that says what they are.
    #[inline]
    fn cells(self) -> (NodeTag, &'a [raw::ListCell]) {
        let Some(list) = self.0 else { return (NodeTag::T_List, &[]) };
        let list = list.get();
        let length = usize::try_from(list.length).unwrap_or(0);
        if length == 0 {
            return (list.type_, &[]);
        }
        // SAFETY: the creator of the view guarantees the list, which has that many cells.
        (list.type_, unsafe { slice::from_raw_parts(list.elements, length) })
    }

    /// Returns the number of items.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.map_or(0, |list| usize::try_from(list.get().length).unwrap_or(0))
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
        let (tag, cells) = self.cells();
        // SAFETY: the cell is one of the list with that tag.
        cells.get(index).map(|cell| unsafe { item(tag, cell) })
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
    pub fn to_owned_tree(self) -> Result<Vec<protobuf::Node>, Error> {
        to_owned::to_owned(self.field())
    }

    /// Returns the list in the form that a field has: a pointer.
    fn field(&self) -> &InC<*mut raw::List> {
        // SAFETY: a reference that may be missing is laid out as a pointer that may be null; and the
        // list is part of a tree.
        unsafe { InC::new((&raw const self.0).cast()) }
    }

    /// Pushes the items that are not null onto a stack, so that the first one is on top.
    #[inline]
    pub(super) fn push_onto(self, stack: &mut Vec<(Node<'a>, usize)>, depth: usize) {
        let (tag, cells) = self.cells();
        stack.reserve(cells.len());
        for cell in cells.iter().rev() {
            // SAFETY: the cell is one of the list with that tag.
            let node = unsafe { item(tag, cell) };
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
        let (tag, cells) = self.cells();
        for cell in cells {
            // SAFETY: the cell is one of the list with that tag.
            let node = unsafe { item(tag, cell) };
            if !matches!(node, Node::Null) {
                f(node)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the node in a cell.
///
/// # Safety
///
/// The cell is part of a list of a tree, and `tag` is that of the list.
#[inline]
unsafe fn item(tag: NodeTag, cell: &raw::ListCell) -> Node<'_> {
    // SAFETY: the tag says what the cells are; the creator of the view guarantees the nodes. An Oid is
    // as long as an int, and read as one in the owned tree.
    unsafe {
        match tag {
            NodeTag::T_List => {
                let node = cell.ptr_value.cast_const().cast::<raw::Node>();
                if node.is_null() { Node::Null } else { Node::from_raw(node) }
            }
            NodeTag::T_IntList | NodeTag::T_OidList => {
                Node::Integer(Integer(InC::new((&raw const *cell).cast::<c_int>())))
            }
            _ => Node::Null,
        }
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
        to_owned::debug::<Vec<protobuf::Node>, _>(self.field(), f)
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
