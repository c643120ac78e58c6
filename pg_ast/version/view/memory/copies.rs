//! Writes copies of C nodes into other memory: the block of a compact tree, or the arena of a changed one.
//!
//! A copy has the pointers of its original until each has been replaced. So it is read like the original, field by field
//! and cell by cell, and what is read is replaced at the same place (a [`CopySlot`]), after which nobody reads it here.

use core::alloc::Layout;
use core::ffi::CStr;
use core::marker::PhantomData;
use core::mem::offset_of;
use core::ptr;

use super::names::raw;
use super::{Cells, FieldInC, Struct, StructInC};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::arena::Bump;

/// The cells are right after the struct.
const _: () = assert!(offset_of!(raw::List, initial_elements) == size_of::<raw::List>());

/// The place of a copy.
pub(crate) trait CopyPlace: Copy {
    /// Returns the place at an address: in memory that can be written to, except if nothing is copied.
    fn at(address: *const u8) -> Self;

    /// Returns whether this is the place at an address.
    fn is_at(self, address: *const u8) -> bool;
}

/// Where nothing is copied, there are no places.
impl CopyPlace for () {
    #[inline]
    fn at(_: *const u8) {}

    #[inline]
    fn is_at(self, _: *const u8) -> bool {
        true
    }
}

/// A place in memory, for as long as `'m`. A [`CopySlot`] of it can be written to.
#[derive(Clone, Copy)]
pub(crate) struct InCopy<'m>(*mut u8, PhantomData<&'m ()>);

impl CopyPlace for InCopy<'_> {
    #[inline]
    fn at(address: *const u8) -> Self {
        Self(address.cast_mut(), PhantomData)
    }

    #[inline]
    fn is_at(self, address: *const u8) -> bool {
        self.0.cast_const() == address
    }
}

impl InCopy<'_> {
    /// Returns the address of the copy.
    pub(crate) fn as_ptr(self) -> *const u8 {
        self.0
    }
}

/// The copy of a struct; the original if nothing is copied.
#[derive(Clone, Copy)]
pub(crate) struct StructCopy<'a, P> {
    copy: StructInC<'a>,
    places: PhantomData<P>,
}

impl<'a, P: CopyPlace> StructCopy<'a, P> {
    #[inline]
    fn new(copy: StructInC<'a>) -> Self {
        Self { copy, places: PhantomData }
    }

    /// Returns the struct, whose pointers are those of the original as far as they have not been replaced.
    #[inline]
    pub(crate) fn structure(self) -> StructInC<'a> {
        self.copy
    }

    /// Returns the place of the copy.
    #[inline]
    pub(crate) fn place(self) -> P {
        P::at(self.copy.at)
    }

    /// Returns the fields with pointers that are not null, each with its place.
    #[inline]
    pub(crate) fn pointers(self) -> impl Iterator<Item = (FieldInC<'a>, CopySlot<P>)> {
        let Struct { fields, pointers, .. } = self.copy.structure;
        let mut left = *pointers;
        core::iter::from_fn(move || {
            loop {
                let field = fields.get(usize::try_from(left.trailing_zeros()).ok()?)?;
                left &= left - 1;
                let field = FieldInC::of(self.copy, field);
                if !field.is_empty() {
                    return Some((field, CopySlot(P::at(field.at))));
                }
            }
        })
    }
}

/// The copy of a list; the original if nothing is copied.
#[derive(Clone, Copy)]
pub(crate) struct ListCopy<'a, P> {
    place: P,
    cells: CellsCopy<'a, P>,
}

impl<'a, P: CopyPlace> ListCopy<'a, P> {
    /// Returns the place of the copy.
    #[inline]
    pub(crate) fn place(self) -> P {
        self.place
    }

    /// Returns the cells of a list of nodes; none of a list of numbers.
    #[inline]
    pub(crate) fn cells(self) -> CellsCopy<'a, P> {
        self.cells
    }
}

/// The cells in the copy of a list of nodes. They are written to, so this is no reference.
#[derive(Clone, Copy)]
pub(crate) struct CellsCopy<'a, P> {
    start: *const raw::ListCell,
    count: usize,
    places: PhantomData<(P, &'a ())>,
}

