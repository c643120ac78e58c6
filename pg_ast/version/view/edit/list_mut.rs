//! Lists that are changed in their place.

use core::fmt;

use super::super::memory::changes::{At, CellPlaces, EditUnderWay, Fit};
use super::super::names::protobuf::{self, Node};
use super::super::names::raw::{self, NodeTag};
use super::super::{self as view, List};
use super::{Arena, New, NodeMut, Slot};
use crate::convert::c_tree::in_c::InC;

/// A list of nodes in a tree that is edited.
///
/// A list without items is a null pointer in C. So it is in an edit: the last item that is removed takes the list along, and the
/// first one that is pushed makes one. If the list is an item of another list, the cell of that is empty meanwhile.
///
/// A list of numbers ([`Node::IntList`](view::Node::IntList), [`Node::OidList`](view::Node::OidList), which parsed trees do not
/// contain) has no slots. Its items are `Integer` nodes where they are removed or pushed.
///
/// ```
/// use pg_ast::{make, protobuf, view};
///
/// let mut tree = view::parse("SELECT a, b, c FROM t")?;
/// tree.edit(|mut stmts, arena| {
///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
///     let mut targets = select.target_list_mut();
///     targets.remove(1);
///     let mut target = arena.make::<pg_ast::protobuf::ResTarget>();
///     target.as_mut().val_mut().set(arena.own(&make::int_const(7))?);
///     targets.push(target);
///     assert_eq!(targets.len(), 3);
///     Ok::<(), pg_ast::Error>(())
/// })?;
/// assert_eq!(tree.deparse()?, "SELECT a, c, 7 FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use = "a handle changes nothing by itself"]
pub struct ListMut<'m, 't>(At<'m, 't, *mut raw::List>);

impl<'m, 't> ListMut<'m, 't> {
    #[inline]
    pub(crate) fn new(place: At<'m, 't, *mut raw::List>) -> Self {
        Self(place)
    }

    /// Makes the handle of a list that is a node itself.
    ///
    /// # Safety
    ///
    /// The place can hold any node, and has a list, or nothing.
    #[inline]
    pub(crate) unsafe fn in_node(place: At<'m, 't, *mut raw::Node>) -> Self {
        // SAFETY: a list begins with the header of a node.
        Self(unsafe { place.cast() })
    }

