//! libpg_query's own route: C tree -> Protobuf -> prost, and back. The reference for our results.

use std::ffi::{CStr, CString, c_char, c_int};
use std::mem::MaybeUninit;
use std::{ptr, slice};

use prost::Message as _;

use super::pg::protobuf;
use super::raw::oracle as c;
use super::{NAME, raw};

pub type Options = raw::ShimDeparseOptions;

/// The empty layout.
pub fn options() -> Options {
    Options {
        comments: ptr::null(),
        comment_count: 0,
        pretty_print: false,
        trailing_newline: false,
        commas_start_of_line: false,
        indent_size: 0,
        max_line_length: 0,
    }
}

/// An error of libpg_query.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    pub message: String,
    pub function: String,
    pub file: String,
    pub line: u32,
    /// In characters, from 1; 0 if unknown.
    pub cursor: usize,
}

impl Error {
    /// # Safety
    ///
    /// `error` points to an error of libpg_query that has not been freed.
    unsafe fn copy(error: *const c::Error) -> Self {
        // SAFETY: the caller guarantees the error, whose strings end in a NUL or are null.
        unsafe {
            let text = |text: *mut c_char| {
                if text.is_null() {
                    String::new()
                } else {
                    CStr::from_ptr(text).to_string_lossy().into_owned()
                }
            };
            let error = &*error;
            Self {
                message: text(error.message),
                // __func__ contains the symbols' prefix, too.
                function: text(error.funcname)
                    .trim_start_matches(&format!("{NAME}_stock_"))
                    .to_owned(),
                file: text(error.filename),
                line: error.lineno.cast_unsigned(),
                cursor: usize::try_from(error.cursorpos).unwrap_or(0),
            }
        }
    }
}

/// Returns the result of `call`, or its error.
///
/// # Safety
///
/// `call` writes its entire argument.
unsafe fn output<R>(
    call: impl FnOnce(*mut c::Output),
    read: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
    // Keeps libpg_query from creating a pthread key for this thread.
    // SAFETY: it may be called at any time.
    assert!(unsafe { raw::shim_thread_init() });
    let mut out = MaybeUninit::uninit();
    call(out.as_mut_ptr());
    // SAFETY: the caller guarantees the call; the result is read before it is freed, once.
    unsafe {
        let mut out: c::Output = out.assume_init();
        let outcome = if out.error.is_null() {
            let bytes = if out.length == 0 {
                &[]
            } else {
                slice::from_raw_parts(out.data.cast::<u8>(), out.length)
            };
            Ok(read(bytes))
        } else {
            Err(Error::copy(out.error))
        };
        c::free(&raw mut out);
        outcome
    }
}

/// Returns the tree of SQL, with a mode and switches.
pub fn parse(sql: &str, options: c_int) -> Result<protobuf::ParseResult, Error> {
    let call = |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::parse(sql, options, out) };
    };
    bytes(sql, call, |bytes| {
        protobuf::ParseResult::decode(bytes).expect("libpg_query's bytes decode")
    })
}

/// Returns the tree of SQL in JSON.
#[cfg(feature = "serde")]
pub fn json(sql: &str) -> Result<String, Error> {
    text(sql, |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::json(sql, out) };
    })
}

/// Returns the PL/pgSQL functions in SQL, possibly as malformed JSON.
#[cfg(feature = "plpgsql")]
pub fn plpgsql(sql: &str) -> Result<String, Error> {
    text(sql, |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::plpgsql(sql, out) };
    })
}

/// Prints a tree with libpg_query's own deparser. It dereferences NULL where ours reports that it would.
pub fn deparse(tree: &protobuf::ParseResult, options: Options) -> Result<String, Error> {
    let bytes = tree.encode_to_vec();
    let call = |out| {
        // SAFETY: bytes and options outlive the call.
        unsafe { c::deparse(bytes.as_ptr().cast(), bytes.len(), &raw const options, out) };
    };
    // SAFETY: the function writes all of its result.
    unsafe { output(call, |text| str::from_utf8(text).expect("UTF-8").to_owned()) }
}

/// Returns the fingerprint of SQL, with the options of the parser and of fingerprints.
pub fn fingerprint(sql: &str, options: c_int, fingerprint_options: c_int) -> Result<String, Error> {
    text(sql, |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::fingerprint(sql, options, fingerprint_options, out) };
    })
}

pub fn normalize(sql: &str, utility_only: bool) -> Result<String, Error> {
    text(sql, |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::normalize(sql, utility_only, out) };
    })
}

/// Runs a function of libpg_query that converts a string to a string.
fn text(sql: &str, call: impl FnOnce(*const c_char, *mut c::Output)) -> Result<String, Error> {
    bytes(sql, call, |text| str::from_utf8(text).expect("UTF-8").to_owned())
}

/// Runs a function of libpg_query, and reads the bytes of its result.
pub fn bytes<R>(
    sql: &str,
    call: impl FnOnce(*const c_char, *mut c::Output),
    read: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
    let sql = CString::new(sql).expect("no NUL");
    // It redirects the stderr of the whole process while it runs.
    let _lock = crate::common::STDERR.lock();
    // SAFETY: the functions write all of their results.
    unsafe { output(|out| call(sql.as_ptr(), out), read) }
}

pub fn scan(sql: &str) -> Result<protobuf::ScanResult, Error> {
    let call = |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::scan(sql, out) };
    };
    bytes(sql, call, |bytes| protobuf::ScanResult::decode(bytes).expect("decodes"))
}

/// Returns the starts and the lengths of the statements.
pub fn split(sql: &str, with_scanner: bool) -> Result<Vec<(usize, usize)>, Error> {
    let call = |sql, out| {
        // SAFETY: the SQL ends in a NUL.
        unsafe { c::split(sql, with_scanner, out) };
    };
    bytes(sql, call, |bytes| {
        let number = |bytes: &[u8]| {
            let number = i32::from_ne_bytes(bytes.try_into().expect("four bytes"));
            usize::try_from(number).expect("not negative")
        };
        bytes.chunks(8).map(|place| (number(&place[..4]), number(&place[4..]))).collect()
    })
}

/// Calls `then` with options that contain the comments of SQL; also returns
/// the comments, `(text, match_location, newlines before, newlines after)`.
#[allow(dead_code)] // before 17, which have no layouts
pub fn with_comments<R>(
    sql: &str,
    options: Options,
    then: impl FnOnce(&[(String, usize, usize, usize)], Options) -> R,
) -> Result<R, Error> {
    let sql = CString::new(sql).expect("no NUL");
    // SAFETY: it may be called at any time.
    assert!(unsafe { raw::shim_thread_init() });
    let mut found = MaybeUninit::uninit();
    // SAFETY: the SQL ends in a NUL; the result is read before it is freed, once.
    unsafe {
        c::comments(sql.as_ptr(), found.as_mut_ptr());
        let mut found: c::Comments = found.assume_init();
        let outcome = if found.error.is_null() {
            let number = |n: c_int| usize::try_from(n).expect("not negative");
            let comments: Vec<_> = slice::from_raw_parts(found.comments, found.count)
                .iter()
                .map(|comment| {
                    (
                        CStr::from_ptr(comment.text).to_string_lossy().into_owned(),
                        number(comment.match_location),
                        number(comment.newlines_before),
                        number(comment.newlines_after),
                    )
                })
                .collect();
            let options =
                Options { comments: found.comments, comment_count: found.count, ..options };
            Ok(then(&comments, options))
        } else {
            Err(Error::copy(found.error))
        };
        c::comments_free(&raw mut found);
        outcome
    }
}
