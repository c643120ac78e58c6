//! Writes to the nodes of a tree that is edited: the fields of a struct, the cells of a list.
//!
//! An [`At`] is a place in a tree for as long as nobody else reads or writes it: the exclusive counterpart of an
//! [`InC`]. What is written to a place is a value, or a pointer to a whole node that no other place points to. Nothing is
//! freed, so that no pointer dangles.

mod cell_places;
mod field_places;
mod places;

use core::alloc::Layout;
use core::cell::{Cell, RefCell};
use core::ffi::{c_char, c_int};
use core::marker::PhantomData;
use core::ptr::{self, NonNull};
use std::collections::HashMap;

use super::names::raw::{self, NodeTag};
use super::names::views::{Node, missing_field};
use super::{names, structure_of};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw, IntoRawContext};
use crate::foundation::arena::Bump;
use crate::types::error::{Error, ErrorKind};
pub(crate) use cell_places::CellPlaces;
pub(crate) use field_places::FieldPlaceInC;
pub(crate) use places::{Fit, PlacesToVisit, Visited};

/// What an edit adds to a tree.
#[derive(Default)]
pub(crate) struct EditState {
    /// The memory of new nodes and strings.
    pub(crate) arena: Bump,
    /// The first value that the tree cannot hold.
    pub(crate) error: RefCell<Option<Error>>,
    /// Whether a node may lack a field without which it has no SQL.
    pub(crate) may_lack: Cell<bool>,
    /// Nodes that lacked such a field when they were made or changed: the end of the edit shows which of them still do.
    pub(crate) unfinished: RefCell<Vec<*const raw::Node>>,
    /// Whether there are, or may be, nodes that the grammar would share.
    pub(crate) has_shared: Cell<bool>,
    /// The columns of recursive views, which are empty meanwhile, by the addresses of the views.
    pub(crate) columns: RefCell<HashMap<*const raw::ViewStmt, *mut raw::List>>,
}

impl EditState {
    /// Returns whether a node that was not finished still lacks a field without which it has no SQL.
    pub(crate) fn has_unfinished(&self) -> bool {
        let mut unfinished = self.unfinished.borrow_mut();
        unfinished.retain(|node| {
            // SAFETY: it is a whole node, of the tree or of its arena, which the edit has not freed. Nobody writes to it
            // meanwhile: whoever has a handle of it is on this thread, and not running.
            let node = unsafe { InC::new(*node) };
            missing_field(Node::of(node)).is_some()
        });
        !unfinished.is_empty()
    }

    /// Records an error, unless there is one.
    #[cold]
    pub(crate) fn fail(&self, error: Error) {
        self.error.borrow_mut().get_or_insert(error);
    }
}

/// An edit that is under way. The lifetime is invariant: one edit's is not that of another.
#[derive(Clone, Copy)]
pub(crate) struct EditUnderWay<'t> {
    state: &'t EditState,
    brand: PhantomData<fn(&'t ()) -> &'t ()>,
}

impl<'t> EditUnderWay<'t> {
    pub(crate) fn new(state: &'t EditState) -> Self {
        Self { state, brand: PhantomData }
    }

