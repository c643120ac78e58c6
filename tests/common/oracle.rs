//! libpg_query's own way: C tree -> Protobuf -> prost, and back. What ours is held against.

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::Mutex;

use pg_ast::protobuf;
use prost::Message as _;

#[repr(C)]
struct PgQueryError {
    message: *mut c_char,
    funcname: *mut c_char,
    filename: *mut c_char,
    lineno: c_int,
    cursorpos: c_int,
    context: *mut c_char,
}

#[repr(C)]
struct PgQueryProtobuf {
    len: usize,
    data: *mut c_char,
}

#[repr(C)]
struct PgQueryProtobufParseResult {
    parse_tree: PgQueryProtobuf,
    stderr_buffer: *mut c_char,
    error: *mut PgQueryError,
}

#[repr(C)]
struct PgQueryDeparseResult {
    query: *mut c_char,
    error: *mut PgQueryError,
}

#[repr(C)]
struct PostgresDeparseComment {
    match_location: c_int,
    newlines_before_comment: c_int,
    newlines_after_comment: c_int,
    str: *mut c_char,
}

#[repr(C)]
struct PgQueryDeparseCommentsResult {
    comments: *mut *mut PostgresDeparseComment,
    comment_count: usize,
    error: *mut PgQueryError,
}

/// `PostgresDeparseOpts` of postgres_deparse.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    comments: *mut *mut PostgresDeparseComment,
    comment_count: usize,
    pub pretty_print: bool,
    pub indent_size: c_int,
    pub max_line_length: c_int,
    pub trailing_newline: bool,
    pub commas_start_of_line: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            comments: std::ptr::null_mut(),
            comment_count: 0,
            pretty_print: false,
            indent_size: 0,
            max_line_length: 0,
            trailing_newline: false,
            commas_start_of_line: false,
        }
    }
}

unsafe extern "C" {
    #[link_name = "pg18_pg_query_parse_protobuf_opts"]
    fn parse_protobuf(input: *const c_char, options: c_int) -> PgQueryProtobufParseResult;
    #[link_name = "pg18_pg_query_free_protobuf_parse_result"]
    fn free_parse(result: PgQueryProtobufParseResult);
    #[link_name = "pg18_pg_query_deparse_protobuf_opts"]
    fn deparse_protobuf(tree: PgQueryProtobuf, options: Options) -> PgQueryDeparseResult;
    #[link_name = "pg18_pg_query_free_deparse_result"]
    fn free_deparse(result: PgQueryDeparseResult);
    #[link_name = "pg18_pg_query_deparse_comments_for_query"]
    fn comments_for_query(input: *const c_char) -> PgQueryDeparseCommentsResult;
    #[link_name = "pg18_pg_query_free_deparse_comments_result"]
    fn free_comments(result: PgQueryDeparseCommentsResult);
    #[link_name = "pg18_pg_query_free_error"]
    fn free_error(error: *mut PgQueryError);
}

/// An error as libpg_query gives it.
#[derive(Debug, PartialEq)]
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
    unsafe fn copy(error: *const PgQueryError) -> Self {
        // SAFETY: the caller answers for the error, whose strings end in a NUL or are null.
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
                // The symbols' prefix is in __func__, too.
                function: text(error.funcname).trim_start_matches("pg18_").to_owned(),
                file: text(error.filename),
                line: error.lineno.cast_unsigned(),
                cursor: usize::try_from(error.cursorpos).unwrap_or(0),
            }
        }
    }
}

/// The switches in pg_query.h; the mode stands in the bits below.
pub const DISABLE_BACKSLASH_QUOTE: c_int = 16;
pub const DISABLE_STANDARD_CONFORMING_STRINGS: c_int = 32;
pub const DISABLE_ESCAPE_STRING_WARNING: c_int = 64;

/// libpg_query's parser redirects the stderr of the whole process while it runs.
static STDERR: Mutex<()> = Mutex::new(());

/// The tree of a text, by a mode and by switches.
pub fn parse(sql: &str, options: c_int) -> Result<protobuf::ParseResult, Error> {
    let sql = CString::new(sql).expect("no NUL");
    // Keeps libpg_query from making a pthread key for this thread.
    // SAFETY: it may be called at any time.
    assert!(unsafe { libpg_query::pg18::shim_thread_init() });
    // SAFETY: the text ends in a NUL; the result is read before it is freed, once.
    unsafe {
        let lock = STDERR.lock();
        let result = parse_protobuf(sql.as_ptr(), options);
        drop(lock);
        let outcome = if result.error.is_null() {
            let bytes = if result.parse_tree.len == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(
                    result.parse_tree.data.cast::<u8>(),
                    result.parse_tree.len,
                )
            };
            Ok(protobuf::ParseResult::decode(bytes).expect("libpg_query's bytes decode"))
        } else {
            Err(Error::copy(result.error))
        };
        free_parse(result);
        outcome
    }
}

/// Prints a tree with libpg_query's own deparser. It dereferences NULL where ours says that it would.
pub fn deparse(tree: &protobuf::ParseResult, options: Options) -> Result<String, Error> {
    let mut bytes = tree.encode_to_vec();
    let tree = PgQueryProtobuf { len: bytes.len(), data: bytes.as_mut_ptr().cast() };
    // SAFETY: it may be called at any time.
    assert!(unsafe { libpg_query::pg18::shim_thread_init() });
    // SAFETY: the bytes outlive the call; the result is read before it is freed, once.
    unsafe {
        let result = deparse_protobuf(tree, options);
        let outcome = if result.error.is_null() {
            Ok(CStr::from_ptr(result.query).to_str().expect("UTF-8").to_owned())
        } else {
            Err(Error::copy(result.error))
        };
        free_deparse(result);
        outcome
    }
}

/// The comments of a text, `(text, match_location, newlines before, newlines after)`, and what
/// `then` makes of options that hold them.
pub fn with_comments<R>(
    sql: &str,
    options: Options,
    then: impl FnOnce(&[(String, usize, usize, usize)], Options) -> R,
) -> Result<R, Error> {
    let sql = CString::new(sql).expect("no NUL");
    // SAFETY: it may be called at any time.
    assert!(unsafe { libpg_query::pg18::shim_thread_init() });
    // SAFETY: the text ends in a NUL; the result is read before it is freed, once.
    unsafe {
        let result = comments_for_query(sql.as_ptr());
        if !result.error.is_null() {
            let error = Error::copy(result.error);
            free_error(result.error);
            return Err(error);
        }
        let number = |n: c_int| usize::try_from(n).expect("not negative");
        let comments: Vec<_> = (0..result.comment_count)
            .map(|index| {
                let comment = &**result.comments.add(index);
                (
                    CStr::from_ptr(comment.str).to_string_lossy().into_owned(),
                    number(comment.match_location),
                    number(comment.newlines_before_comment),
                    number(comment.newlines_after_comment),
                )
            })
            .collect();
        let options =
            Options { comments: result.comments, comment_count: result.comment_count, ..options };
        let value = then(&comments, options);
        free_comments(result);
        Ok(value)
    }
}
