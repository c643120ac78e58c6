//! What the C code calls of Rust in WebAssembly, see `c/wasm/include/wasm_libc.h`: memory.

use alloc::alloc::{alloc, dealloc, realloc};
use core::alloc::Layout;
use core::ptr;

/// The bytes before a piece of memory, which have its size: C does not say it again. As many as the largest alignment in C.
const HEADER: usize = 16;

/// Returns the layout of a piece of memory with its header.
fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

/// Writes the size of a piece of memory, and returns the memory behind it; null for null.
///
/// # Safety
///
/// The piece is null, or has room for a header and `size` bytes, and its alignment is that of [`layout`].
unsafe fn behind_header(piece: *mut u8, size: usize) -> *mut u8 {
    if piece.is_null() {
        return piece;
    }
    // SAFETY: the caller guarantees the room, and the alignment.
    unsafe {
        piece.cast::<usize>().write(size);
        piece.add(HEADER)
    }
}

/// Returns the piece that a piece of memory of C is in, and its layout.
///
/// # Safety
///
/// `memory` was returned by one of the functions below, and has not been freed.
unsafe fn whole(memory: *mut u8) -> Option<(*mut u8, Layout)> {
    // SAFETY: the header is in front of it.
    let piece = unsafe { memory.sub(HEADER) };
    // SAFETY: the size was written there.
    let size = unsafe { piece.cast::<usize>().read() };
    Some((piece, layout(size)?))
}

/// `malloc` of C.
#[unsafe(no_mangle)]
extern "C" fn libpg_query_malloc(size: usize) -> *mut u8 {
    match layout(size) {
        // SAFETY: the layout is not empty, and the piece has it.
        Some(layout) => unsafe { behind_header(alloc(layout), size) },
        None => ptr::null_mut(),
    }
}

/// `realloc` of C.
#[unsafe(no_mangle)]
unsafe extern "C" fn libpg_query_realloc(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        return libpg_query_malloc(size);
    }
    // SAFETY: C passes what it has from here.
    match (unsafe { whole(memory) }, layout(size)) {
        (Some((piece, old)), Some(new)) => {
            // SAFETY: the piece has the old layout, the new size is not 0, and fits a layout of the same alignment.
            unsafe { behind_header(realloc(piece, old, new.size()), size) }
        }
        _ => ptr::null_mut(),
    }
}

/// `free` of C.
#[unsafe(no_mangle)]
unsafe extern "C" fn libpg_query_free(memory: *mut u8) {
    if memory.is_null() {
        return;
    }
    // SAFETY: C passes what it has from here, once.
    unsafe {
        if let Some((piece, layout)) = whole(memory) {
            dealloc(piece, layout);
        }
    }
}
