//! An allocator that knows the memory that a thread holds, and the most that it has held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has taken from the heap and not given back, and the most that it was.
    /// Negative where it has given back what another has taken.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(taken: usize, given_back: usize) {
    // A thread that ends has no count any more.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        let now = now + taken.cast_signed() - given_back.cast_signed();
        held.set((now, most.max(now)));
    });
}

/// The bytes that this thread holds on the heap.
pub fn held() -> isize {
    HELD.get().0
}

/// The most memory that `f` held at once, beside what it returns.
pub fn peak<R>(f: impl FnOnce() -> R) -> (usize, R) {
    let before = held();
    HELD.set((before, before));
    let result = f();
    ((HELD.get().1 - before).cast_unsigned(), result)
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
