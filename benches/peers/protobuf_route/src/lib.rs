//! libpg_query's own route from SQL to Protobuf and back.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::{ptr, slice};

use libpg_query::pg18 as raw;
use libpg_query::pg18::oracle as c;

/// Initialises the C library's state of this thread.
///
/// # Panics
///
/// If out of memory.
pub fn init() {
    // SAFETY: it may be called at any time.
    assert!(unsafe { raw::shim_thread_init() });
}

/// Parses SQL, and passes its tree on as bytes.
pub fn parse<T>(sql: &CStr, decode: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let mut out = MaybeUninit::uninit();
    // SAFETY: the SQL ends in a NUL, and the result is always written.
    let out = unsafe {
        c::parse(sql.as_ptr(), 0, out.as_mut_ptr());
        out.assume_init()
    };
    with_bytes(out, decode)
}

/// Prints a tree, and passes the SQL on.
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
        // SAFETY: without an error there are that many bytes.
        read(unsafe { slice::from_raw_parts(out.data.cast::<u8>(), out.length) })
    } else {
        None
    };
    // SAFETY: the result is freed once, and not read again.
    unsafe { c::free(&raw mut out) };
    value
}