    #[inline]
    pub(crate) fn state(self) -> &'t EditState {
        self.state
    }

    /// Records that a change is not possible.
    #[cold]
    pub(crate) fn refuse(self, message: &str) {
        self.state.fail(Error::new(ErrorKind::Deparse, message));
    }

    /// Returns an error if a change was not possible.
    pub(crate) fn check(self) -> Result<(), Error> {
        self.state.error.borrow().as_ref().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Returns whether a node may lack a field without which it has no SQL.
    pub(crate) fn may_lack(self) -> bool {
        self.state.may_lack.get() || self.state.has_unfinished()
    }

    /// Notes that a field has become empty.
    #[inline]
    pub(crate) fn note_lack(self) {
        self.state.may_lack.set(true);
    }

    /// Notes a node that lacks a field without which it has no SQL.
    #[inline]
    pub(crate) fn note_if_lacks(self, node: Node<'_>) {
        if missing_field(node).is_some() {
            self.note_unfinished(node);
        }
    }

    #[cold]
    fn note_unfinished(self, node: Node<'_>) {
        match node.as_raw() {
            Some(node) => self.state.unfinished.borrow_mut().push(node.as_ptr()),
            // It is a part of another node.
            None => self.note_lack(),
        }
    }

    /// Copies a string. A NUL becomes U+FFFD, and is recorded as an error.
    pub(crate) fn c_string(self, text: &str) -> *mut c_char {
        let mut cx = IntoRawContext::new(&self.state.arena);
        let copy = cx.c_string(text);
        self.finish(cx, copy)
    }

    /// Returns what a conversion has written, and records its error, and whether something has no SQL.
    fn finish<T>(self, cx: IntoRawContext<'_>, value: T) -> T {
        if cx.lacks() {
            self.note_lack();
        }
        if let Err(error) = cx.finish(()) {
            self.state.fail(error);
        }
        value
    }

    /// Returns fresh memory, aligned like a `u64`.
    fn piece(self, bytes: usize) -> NonNull<u8> {
        let Ok(layout) = Layout::from_size_align(bytes, align_of::<u64>()) else {
            unreachable!("a piece is smaller than the address space")
        };
        self.state.arena.alloc_layout(layout)
    }

    /// Returns the struct with this tag, of zeroes; as large as the header alone if there is none.
    pub(crate) fn zeroed(self, tag: NodeTag) -> NonNull<raw::Node> {
        let bytes = structure_of(tag).map_or(size_of::<raw::Node>(), |it| it.size.into());
        let node = self.piece(bytes);
        // SAFETY: there are as many bytes, aligned for any struct, which nobody else has a pointer to. Each struct begins with its
        // tag.
        unsafe {
            node.write_bytes(0, bytes);
            let node = node.cast::<raw::Node>();
            (&raw mut (*node.as_ptr()).type_).write(tag);
            node
        }
    }

    /// Returns an empty list with room for so many cells: the only lists without cells, until one is added.
    fn list(self, tag: NodeTag, room: c_int) -> NonNull<raw::List> {
        let cells = usize::try_from(room).unwrap_or(0) * size_of::<raw::ListCell>();
        let list = self.piece(size_of::<raw::List>() + cells).cast::<raw::List>();
        let raw = list.as_ptr();
        // SAFETY: there is room for the struct and the cells behind it, aligned, and nobody else has a pointer to it yet.
        unsafe {
            let elements = (&raw mut (*raw).initial_elements).cast::<raw::ListCell>();
            (&raw mut (*raw).type_).write(tag);
            (&raw mut (*raw).length).write(0);
            (&raw mut (*raw).max_length).write(room);
            (&raw mut (*raw).elements).write(elements);
        }
        list
    }
}

/// A place in a tree, which nobody else reads or writes for as long as `'m`.
pub struct At<'m, 't, T> {
    /// Never null.
    pub(crate) place: *mut T,
    pub(crate) edit: EditUnderWay<'t>,
    borrow: PhantomData<&'m mut T>,
}

impl<'m, 't, T> At<'m, 't, T> {
    /// Wraps a place.
    ///
    /// # Safety
    ///
    /// - `at` satisfies the conditions of [`InC::new`], and can be written to.
    /// - For as long as `'m`, whoever else reads or writes the value, or what it points to, goes through this.
    /// - It is in the tree of the edit, or will be in no other.
    #[inline]
    pub(crate) unsafe fn new(at: NonNull<T>, edit: EditUnderWay<'t>) -> Self {
        Self { place: at.as_ptr(), edit, borrow: PhantomData }
    }

    #[inline]
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.edit
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut T {
        self.place
    }

    /// Returns the same place for a shorter time.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> At<'_, 't, T> {
        At { place: self.place, edit: self.edit, borrow: PhantomData }
    }

    /// Returns the value for reading.
    #[inline]
    pub(crate) fn read(&self) -> InC<'_, T> {
        // SAFETY: the creator of `self` guarantees the value; and nobody writes it while `self` is borrowed.
        unsafe { InC::new(self.as_ptr()) }
    }

    /// Returns a part of the value.
    ///
    /// # Safety
    ///
    /// `part` was made from [`as_ptr`](Self::as_ptr), and points to a part of the value, or of the node that the value is
    /// the header of.
    #[inline]
    pub(crate) unsafe fn part<U>(self, part: *mut U) -> At<'m, 't, U> {
        At { place: part, edit: self.edit, borrow: PhantomData }
    }

    /// Writes a value that has no pointers, or pointers to what the edit's arena has.
    ///
    /// # Safety
    ///
    /// What the value points to is whole, and in no other place.
    #[inline]
    unsafe fn write(&mut self, value: T) {
        // SAFETY: the creator of `self` guarantees that the place can be written to.
        unsafe { self.place.write(value) };
    }

    /// Sets a value by its conversion to C. One that C cannot hold is recorded as an error.
    #[inline]
    pub(crate) fn convert<'v, V>(mut self, value: &'v V)
    where
        &'v V: IntoRaw<T>,
    {
        let edit = self.edit;
        let mut cx = IntoRawContext::new(&edit.state.arena);
        let raw = value.into_raw(&mut cx);
        // SAFETY: a conversion writes a whole value, in the arena.
        unsafe { self.write(edit.finish(cx, raw)) };
    }
}

