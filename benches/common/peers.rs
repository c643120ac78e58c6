//! The reference for pg_ast: the C parser and deparser alone, and
//! libpg_query's Protobuf route, all from the same C library.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::{ptr, slice};

use libpg_query::pg18 as raw;
use libpg_query::pg18::oracle as c;
use pg_ast::protobuf;
use prost::Message as _;

/// Initialises the C library's state of this thread.
pub fn init() {
    // SAFETY: it may be called at any time.
    assert!(unsafe { raw::shim_thread_init() });
}

/// The C parser alone.
pub fn c_parse(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    assert!(unsafe { c::raw_parse(sql.as_ptr()) });
}

/// A C tree, for the C deparser alone.
pub struct CTree(*mut c::Tree);

impl CTree {
    pub fn new(sql: &str) -> Self {
        let sql = CString::new(sql).expect("no NUL");
        // SAFETY: the SQL ends in a NUL.
        let tree = unsafe { c::tree_new(sql.as_ptr()) };
        assert!(!tree.is_null());
        Self(tree)
    }

    /// The C deparser alone.
    pub fn deparse(&self) {
        // SAFETY: the tree has not been freed.
        assert!(unsafe { c::tree_deparse(self.0) } > 0);
    }
}

impl Drop for CTree {
    fn drop(&mut self) {
        // SAFETY: the tree is freed once.
        unsafe { c::tree_free(self.0) };
    }
}

/// C tree -> Protobuf -> prost.
pub fn protobuf_parse(sql: &CStr) -> protobuf::ParseResult {
    let mut out = MaybeUninit::uninit();
    // SAFETY: the SQL ends in a NUL; the result is written, then read, then freed, once.
    unsafe {
        c::parse(sql.as_ptr(), 0, out.as_mut_ptr());
        let mut out: c::Output = out.assume_init();
        assert!(out.error.is_null());
        let bytes = slice::from_raw_parts(out.data.cast::<u8>(), out.length);
        let tree = protobuf::ParseResult::decode(bytes).expect("libpg_query's bytes decode");
        c::free(&raw mut out);
        tree
    }
}

/// prost -> Protobuf -> C tree -> SQL.
pub fn protobuf_deparse(tree: &protobuf::ParseResult) -> String {
    let options = raw::ShimDeparseOptions {
        comments: ptr::null(),
        comment_count: 0,
        pretty_print: false,
        trailing_newline: false,
        commas_start_of_line: false,
        indent_size: 0,
        max_line_length: 0,
    };
    let bytes = tree.encode_to_vec();
    let mut out = MaybeUninit::uninit();
    // SAFETY: the bytes outlive the call; the result is written, then read, then freed, once.
    unsafe {
        c::deparse(bytes.as_ptr().cast(), bytes.len(), &raw const options, out.as_mut_ptr());
        let mut out: c::Output = out.assume_init();
        assert!(out.error.is_null());
        let bytes = slice::from_raw_parts(out.data.cast::<u8>(), out.length);
        let text = str::from_utf8(bytes).expect("UTF-8").to_owned();
        c::free(&raw mut out);
        text
    }
}

/// Runs a function of libpg_query, and frees its result.
fn run(call: impl FnOnce(*mut c::Output)) {
    let mut out = MaybeUninit::uninit();
    call(out.as_mut_ptr());
    // SAFETY: the functions below write all of their results, which are freed once.
    unsafe {
        let mut out: c::Output = out.assume_init();
        assert!(out.error.is_null());
        c::free(&raw mut out);
    }
}

pub fn fingerprint(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::fingerprint(sql.as_ptr(), 0, 0, out) });
}

pub fn normalize(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::normalize(sql.as_ptr(), false, out) });
}

pub fn scan(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::scan(sql.as_ptr(), out) });
}

pub fn split(sql: &CStr, with_scanner: bool) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::split(sql.as_ptr(), with_scanner, out) });
}

pub fn summary(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::summary(sql.as_ptr(), -1, out) });
}

#[cfg(feature = "plpgsql")]
pub fn plpgsql(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::plpgsql(sql.as_ptr(), out) });
}

pub fn is_utility_stmt(sql: &CStr) {
    // SAFETY: the SQL ends in a NUL.
    run(|out| unsafe { c::is_utility_stmt(sql.as_ptr(), out) });
}