impl<'a, P: CopyPlace> CellsCopy<'a, P> {
    /// `start` points to as many cells as there are in `originals`.
    #[inline]
    fn new(start: *const raw::ListCell, originals: Cells<'a>) -> Self {
        Self { start, count: originals.nodes().len(), places: PhantomData }
    }

    /// Returns the nodes, each with its place.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (Option<InC<'a, raw::Node>>, CopySlot<P>)> {
        (0..self.count).map(move |index| {
            let cell = self.start.wrapping_add(index).cast::<*mut raw::Node>();
            // SAFETY: there are as many cells, of a list of nodes.
            let node = unsafe { InC::<'a, *mut raw::Node>::new(cell) }.target();
            (node, CopySlot(P::at(cell.cast())))
        })
    }
}

/// A pointer in a copy, or a part of it.
#[derive(Clone, Copy)]
pub(crate) struct CopySlot<P>(P);

impl<P: CopyPlace> CopySlot<P> {
    /// Returns the struct that is at this place of another copy, as a copy; `None` if it is not there.
    #[inline]
    pub(crate) fn part(self, part: StructInC<'_>) -> Option<StructCopy<'_, P>> {
        self.0.is_at(part.at).then(|| StructCopy::new(part))
    }
}

/// The action on each part of a tree: it is copied, or only counted.
pub(crate) trait CopyWriter {
    /// The place of a copy.
    type Place: CopyPlace;

    /// Handles a struct.
    fn structure<'a>(&mut self, original: StructInC<'a>) -> StructCopy<'a, Self::Place>;

    /// Handles a list, with its cells.
    fn list<'a>(&mut self, original: Cells<'a>) -> ListCopy<'a, Self::Place>;

    /// Handles a set.
    fn set(&mut self, original: InC<'_, raw::Bitmapset>) -> Self::Place;

    /// Handles a string.
    fn text(&mut self, original: &CStr) -> Self::Place;

    /// Makes a pointer in a copy point to another copy; `None` is a null pointer.
    fn point(&mut self, slot: CopySlot<Self::Place>, target: Option<Self::Place>);

    /// Writes zeroes where a struct has fields without a place in the tree.
    fn clear_unmapped(&mut self, copy: StructCopy<'_, Self::Place>);
}

/// The bytes that copies take. They are in memory already, if only once (a string that several nodes point to is a few
/// bytes); so the sums fit. If they did not, there would be no memory of that size.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) parts: usize,
    pub(crate) strings: usize,
}

fn aligned(bytes: usize) -> usize {
    bytes.next_multiple_of(align_of::<u64>())
}

fn list_size(list: Cells<'_>) -> usize {
    size_of::<raw::List>() + size_of_val(list.cells)
}

fn set_size(set: InC<'_, raw::Bitmapset>) -> usize {
    offset_of!(raw::Bitmapset, words) + size_of_val(set.words())
}

impl Count {
    fn part(&mut self, bytes: usize) {
        self.parts = self.parts.saturating_add(aligned(bytes));
    }
}

impl CopyWriter for Count {
    type Place = ();

    fn structure<'a>(&mut self, original: StructInC<'a>) -> StructCopy<'a, ()> {
        self.part(original.structure.size.into());
        StructCopy::new(original)
    }

    fn list<'a>(&mut self, original: Cells<'a>) -> ListCopy<'a, ()> {
        self.part(list_size(original));
        ListCopy { place: (), cells: CellsCopy::new(original.cells.as_ptr(), original) }
    }

    fn set(&mut self, original: InC<'_, raw::Bitmapset>) {
        self.part(set_size(original));
    }

    fn text(&mut self, original: &CStr) {
        self.strings = self.strings.saturating_add(original.count_bytes() + 1);
    }

    fn point(&mut self, _: CopySlot<()>, _: Option<()>) {}

    fn clear_unmapped(&mut self, _: StructCopy<'_, ()>) {}
}

/// Memory for copies.
///
/// # Safety
///
/// Each place has room for so many bytes, and can be written to for as long as `'m`; nobody else uses it.
pub(crate) unsafe trait CopyRoom<'m> {
    /// Returns a place for a struct or a list, aligned like a `u64`.
    fn part(&mut self, bytes: usize) -> *mut u8;

    /// Returns a place for a string.
    fn text(&mut self, bytes: usize) -> *mut u8;
}