impl<'m, 't, T> At<'m, 't, *mut T> {
    /// Returns the place as one for another pointer.
    ///
    /// # Safety
    ///
    /// A `T` and a `U` begin alike, and what is put there fits.
    #[inline]
    pub(crate) unsafe fn cast<U>(self) -> At<'m, 't, *mut U> {
        At { place: self.place.cast(), edit: self.edit, borrow: PhantomData }
    }

    /// Returns the target of the pointer as a struct.
    ///
    /// # Safety
    ///
    /// The pointer is not null, and its target is a whole `U`.
    #[inline]
    pub(crate) unsafe fn whole<U>(self) -> At<'m, 't, U> {
        At { place: self.read().get().cast(), edit: self.edit, borrow: PhantomData }
    }

    /// Puts a pointer there, and returns the one that was there.
    ///
    /// # Safety
    ///
    /// It is null, or points to a whole `T` that fits there, in no other place of any tree.
    #[inline]
    pub(crate) unsafe fn replace(&mut self, pointer: *mut T) -> *mut T {
        let old = self.read().get();
        // SAFETY: the caller guarantees it.
        unsafe { self.write(pointer) };
        old
    }

    /// Puts a null pointer there, and returns the one that was there.
    #[inline]
    pub(crate) fn take(&mut self) -> *mut T {
        // SAFETY: a null pointer points to nothing.
        unsafe { self.replace(ptr::null_mut()) }
    }
}

/// A C type of text.
pub(crate) trait Text: Sized {
    /// Sets a text. An empty one is no text, as in an owned tree, unless `is_value` says that the place holds one always.
    fn set(place: At<'_, '_, Self>, text: &str, is_value: bool);
}

macro_rules! strings {
    ($($pointer:ty),*) => {$(
        impl Text for $pointer {
            fn set(mut place: At<'_, '_, Self>, text: &str, is_value: bool) {
                let copy = if text.is_empty() && !is_value {
                    ptr::null_mut()
                } else {
                    place.edit.c_string(text)
                };
                // SAFETY: it is null, or a string that ends in a NUL.
                unsafe { place.write(copy) };
            }
        }
    )*};
}
strings!(*mut c_char, *const c_char);

/// A `char`: an ASCII character, or none.
impl Text for c_char {
    fn set(mut place: At<'_, '_, Self>, text: &str, _: bool) {
        let byte = match text.as_bytes() {
            [] => 0,
            [byte @ 1..0x80] => *byte,
            _ => return place.edit.refuse("a field for one character cannot hold this text"),
        };
        // An `i8` on some platforms and a `u8` on others; below 0x80, they are the same.
        // SAFETY: a number points to nothing.
        #[allow(clippy::cast_possible_wrap)]
        unsafe {
            place.write(byte as c_char);
        }
    }
}

/// The number of cells that a list must not exceed.
const MOST: usize = c_int::MAX as usize;