    /// Returns the edit.
    #[inline]
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.0.edit()
    }

    /// Returns the same handle for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> ListMut<'_, 't> {
        ListMut(self.0.reborrow())
    }

    /// Returns a view of the list.
    #[inline]
    #[must_use]
    pub fn view(&self) -> List<'_> {
        List::of(self.0.list())
    }

    /// Returns the number of items.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no items.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the item at an index; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<view::Node<'_>> {
        self.view().get(index)
    }

    /// Returns a handle to change the item at an index; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, index: usize) -> Option<NodeMut<'_, 't>> {
        self.slot(index)?.into_mut()
    }

    /// Returns the place of the item at an index; `None` after the last one.
    #[inline]
    #[must_use]
    pub fn slot(&mut self, index: usize) -> Option<Slot<'_, 't>> {
        let cell = self.0.reborrow().cells().get(index)?;
        // SAFETY: any node can be in a list.
        Some(unsafe { Slot::wrap(cell, Fit::Any) })
    }

    /// Iterates over the places of the items.
    #[inline]
    pub fn iter_mut(&mut self) -> Slots<'_, 't> {
        Slots(self.0.reborrow().cells())
    }

    /// Returns the cell for an item; `None`, with an error, if the list has numbers and the item is none.
    fn cell(&self, node: New<'t, Node>) -> Option<raw::ListCell> {
        if !self.0.has_numbers() {
            return Some(raw::ListCell { ptr_value: node.into_raw().cast() });
        }
        if let view::Node::Integer(number) = node.view() {
            // An Oid is as long as an int.
            return Some(raw::ListCell { int_value: number.ival() });
        }
        node.edit().refuse("a list of numbers cannot hold a node");
        None
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, node: impl Into<New<'t, Node>>) {
        self.insert(usize::MAX, node);
    }

    /// Inserts an item before that at an index; at the end if there are fewer items.
    pub fn insert(&mut self, index: usize, node: impl Into<New<'t, Node>>) {
        if let Some(cell) = self.cell(node.into()) {
            // SAFETY: it is a new node, or a number for a list of numbers.
            unsafe { self.0.insert(index, cell) };
        }
    }

    /// Removes the item at an index, and returns it; `None` after the last one.
    pub fn remove(&mut self, index: usize) -> Option<New<'t, Node>> {
        let has_numbers = self.0.has_numbers();
        let cell = self.0.remove(index)?;
        let edit = self.0.edit();
        // SAFETY: the list says what its cells are. A node that is removed is in no place any more.
        unsafe {
            if has_numbers {
                let mut number = super::empty::<protobuf::Integer>(edit);
                number.as_mut().set_ival(cell.int_value);
                return Some(number.into());
            }
            Some(New::wrap(cell.ptr_value.cast(), edit))
        }
    }

    /// Removes the last item, and returns it.
    pub fn pop(&mut self) -> Option<New<'t, Node>> {
        self.remove(self.len().checked_sub(1)?)
    }

    /// Cuts the list in two: the items from the index on are in the list that is returned.
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let mut tree = view::parse("INSERT INTO t VALUES (1), (2), (3)")?;
    /// tree.edit(|mut stmts, _| {
    ///     let mut insert = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::InsertStmt>()).unwrap();
    ///     let mut source = insert.select_stmt_mut();
    ///     let mut select = source.get_mut().and_then(|node| node.into_type::<protobuf::SelectStmt>()).unwrap();
    ///     let rest = select.values_lists_mut().split_off(2);
    ///     assert_eq!(rest.view().len(), 1);
    /// });
    /// assert_eq!(tree.deparse()?, "INSERT INTO t VALUES (1), (2)");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn split_off(&mut self, index: usize) -> New<'t, protobuf::List> {
        let edit = self.0.edit();
        if self.0.has_numbers() {
            edit.refuse("a list of numbers is not cut in two");
            // SAFETY: a null pointer is the empty list.
            return unsafe { New::wrap(core::ptr::null_mut(), edit) };
        }
        let rest = self.0.split_off(index);
        // SAFETY: it is a list of its own, of nodes that are in no other any more.
        unsafe { New::wrap(rest.cast(), edit) }
    }

    /// Takes all items out, as a list.
    pub fn take(&mut self) -> New<'t, protobuf::List> {
        self.split_off(0)
    }

    /// Takes the list out, whatever it has.
    pub(super) fn take_raw(&mut self) -> *mut raw::List {
        self.0.take()
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.0.edit().note_lack();
        self.0.take();
    }

    /// Replaces the items by those of another list.
    pub fn set(&mut self, list: New<'t, protobuf::List>) {
        let list = list.into_raw();
        if list.is_null() {
            self.0.edit().note_lack();
        }
        // SAFETY: it is a list, which is in no place.
        unsafe { self.0.replace(list.cast()) };
    }

    /// Adds the items of another list at the end.
    pub fn append(&mut self, list: New<'t, protobuf::List>) {
        if self.is_empty() {
            return self.set(list);
        }
        let mut list = list;
        let items = list.as_mut().0.cells().len();
        for index in 0..items {
            if let Some(mut cell) = list.as_mut().0.cells().get(index) {
                // SAFETY: the node has been taken out of its list.
                let node: New<'t> = unsafe { New::wrap(cell.take(), self.0.edit()) };
                self.push(node);
            }
        }
    }

    /// Keeps only the items for which `keeps` returns true; it may change them.
    ///
    /// A list of numbers stays as it is.
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let mut tree = view::parse("SELECT a, 1, b, 2")?;
    /// tree.edit(|mut stmts, _| {
    ///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
    ///     select.target_list_mut().retain(|target| {
    ///         target.get().is_some_and(|target| target.literal().is_none())
    ///             && target.get().and_then(|target| target.as_res_target()?.val()?.literal()).is_none()
    ///     });
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT a, b");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn retain(&mut self, mut keeps: impl FnMut(&mut Slot<'_, 't>) -> bool) {
        // SAFETY: any node can be in a list.
        self.0.retain(|cell| keeps(&mut unsafe { Slot::wrap(cell, Fit::Any) }));
    }

    /// Swaps two items, if there are both.
    pub fn swap(&mut self, a: usize, b: usize) {
        let (Some(first), Some(second)) = (
            self.0.reborrow().cells().get(a).map(|cell| cell.read().get()),
            self.0.reborrow().cells().get(b).map(|cell| cell.read().get()),
        ) else {
            return;
        };
        for (index, node) in [(a, second), (b, first)] {
            if let Some(mut cell) = self.0.reborrow().cells().get(index) {
                // SAFETY: both nodes are in the list, and each is put where the other one was.
                unsafe { cell.replace(node) };
            }
        }
    }
}

impl<'t, N: Into<New<'t, Node>>> Extend<N> for ListMut<'_, 't> {
    fn extend<I: IntoIterator<Item = N>>(&mut self, nodes: I) {
        nodes.into_iter().for_each(|node| self.push(node));
    }
}

impl<'m, 't> IntoIterator for &'m mut ListMut<'_, 't> {
    type Item = Slot<'m, 't>;
    type IntoIter = Slots<'m, 't>;

    #[inline]
    fn into_iter(self) -> Slots<'m, 't> {
        self.iter_mut()
    }
}

/// Prints like the view.
impl fmt::Debug for ListMut<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