// SAFETY: an arena hands out each place once, and keeps it for as long as it is borrowed.
unsafe impl<'m> CopyRoom<'m> for &'m Bump {
    fn part(&mut self, bytes: usize) -> *mut u8 {
        let Ok(layout) = Layout::from_size_align(bytes, align_of::<u64>()) else {
            unreachable!("what is copied fits into memory")
        };
        self.alloc_layout(layout).as_ptr()
    }

    fn text(&mut self, bytes: usize) -> *mut u8 {
        self.part(bytes)
    }
}

/// Copies what it is given.
pub(crate) struct Copies<'m, R> {
    room: R,
    memory: PhantomData<&'m ()>,
}

impl<'m, R: CopyRoom<'m>> Copies<'m, R> {
    pub(crate) fn new(room: R) -> Self {
        Self { room, memory: PhantomData }
    }

    /// Copies `bytes` bytes.
    ///
    /// # Safety
    ///
    /// There are as many at `from`.
    unsafe fn part(&mut self, from: *const u8, bytes: usize) -> InCopy<'m> {
        let copy = self.room.part(bytes);
        // SAFETY: there is room for the bytes; the caller guarantees that they are at `from`.
        unsafe { ptr::copy_nonoverlapping(from, copy, bytes) };
        InCopy(copy, PhantomData)
    }
}

impl<'m, R: CopyRoom<'m>> CopyWriter for Copies<'m, R> {
    type Place = InCopy<'m>;

    fn structure<'a>(&mut self, original: StructInC<'a>) -> StructCopy<'a, InCopy<'m>> {
        let StructInC { structure, at, .. } = original;
        // SAFETY: the table has the size of the struct. The copy can be read, as the original can.
        unsafe {
            StructCopy::new(StructInC::new(structure, self.part(at, structure.size.into()).0))
        }
    }

    fn list<'a>(&mut self, original: Cells<'a>) -> ListCopy<'a, InCopy<'m>> {
        let Cells { tag, cells } = original;
        let copy = self.room.part(list_size(original)).cast::<raw::List>();
        let length = i32::try_from(cells.len()).unwrap_or(i32::MAX);
        // SAFETY: there is room for the struct and the cells behind it, aligned, and nobody else has a pointer to it yet.
        let elements = unsafe {
            let elements = (&raw mut (*copy).initial_elements).cast::<raw::ListCell>();
            (&raw mut (*copy).type_).write(tag);
            (&raw mut (*copy).length).write(length);
            (&raw mut (*copy).max_length).write(length);
            (&raw mut (*copy).elements).write(elements);
            ptr::copy_nonoverlapping(cells.as_ptr(), elements, cells.len());
            elements
        };
        let place = InCopy(copy.cast(), PhantomData);
        ListCopy { place, cells: CellsCopy::new(elements, original) }
    }

    fn set(&mut self, original: InC<'_, raw::Bitmapset>) -> InCopy<'m> {
        // SAFETY: the set has that size.
        unsafe { self.part(original.as_ptr().cast(), set_size(original)) }
    }

    fn text(&mut self, original: &CStr) -> InCopy<'m> {
        let bytes = original.to_bytes_with_nul();
        let copy = self.room.text(bytes.len());
        // SAFETY: there is room for the bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len()) };
        InCopy(copy, PhantomData)
    }

    fn point(&mut self, slot: CopySlot<InCopy<'m>>, target: Option<InCopy<'m>>) {
        let target = target.map_or(ptr::null_mut(), |target| target.0);
        // SAFETY: a slot is the place of a field or a cell in a copy, which can be written to. It is aligned, as the
        // original is. All callers have found a pointer in the original.
        unsafe { slot.0.0.cast::<*mut u8>().write(target) };
    }

    fn clear_unmapped(&mut self, copy: StructCopy<'_, InCopy<'m>>) {
        for (offset, bytes) in copy.copy.structure.unmapped {
            // SAFETY: the copy has a field of that size there, and can be written to.
            unsafe { copy.place().0.add(*offset).write_bytes(0, *bytes) };
        }
    }
}