impl<'m, 't> At<'m, 't, *mut raw::List> {
    /// Returns the list; `None` for the empty one.
    #[inline]
    pub(crate) fn list(&self) -> Option<InC<'_, raw::List>> {
        self.read().target()
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.list().map_or(0, InC::<raw::List>::len)
    }

    /// Returns whether it has numbers and not nodes.
    #[inline]
    pub(crate) fn has_numbers(&self) -> bool {
        self.list().is_some_and(|list| list.cells().tag != NodeTag::T_List)
    }

    /// Returns the first cell and the number of cells of a list of nodes; no cells of a list of numbers.
    #[inline]
    pub(crate) fn cells(self) -> CellPlaces<'m, 't> {
        let (mut start, mut count) = (NonNull::dangling(), 0);
        if !self.has_numbers()
            && let Some(list) = NonNull::new(self.read().get())
        {
            // SAFETY: the list is there.
            start = unsafe { NonNull::new((*list.as_ptr()).elements.cast()) }.unwrap_or(start);
            count = self.len();
        }
        CellPlaces { start, count, edit: self.edit, borrow: PhantomData }
    }

    /// Makes room for so many more cells. Returns the list; `None`, with an error, if there would be too many.
    fn reserve(&mut self, more: usize) -> Option<NonNull<raw::List>> {
        let length = self.len();
        let Some(wanted) = length.checked_add(more).filter(|wanted| *wanted <= MOST) else {
            self.edit.refuse("a list with more than 2147483647 items");
            return None;
        };
        let room = wanted.max(length.saturating_mul(2)).clamp(4, MOST);
        // It is not larger than `MOST`.
        let room_c = c_int::try_from(room).unwrap_or(c_int::MAX);
        let Some(list) = NonNull::new(self.read().get()) else {
            let list = self.edit.list(NodeTag::T_List, room_c);
            // SAFETY: it is a new list, to which the caller adds a cell.
            unsafe { self.write(list.as_ptr()) };
            return Some(list);
        };
        let raw = list.as_ptr();
        // SAFETY: the list is there, and written only here; its cells are as many as it says, which move to memory of the
        // arena with room for more.
        unsafe {
            if usize::try_from((*raw).max_length).unwrap_or(0) < wanted {
                let bytes = room * size_of::<raw::ListCell>();
                let elements = self.edit.piece(bytes).cast::<raw::ListCell>().as_ptr();
                elements.copy_from_nonoverlapping((*raw).elements, length);
                (&raw mut (*raw).elements).write(elements);
                (&raw mut (*raw).max_length).write(room_c);
            }
        }
        Some(list)
    }

    /// Inserts a cell.
    ///
    /// # Safety
    ///
    /// It is one of a list with this tag; a node in it is in no other place.
    pub(crate) unsafe fn insert(&mut self, index: usize, cell: raw::ListCell) {
        let length = self.len();
        let Some(list) = self.reserve(1) else { return };
        let list = list.as_ptr();
        let index = index.min(length);
        // SAFETY: there is room for a cell more; `index` is at most the length, which fits into an int with one more.
        unsafe {
            let cell_at = (*list).elements.add(index);
            cell_at.copy_to(cell_at.add(1), length - index);
            cell_at.write(cell);
            (&raw mut (*list).length).write((*list).length + 1);
        }
    }

    /// Removes a cell, which exists, and returns it.
    pub(crate) fn remove(&mut self, index: usize) -> Option<raw::ListCell> {
        let length = self.len();
        let list = self.read().get();
        if index >= length {
            return None;
        }
        // SAFETY: there is a list with such a cell.
        let cell = unsafe {
            let cell_at = (*list).elements.add(index);
            let cell = cell_at.read();
            cell_at.copy_from(cell_at.add(1), length - index - 1);
            cell
        };
        self.set_len(length - 1);
        Some(cell)
    }

    /// Cuts the list to a smaller length. Without cells it is no list.
    fn set_len(&mut self, length: usize) {
        let list = self.read().get();
        if length == 0 || list.is_null() {
            self.edit.note_lack();
            self.take();
            return;
        }
        let length = c_int::try_from(length).unwrap_or(c_int::MAX);
        // SAFETY: the list is there, and has at least as many cells.
        unsafe { (&raw mut (*list).length).write(length) };
    }

    /// Cuts the list, and returns the rest as another list; a null pointer if there is none.
    pub(crate) fn split_off(&mut self, index: usize) -> *mut raw::List {
        let length = self.len();
        if index >= length {
            return ptr::null_mut();
        }
        if index == 0 {
            self.edit.note_lack();
            return self.take();
        }
        let list = self.read().get();
        // It is not larger than the length.
        let count = length - index;
        // SAFETY: there is a list with so many cells, and room for them in the new one.
        let rest = unsafe {
            let rest = self
                .edit
                .list((*list).type_, c_int::try_from(count).unwrap_or(c_int::MAX))
                .as_ptr();
            (*rest).elements.copy_from_nonoverlapping((*list).elements.add(index), count);
            (&raw mut (*rest).length).write((*rest).max_length);
            rest
        };
        self.set_len(index);
        rest
    }

    /// Keeps the cells for which `keeps` is true: it gets each as a place, in order. If it panics, all cells are kept that
    /// it has not seen.
    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(At<'_, 't, *mut raw::Node>) -> bool) {
        /// Closes the gap when it is dropped.
        struct Gap<'g, 'm, 't> {
            place: &'g mut At<'m, 't, *mut raw::List>,
            seen: usize,
            kept: usize,
            length: usize,
        }
        impl Drop for Gap<'_, '_, '_> {
            fn drop(&mut self) {
                let Self { seen, kept, length, .. } = *self;
                if kept == length {
                    return;
                }
                // SAFETY: there is a list, with so many cells.
                unsafe {
                    let elements = (*self.place.read().get()).elements;
                    elements.add(kept).copy_from(elements.add(seen), length - seen);
                }
                self.place.set_len(kept + length - seen);
            }
        }
        if self.has_numbers() {
            return;
        }
        let length = self.len();
        let mut gap = Gap { place: self, seen: 0, kept: 0, length };
        while gap.seen < length {
            let (seen, kept) = (gap.seen, gap.kept);
            // SAFETY: there is a list with such a cell; it is still in its place.
            let keep = unsafe {
                let elements = (*gap.place.read().get()).elements;
                let cell: NonNull<*mut raw::Node> =
                    NonNull::new_unchecked(elements.add(seen)).cast();
                keeps(At::new(cell, gap.place.edit))
            };
            if keep {
                // SAFETY: there is a list with such cells.
                unsafe {
                    let elements = (*gap.place.read().get()).elements;
                    elements.add(kept).copy_from(elements.add(seen), 1);
                }
                gap.kept += 1;
            }
            gap.seen += 1;
        }
    }
}
