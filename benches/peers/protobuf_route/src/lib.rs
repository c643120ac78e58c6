//! libpg_query's own way from text to Protobuf and back.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::{ptr, slice};

use libpg_query::pg18 as raw;
use libpg_query::pg18::oracle as c;

/// Sets up the C library's state of this thread.
///
/// # Panics
///
/// If there is no memory for it.
pub fn init() {
    // SAFETY: it may be called at any time.
    assert!(unsafe { raw::shim_thread_init() });
}

/// Parses a text, and hands its tree over as bytes.
pub fn parse<T>(sql: &CStr, decode: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let mut out = MaybeUninit::uninit();
    // SAFETY: the text ends in a NUL, and the result is always written.
    let out = unsafe {
        c::parse(sql.as_ptr(), 0, out.as_mut_ptr());
        out.assume_init()
    };
    with_bytes(out, decode)
}

/// Prints a tree, and hands the text over.
pub fn deparse<T>(tree: &[u8], read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let options = raw::ShimDeparseOptions {
        comments: ptr::null(),
        comment_count: 0,
        pretty_print: false,
        trailing_newline: false,
        commas_start_of_line: false,
        indent_size: 0,
        max_line_length: 0,
    };
    let mut out = MaybeUninit::uninit();
    // SAFETY: tree and options outlive the call, and the result is always written.
    let out = unsafe {
        c::deparse(tree.as_ptr().cast(), tree.len(), &raw const options, out.as_mut_ptr());
        out.assume_init()
    };
    with_bytes(out, read)
}

fn with_bytes<T>(mut out: c::Output, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let value = if out.error.is_null() {
        // SAFETY: without an error there are so many bytes.
        read(unsafe { slice::from_raw_parts(out.data.cast::<u8>(), out.length) })
    } else {
        None
    };
    // SAFETY: the result is freed once, and not read any more.
    unsafe { c::free(&raw mut out) };
    value
}
