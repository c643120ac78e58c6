//! Memory for one call: C nodes and C strings that Rust makes.

use core::alloc::Layout;
use core::cell::RefCell;
use core::ffi::CStr;
use core::ptr::NonNull;

// `pg_ast_malloc` is set by the build script for AddressSanitizer.
#[cfg(any(miri, pg_ast_malloc))]
mod chunks;

#[cfg(not(any(miri, pg_ast_malloc)))]
pub(crate) use bumpalo::Bump;
#[cfg(any(miri, pg_ast_malloc))]
pub(crate) use chunks::Bump;

/// Arenas larger than this are not kept for the thread's next call.
const KEPT: usize = 1024 * 1024;

thread_local! {
    static ARENA: RefCell<Bump> = RefCell::new(Bump::new());
}

/// Runs `f` with the thread's arena, empty, and empties it afterwards.
pub(crate) fn with_arena<R>(f: impl FnOnce(&Bump) -> R) -> R {
    let arena = take();
    let result = f(&arena);
    keep(arena);
    result
}

/// A thread that is ending has no arena any more, and a running call does not share its arena.
fn take() -> Bump {
    ARENA.try_with(RefCell::take).unwrap_or_default()
}

fn keep(mut arena: Bump) {
    if arena.allocated_bytes() <= KEPT {
        arena.reset();
        // Without a place to keep it, this arena is freed.
        let _ = ARENA.try_with(|kept| kept.replace(arena));
    }
}

/// Frees the memory that this thread keeps.
pub(crate) fn release() {
    drop(take());
}

/// Copies `text` with a NUL at the end. The copy is shorter than `text` if that contains a NUL.
#[inline]
pub(crate) fn c_string<'a>(arena: &'a Bump, text: &str) -> &'a CStr {
    let Ok(layout) = Layout::array::<u8>(text.len() + 1) else {
        unreachable!("a str is at most isize::MAX bytes long, and its copy would not fit")
    };
    let copy = arena.alloc_layout(layout);
    // SAFETY:
    // - there is room for the text and one more byte, in memory that is fresh, and so does not
    //   overlap with the text.
    // - all of it is written before it is read, the last byte with a NUL.
    // - it lives as long as the arena, and nobody else has a pointer to it.
    unsafe {
        copy.copy_from_nonoverlapping(NonNull::from(text.as_bytes()).cast(), text.len());
        copy.add(text.len()).write(0);
        // This looks for the first NUL, with the C library's strlen: faster than a search in Rust.
        CStr::from_ptr(copy.as_ptr().cast())
    }
}
