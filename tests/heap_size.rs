//! `heap_size` is what the allocator was asked for, to the byte, in every version.

mod common;

each_version!(heap_size);

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has taken from the heap and not given back.
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// The bytes that this thread holds on the heap.
fn live() -> usize {
    LIVE.get()
}

/// Changes the count; what one thread takes, another may give back.
fn count(taken: usize, given_back: usize) {
    // A thread that ends has no count any more.
    let _ = LIVE.try_with(|live| live.set(live.get().wrapping_add(taken).wrapping_sub(given_back)));
}

/// The system's allocator, with a count of the bytes that were asked for.
struct Counting;

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
        count(size, layout.size());
        // SAFETY: the caller answers for the pointer, which is the system's, and for the sizes.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
