//! Wrappers of the raw functions for tests.
#![allow(dead_code, missing_docs, unreachable_pub)]
#![allow(clippy::borrow_as_ptr, clippy::cast_sign_loss, clippy::undocumented_unsafe_blocks)]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::{ptr, slice};

use super::pg;

/// The stack that every thread of a test guarantees.
pub const STACK: usize = 1 << 20;

/// Frees the library's state at the end of a test's thread.
struct Exit;

impl Drop for Exit {
    fn drop(&mut self) {
        // SAFETY: no result exists, and no call is running on this thread.
        unsafe { pg::shim_thread_exit() };
    }
}

thread_local! {
    static EXIT: Exit = const { Exit };
}

/// Must be called by each thread that calls the library.
pub fn on_this_thread() {
    EXIT.with(|_| ());
}

/// Returns the options of the parser, as PostgreSQL starts it.
pub fn options() -> pg::ShimParseOptions {
    pg::ShimParseOptions {
        mode: pg::RawParseMode::RAW_PARSE_DEFAULT,
        backslash_quote: pg::BackslashQuoteType::BACKSLASH_QUOTE_SAFE_ENCODING,
        standard_conforming_strings: true,
        escape_string_warning: true,
        normalized: false,
        token_places: false,
        ranges: false,
    }
}

/// Parses and passes the result to `read`.
pub fn parse<T>(
    sql: &str,
    options: &pg::ShimParseOptions,
    read: impl FnOnce(&pg::ShimParse) -> T,
) -> T {
    on_this_thread();
    assert!(!sql.contains('\0'));
    let mut out = MaybeUninit::uninit();
    // SAFETY: `sql` contains no NUL, the stack of a test thread is large enough.
    let mut out = unsafe {
        pg::shim_parse(sql.as_ptr().cast(), sql.len(), options, STACK, out.as_mut_ptr());
        out.assume_init()
    };
    let result = read(&out);
    // SAFETY: from `shim_parse`, freed once.
    unsafe { pg::shim_parse_free(&mut out) };
    result
}

/// Deparses the parser's result.
pub fn deparse(stmts: *const pg::List) -> Result<String, String> {
    let options = pg::ShimDeparseOptions {
        comments: ptr::null(),
        comment_count: 0,
        pretty_print: false,
        trailing_newline: false,
        commas_start_of_line: false,
        indent_size: 0,
        max_line_length: 0,
    };
    let mut out = MaybeUninit::uninit();
    // SAFETY: the list comes from the parser: its cells are pointers to RawStmt.
    unsafe {
        let cells = slice::from_raw_parts((*stmts).elements, (*stmts).length as usize);
        let stmts: Vec<*const pg::RawStmt> =
            cells.iter().map(|c| c.ptr_value.cast_const().cast()).collect();
        pg::shim_deparse(stmts.as_ptr(), stmts.len(), &options, STACK, out.as_mut_ptr());
        let mut out: pg::ShimDeparse = out.assume_init();
        let result =
            if out.error.is_null() { Ok(text(out.text)) } else { Err(text((*out.error).message)) };
        pg::shim_deparse_free(&mut out);
        result
    }
}

/// Copies a C string.
pub fn text(string: *const std::ffi::c_char) -> String {
    assert!(!string.is_null());
    // SAFETY: the shim's strings end in NUL.
    unsafe { CStr::from_ptr(string) }.to_str().unwrap().to_owned()
}