/// The places of the items of a [`ListMut`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Slots<'m, 't>(CellPlaces<'m, 't>);

impl<'m, 't> Iterator for Slots<'m, 't> {
    type Item = Slot<'m, 't>;

    #[inline]
    fn next(&mut self) -> Option<Slot<'m, 't>> {
        // SAFETY: any node can be in a list.
        self.0.next().map(|cell| unsafe { Slot::wrap(cell, Fit::Any) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Slots<'_, '_> {}

/// The statements of a tree that is edited, each a `RawStmt`.
///
/// ```
/// use pg_ast::view;
///
/// let mut tree = view::parse("SELECT 1; DROP TABLE t; SELECT 2")?;
/// tree.edit(|mut stmts, arena| {
///     let dropped = stmts.remove(1).unwrap();
///     assert_eq!(dropped.view().stmt().unwrap().name(), "DropStmt");
///     let copy = arena.copy(stmts.get(0).unwrap());
///     stmts.push(copy);
/// });
/// assert_eq!(tree.deparse()?, "SELECT 1; SELECT 2; SELECT 1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct StmtsMut<'m, 't>(At<'m, 't, *mut raw::List>);

/// What is in the cells of statements.
pub(super) const STMT: Fit = Fit::Always(NodeTag::T_RawStmt);

impl<'m, 't> StmtsMut<'m, 't> {
    /// Wraps a list of statements, none of them null.
    pub(super) fn new(place: At<'m, 't, *mut raw::List>) -> Self {
        Self(place)
    }

    /// Returns the memory for new nodes.
    #[must_use]
    pub fn arena(&self) -> Arena<'t> {
        Arena(self.0.edit())
    }

    /// Returns the edit.
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.0.edit()
    }

    /// Returns the place of the list.
    pub(super) fn place(&mut self) -> At<'_, 't, *mut raw::List> {
        self.0.reborrow()
    }

    /// Returns the same handle for a shorter time.
    #[must_use]
    pub fn reborrow(&mut self) -> StmtsMut<'_, 't> {
        StmtsMut(self.0.reborrow())
    }

    /// Returns the number of statements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no statements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over views of the statements.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = view::RawStmt<'_>> + DoubleEndedIterator {
        let cells =
            self.0.list().map_or(super::super::memory::Cells::NONE, InC::<raw::List>::cells);
        // SAFETY: the cells have RawStmts, and none is empty.
        unsafe { cells.nodes().of_type() }.map(view::RawStmt)
    }

    /// Returns the statement at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<view::RawStmt<'_>> {
        self.iter().nth(index)
    }

    /// Returns a handle of what the statement at an index is, without the `RawStmt` around it: `SelectStmt`, for instance.
    #[must_use]
    pub fn get_mut(&mut self, index: usize) -> Option<NodeMut<'_, 't>> {
        let stmt = self.iter_mut().nth(index)?.0;
        let whole: *mut raw::RawStmt = stmt.as_ptr().cast();
        // SAFETY: it is a field of the struct, for any node.
        let slot: Slot<'_, 't> = unsafe { Slot::wrap(stmt.part(&raw mut (*whole).stmt), Fit::Any) };
        slot.into_mut()
    }

    /// Iterates over the statements.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = super::RawStmtMut<'_, 't>> {
        // SAFETY: the cells have RawStmts, and none is empty.
        self.0.reborrow().cells().map(|cell| unsafe { super::Mut::of(cell.whole()) })
    }

    /// Adds a statement at the end.
    pub fn push(&mut self, stmt: New<'t, protobuf::RawStmt>) {
        self.insert(usize::MAX, stmt);
    }

    /// Inserts a statement before that at an index; at the end if there are fewer statements.
    pub fn insert(&mut self, index: usize, stmt: New<'t, protobuf::RawStmt>) {
        let cell = raw::ListCell { ptr_value: stmt.into_raw().cast() };
        // SAFETY: it is a new node.
        unsafe { self.0.insert(index, cell) };
    }

    /// Removes the statement at an index, and returns it.
    pub fn remove(&mut self, index: usize) -> Option<New<'t, protobuf::RawStmt>> {
        let cell = self.0.remove(index)?;
        // SAFETY: the cells have RawStmts; what is removed is in no place any more.
        Some(unsafe { New::wrap(cell.ptr_value.cast(), self.0.edit()) })
    }

    /// Keeps only the statements for which `keeps` returns true; it may change them.
    pub fn retain(&mut self, mut keeps: impl FnMut(super::RawStmtMut<'_, 't>) -> bool) {
        // SAFETY: the cells have RawStmts, and none is empty.
        self.0.retain(|cell| keeps(unsafe { super::Mut::of(cell.whole()) }));
    }
}

/// Prints like the views.
impl fmt::Debug for StmtsMut<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
