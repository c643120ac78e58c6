//! The cells of a list that is edited.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::names::raw;
use super::{At, EditUnderWay};

/// The cells of a list of nodes, as places.
pub(crate) struct CellPlaces<'m, 't> {
    pub(super) start: NonNull<*mut raw::Node>,
    pub(super) count: usize,
    pub(super) edit: EditUnderWay<'t>,
    pub(super) borrow: PhantomData<&'m mut raw::Node>,
}

impl<'m, 't> CellPlaces<'m, 't> {
    /// Returns the cell at an index.
    #[inline]
    pub(crate) fn get(self, index: usize) -> Option<At<'m, 't, *mut raw::Node>> {
        // SAFETY: there are as many cells, each with a pointer to a node.
        (index < self.count).then(|| unsafe { At::new(self.start.add(index), self.edit) })
    }
}

/// The cells one after the other: each is a different place.
impl<'m, 't> Iterator for CellPlaces<'m, 't> {
    type Item = At<'m, 't, *mut raw::Node>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        let cell = self.start;
        // SAFETY: as above; nothing returns to a cell.
        unsafe {
            self.start = cell.add(1);
            Some(At::new(cell, self.edit))
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for CellPlaces<'_, '_> {}
