//! The part of bumpalo's interface that is used here, with every piece as a separate allocation.

use core::alloc::Layout;
use core::cell::RefCell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::slice;
use std::alloc::{alloc, dealloc, handle_alloc_error};

/// A replacement of `bumpalo::Bump` for AddressSanitizer, which then sees an access beyond a
/// piece, which would otherwise stay within a shared chunk.
#[derive(Default)]
pub(crate) struct Bump(RefCell<Vec<(NonNull<u8>, Layout)>>);

// SAFETY: it owns its pieces, which are memory of no thread.
unsafe impl Send for Bump {}

impl Bump {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Each piece is an allocation of its own.
    pub(crate) fn with_capacity(_: usize) -> Self {
        Self::default()
    }

    pub(crate) fn alloc_layout(&self, layout: Layout) -> NonNull<u8> {
        let Ok(layout) = Layout::from_size_align(layout.size().max(1), layout.align()) else {
            unreachable!("a valid layout stays one with a byte in it")
        };
        // SAFETY: the size is not 0.
        let Some(piece) = NonNull::new(unsafe { alloc(layout) }) else {
            handle_alloc_error(layout)
        };
        self.0.borrow_mut().push((piece, layout));
        piece
    }

    // As bumpalo's: each piece is handed out once.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn alloc<T>(&self, value: T) -> &mut T {
        let place = self.alloc_layout(Layout::new::<T>()).cast::<MaybeUninit<T>>();
        // SAFETY: the piece is fresh, aligned, as large as a T, and lives as long as `self`.
        unsafe { &mut *place.as_ptr() }.write(value)
    }

    #[allow(clippy::mut_from_ref)]
    pub(crate) fn alloc_slice_fill_iter<T, I>(&self, items: I) -> &mut [T]
    where
        I: IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    {
        let items = items.into_iter();
        let len = items.len();
        let Ok(layout) = Layout::array::<T>(len) else {
            unreachable!("{len} items exceed the address space")
        };
        let place = self.alloc_layout(layout).cast::<T>();
        let mut written = 0;
        for (index, item) in items.take(len).enumerate() {
            // SAFETY: there is room for `len` items.
            unsafe { place.add(index).write(item) };
            written += 1;
        }
        assert_eq!(written, len, "an iterator is as long as it says");
        // SAFETY: all `len` items are written, in a fresh piece that lives as long as `self`.
        unsafe { slice::from_raw_parts_mut(place.as_ptr(), len) }
    }

    pub(crate) fn allocated_bytes(&self) -> usize {
        self.0.borrow().iter().map(|(_, layout)| layout.size()).sum()
    }

    pub(crate) fn reset(&mut self) {
        for (piece, layout) in self.0.get_mut().drain(..) {
            // SAFETY: allocated with this layout, and freed once; `&mut self` says that nobody has
            // a reference to it any more.
            unsafe { dealloc(piece.as_ptr(), layout) };
        }
    }
}

impl Drop for Bump {
    fn drop(&mut self) {
        self.reset();
    }
}
