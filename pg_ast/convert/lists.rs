//! Type shapes whose C types do not say what is behind a pointer: lists of structs without tags, arrays, and structs with tags
//! of their own.
//!
//! The attribute `internal(items = .., count = ..)` of the derive leads here; the generator's table has what it says.

use core::ffi::c_int;

use super::internal::Internal;
use super::{FromRaw, FromRawContext};

/// A collection that the items of a list are read into.
pub trait FromItems {
    type Item;

    fn from_items(items: Vec<Self::Item>) -> Self;
}

impl<T> FromItems for Vec<T> {
    type Item = T;

    fn from_items(items: Self) -> Self {
        items
    }
}

/// The lists of a version: PostgreSQL's `List`.
///
/// # Safety
///
/// The pointers are those in the cells, which are as many as the length says.
pub unsafe trait RawList {
    /// Returns the number of cells.
    ///
    /// # Safety
    ///
    /// `list` points to a whole list that can be read.
    unsafe fn length(list: *const Self) -> usize;

    /// Returns the pointer in a cell.
    ///
    /// # Safety
    ///
    /// As above; the index is less than the length, and the cells hold pointers.
    unsafe fn pointer(list: *const Self, index: usize) -> *const u8;
}

impl FromRawContext {
    /// Reads a list of pointers to structs, one level below this one; a null pointer is the empty list.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`]; and each cell of the list points to a `Raw`.
    #[doc(hidden)]
    pub unsafe fn items<'cx, 't, Owner, C, Raw, List>(&'cx mut self, raw: *const *mut List) -> C
    where
        'cx: 'cx,
        Owner: Internal,
        C: FromItems<Item: FromRaw<'t, Raw>>,
        List: RawList,
    {
        // SAFETY: the caller guarantees `raw`, which points to an initialised pointer.
        let list = unsafe { *raw };
        if list.is_null() {
            return C::from_items(Vec::new());
        }
        let items = self.enter_list(|cx| {
            // SAFETY: the caller guarantees the target of a pointer that is not null.
            let length = unsafe { List::length(list) };
            if !cx.count(length) {
                return Vec::new();
            }
            let mut items = Vec::with_capacity(length);
            for index in 0..length {
                // SAFETY: as above; the index is less than the length.
                let item = unsafe { List::pointer(list, index) }.cast::<Raw>();
                if item.is_null() {
                    cx.missing(core::any::type_name::<Raw>());
                } else {
                    // SAFETY: the caller guarantees that each cell points to a `Raw`.
                    items.push(unsafe { FromRaw::from_raw(item, cx) });
                }
            }
            items
        });
        C::from_items(items)
    }

    /// Reads an array whose length is in another field; a null pointer is an empty one.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`]; and behind the pointer, unless it is null, are `length` values.
    #[doc(hidden)]
    pub unsafe fn array<'cx, 't, Owner, C, Raw>(
        &'cx mut self,
        length: c_int,
        raw: *const *mut Raw,
    ) -> C
    where
        'cx: 'cx,
        Owner: Internal,
        C: FromItems<Item: FromRaw<'t, Raw>>,
    {
        // SAFETY: the caller guarantees `raw`, which points to an initialised pointer.
        let array = unsafe { *raw };
        let length = usize::try_from(length).unwrap_or(0);
        if array.is_null() || !self.count(length) {
            return C::from_items(Vec::new());
        }
        // SAFETY: the caller guarantees so many values.
        let item = |index| unsafe { FromRaw::from_raw(array.add(index), self) };
        C::from_items((0..length).map(item).collect())
    }
}
