//! An allocator that counts the memory that a thread holds, and its peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The bytes that this thread has allocated and not freed, and their
    /// maximum. Negative if it has freed allocations of another thread.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(taken: usize, given_back: usize) {
    // A thread that ends no longer has a count.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        let now = now + taken.cast_signed() - given_back.cast_signed();
        held.set((now, most.max(now)));
    });
}

/// Returns the bytes that this thread holds on the heap.
pub fn held() -> isize {
    HELD.get().0
}

/// Returns the peak memory of `f`, in addition to its result.
pub fn peak<R>(f: impl FnOnce() -> R) -> (usize, R) {
    let before = held();
    HELD.set((before, before));
    let result = f();
    ((HELD.get().1 - before).cast_unsigned(), result)
}

/// The system's allocator, counted: `#[global_allocator] static A: Counting = Counting;`
pub struct Counting;

// SAFETY: the system's allocator does all the work; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller guarantees the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller guarantees the pointer, which is the system's, and the layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both exist during the copy.
        count(size, 0);
        count(0, layout.size());
        // SAFETY: the caller guarantees the pointer, which is the system's, and the sizes.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
