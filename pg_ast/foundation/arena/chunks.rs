//! A bump allocator whose chunks all have the same size.

use core::alloc::Layout;
use core::cell::{Cell, RefCell};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::slice;
use std::alloc::{alloc, dealloc, handle_alloc_error};

/// The bytes of a chunk. Larger ones cost more than they save: when a piece of 128 KiB or more is freed,
/// glibc takes it for a size that the program needs often, and from then on keeps twice as much for
/// the thread instead of returning it to the system.
const CHUNK: usize = 64 * 1024;

/// A piece that is larger has its own memory. For AddressSanitizer and Miri, every piece has: they then see an access
/// beyond one, which otherwise would be an access to its neighbour. The build script sets `pg_ast_malloc`.
const LARGE: usize = if cfg!(any(miri, pg_ast_malloc)) { 0 } else { CHUNK };

/// The alignment of a chunk: that of whatever C allocates.
const ALIGN: usize = 16;

/// Pieces of memory that are freed together. What is in them is not dropped.
pub(crate) struct Bump {
    /// The current chunk is free from here ...
    start: Cell<NonNull<u8>>,
    /// ... up to here. Pieces are cut from the end: rounding down is all that their alignment takes.
    end: Cell<NonNull<u8>>,
    /// Those of `CHUNK` bytes: the used ones, of which the last one is the current, and then those for later.
    chunks: RefCell<Vec<NonNull<u8>>>,
    used: Cell<usize>,
    /// The pieces that have their own memory.
    large: RefCell<Vec<(NonNull<u8>, Layout)>>,
}

impl Bump {
    pub(crate) const fn new() -> Self {
        Self {
            start: Cell::new(NonNull::dangling()),
            end: Cell::new(NonNull::dangling()),
            chunks: RefCell::new(Vec::new()),
            used: Cell::new(0),
            large: RefCell::new(Vec::new()),
        }
    }

    /// Returns a place that nobody else gets before [`reset`](Self::reset).
    #[inline]
    pub(crate) fn alloc_layout(&self, layout: Layout) -> NonNull<u8> {
        let (start, end) = (self.start.get(), self.end.get());
        // What is free before the place; wraps around if there is less than it needs.
        let at = end.addr().get().wrapping_sub(layout.size()) & !(layout.align() - 1);
        if layout.size() <= end.addr().get() - start.addr().get() && at >= start.addr().get() {
            // It is in the chunk, or empty and right behind it.
            if let Some(place) = NonNull::new(end.as_ptr().with_addr(at)) {
                self.end.set(place);
                return place;
            }
        }
        self.alloc_elsewhere(layout)
    }

    #[cold]
    #[inline(never)]
    fn alloc_elsewhere(&self, layout: Layout) -> NonNull<u8> {
        if layout.size() > LARGE || layout.size() == 0 || layout.align() > ALIGN {
            let Ok(layout) = Layout::from_size_align(layout.size().max(1), layout.align()) else {
                unreachable!("a valid layout stays one with a byte in it")
            };
            // SAFETY: the size is not 0.
            let piece = unsafe { obtain(layout) };
            self.large.borrow_mut().push((piece, layout));
            return piece;
        }
        let mut chunks = self.chunks.borrow_mut();
        let used = self.used.get();
        if used == chunks.len() {
            // SAFETY: the size is not 0.
            chunks.push(unsafe { obtain(CHUNK_LAYOUT) });
        }
        self.used.set(used + 1);
        self.use_chunk(chunks[used]);
        drop(chunks);
        // A piece that is not large fits into a new chunk.
        self.alloc_layout(layout)
    }

    fn use_chunk(&self, start: NonNull<u8>) {
        self.start.set(start);
        // SAFETY: a chunk has that many bytes.
        self.end.set(unsafe { start.add(CHUNK) });
    }

    // Each place is handed out once.
    #[inline]
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn alloc<T>(&self, value: T) -> &mut T {
        let place = self.alloc_layout(Layout::new::<T>()).cast::<MaybeUninit<T>>();
        // SAFETY: the place is fresh, aligned, as large as a T, and lives as long as `self`.
        unsafe { &mut *place.as_ptr() }.write(value)
    }

    #[inline]
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
        // SAFETY: all `len` items are written, in a fresh place that lives as long as `self`.
        unsafe { slice::from_raw_parts_mut(place.as_ptr(), len) }
    }

    /// Returns the bytes of all chunks and pieces.
    pub(crate) fn size(&self) -> usize {
        let large: usize = self.large.borrow().iter().map(|(_, layout)| layout.size()).sum();
        self.chunks.borrow().len() * CHUNK + large
    }

    /// Frees all pieces, and keeps the chunks for the next ones.
    pub(crate) fn reset(&mut self) {
        self.free_large();
        // The first one comes first again, so that few of them are touched.
        if let Some(&first) = self.chunks.get_mut().first() {
            self.used.set(1);
            self.use_chunk(first);
        }
    }

    fn free_large(&mut self) {
        for (piece, layout) in self.large.get_mut().drain(..) {
            // SAFETY: allocated with this layout, and freed once; `&mut self` says that nobody has
            // a reference to it any more.
            unsafe { dealloc(piece.as_ptr(), layout) };
        }
    }
}

const CHUNK_LAYOUT: Layout = match Layout::from_size_align(CHUNK, ALIGN) {
    Ok(layout) => layout,
    Err(_) => panic!("a chunk has a size"),
};

/// Allocates memory.
///
/// # Safety
///
/// The size is not 0.
unsafe fn obtain(layout: Layout) -> NonNull<u8> {
    // SAFETY: the caller guarantees the size.
    let Some(piece) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
    piece
}

impl Default for Bump {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Bump {
    fn drop(&mut self) {
        self.free_large();
        for chunk in self.chunks.get_mut().drain(..) {
            // SAFETY: allocated with this layout, and freed once; nobody has a reference to it any more.
            unsafe { dealloc(chunk.as_ptr(), CHUNK_LAYOUT) };
        }
    }
}
