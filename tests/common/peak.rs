//! An allocator that knows the most memory that a thread has held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has taken from the heap and not given back, and the most that it was.
    static HELD: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(taken: usize, given_back: usize) {
    // A thread that ends has no count any more; what one thread takes, another may give back.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        let now = (now + taken).saturating_sub(given_back);
        held.set((now, most.max(now)));
    });
}

/// The most memory that `f` held at once, beside what it returns.
pub fn peak<R>(f: impl FnOnce() -> R) -> (usize, R) {
    let (before, _) = HELD.get();
    HELD.set((before, before));
    let result = f();
    (HELD.get().1 - before, result)
}

/// The system's allocator, counted: `#[global_allocator] static A: Counting = Counting;`
pub struct Counting;

// SAFETY: the system's allocator does all of it; the count takes no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller answers for the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller answers for the pointer, which is the system's, and for the layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both are there while it is copied.
        count(size, 0);
        count(0, layout.size());
        // SAFETY: the caller answers for the pointer, which is the system's, and for the sizes.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
