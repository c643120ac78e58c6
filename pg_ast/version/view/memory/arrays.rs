//! Reads values that are behind each other in C: arrays, and the cells of lists that say nothing about what they hold.

use core::ffi::c_int;

use super::field;
use super::names::raw;
use crate::convert::c_tree::in_c::InC;

/// So many values behind each other.
pub(crate) struct ArrayInC<'a, T> {
    /// `None` for an array without values.
    first: Option<InC<'a, T>>,
    len: usize,
}

impl<T> Clone for ArrayInC<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ArrayInC<'_, T> {}

impl<'a, T> ArrayInC<'a, T> {
    /// Returns an array of one value.
    #[inline]
    pub(crate) fn one(value: InC<'a, T>) -> Self {
        Self { first: Some(value), len: 1 }
    }

    /// Returns the array that a pointer leads to.
    ///
    /// # Safety
    ///
    /// Behind the pointer, unless it is null, are so many values, each as in [`InC::new`].
    #[inline]
    pub(crate) unsafe fn new(array: InC<'a, *mut T>, len: c_int) -> Self {
        let first = array.target();
        Self { first, len: if first.is_some() { usize::try_from(len).unwrap_or(0) } else { 0 } }
    }

    /// Returns the number of values.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Returns the value at an index.
    #[inline]
    pub(crate) fn get(self, index: usize) -> Option<InC<'a, T>> {
        let first = self.first.filter(|_| index < self.len)?;
        // SAFETY: the creator of `self` guarantees so many values behind the first one.
        Some(unsafe { InC::new(first.as_ptr().add(index)) })
    }
}

impl<'a, T> ArrayInC<'a, *mut T> {
    /// Returns the pointers in the cells of a list; a null pointer is the empty list.
    ///
    /// # Safety
    ///
    /// Each cell holds a pointer to a `T`, or a null pointer.
    #[inline]
    pub(crate) unsafe fn of_list(list: InC<'a, *mut raw::List>) -> Self {
        const { assert!(size_of::<raw::ListCell>() == size_of::<*mut T>()) };
        let Some(list) = list.target() else { return Self { first: None, len: 0 } };
        let cells = field!(list.elements).get();
        // SAFETY: a list has as many cells as it says, which are as long as the pointers that they hold, as the caller
        // guarantees.
        let first = unsafe { InC::new_or_null(cells.cast::<*mut T>().cast_const()) };
        Self { first, len: first.map_or(0, |_| list.len()) }
    }
}

/// Memory that is zero, and as long as the longest struct of PL/pgSQL.
#[repr(C, align(16))]
struct Zeros([u8; 2048]);

static ZEROS: Zeros = Zeros([0; 2048]);

/// Returns a struct of zeros: what a pointer leads to that is null where C has none.
///
/// # Safety
///
/// `T` is a struct of the bindings that consists of numbers, pointers, `bool`, and such structs.
#[inline]
pub(crate) unsafe fn zeros<T>() -> InC<'static, T> {
    const { assert!(size_of::<T>() <= size_of::<Zeros>() && align_of::<T>() <= align_of::<Zeros>()) };
    // SAFETY: the memory is there for ever, is long enough, and is never written; zeros are such numbers, null pointers and
    // `false`, as the caller guarantees.
    unsafe { InC::new((&raw const ZEROS).cast()) }
}
