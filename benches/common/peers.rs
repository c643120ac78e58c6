//! What pg_ast is measured against: the C parser and deparser alone, and libpg_query's Protobuf
//! route, all from the same C library.

use std::ffi::{CStr, CString, c_char, c_int, c_long};

use pg_ast::protobuf;
use prost::Message as _;

#[repr(C)]
struct PgQueryProtobuf {
    len: usize,
    data: *mut c_char,
}

#[repr(C)]
struct PgQueryProtobufParseResult {
    parse_tree: PgQueryProtobuf,
    stderr_buffer: *mut c_char,
    error: *mut u8,
}

#[repr(C)]
struct PgQueryDeparseResult {
    query: *mut c_char,
    error: *mut u8,
}

unsafe extern "C" {
    #[link_name = "pg18_shim_oracle_raw_parse"]
    fn oracle_raw_parse(sql: *const c_char) -> bool;
    #[link_name = "pg18_shim_oracle_tree_new"]
    fn oracle_tree_new(sql: *const c_char) -> *mut u8;
    #[link_name = "pg18_shim_oracle_tree_deparse"]
    fn oracle_tree_deparse(tree: *const u8) -> c_long;
    #[link_name = "pg18_shim_oracle_tree_free"]
    fn oracle_tree_free(tree: *mut u8);
    #[link_name = "pg18_pg_query_parse_protobuf_opts"]
    fn parse_protobuf(input: *const c_char, options: c_int) -> PgQueryProtobufParseResult;
    #[link_name = "pg18_pg_query_free_protobuf_parse_result"]
    fn free_parse(result: PgQueryProtobufParseResult);
    #[link_name = "pg18_pg_query_deparse_protobuf"]
    fn deparse_protobuf(tree: PgQueryProtobuf) -> PgQueryDeparseResult;
    #[link_name = "pg18_pg_query_free_deparse_result"]
    fn free_deparse(result: PgQueryDeparseResult);
}

/// Sets up the C library's state of this thread.
pub fn init() {
    // SAFETY: it may be called at any time.
    assert!(unsafe { libpg_query::pg18::shim_thread_init() });
}

/// The C parser alone.
pub fn c_parse(sql: &CStr) {
    // SAFETY: the text ends in a NUL.
    assert!(unsafe { oracle_raw_parse(sql.as_ptr()) });
}

/// A C tree, for the C deparser alone.
pub struct CTree(*mut u8);

impl CTree {
    pub fn new(sql: &str) -> Self {
        let sql = CString::new(sql).expect("no NUL");
        // SAFETY: the text ends in a NUL.
        let tree = unsafe { oracle_tree_new(sql.as_ptr()) };
        assert!(!tree.is_null());
        Self(tree)
    }

    /// The C deparser alone.
    pub fn deparse(&self) {
        // SAFETY: the tree has not been freed.
        assert!(unsafe { oracle_tree_deparse(self.0) } > 0);
    }
}

impl Drop for CTree {
    fn drop(&mut self) {
        // SAFETY: the tree is freed once.
        unsafe { oracle_tree_free(self.0) };
    }
}

/// C tree -> Protobuf -> prost.
pub fn protobuf_parse(sql: &CStr) -> protobuf::ParseResult {
    // SAFETY: the text ends in a NUL; the result is read before it is freed, once.
    unsafe {
        let result = parse_protobuf(sql.as_ptr(), 0);
        assert!(result.error.is_null());
        let bytes =
            std::slice::from_raw_parts(result.parse_tree.data.cast::<u8>(), result.parse_tree.len);
        let tree = protobuf::ParseResult::decode(bytes).expect("libpg_query's bytes decode");
        free_parse(result);
        tree
    }
}

/// prost -> Protobuf -> C tree -> text.
pub fn protobuf_deparse(tree: &protobuf::ParseResult) -> String {
    let mut bytes = tree.encode_to_vec();
    let tree = PgQueryProtobuf { len: bytes.len(), data: bytes.as_mut_ptr().cast() };
    // SAFETY: the bytes outlive the call; the result is read before it is freed, once.
    unsafe {
        let result = deparse_protobuf(tree);
        assert!(result.error.is_null());
        let text = CStr::from_ptr(result.query).to_str().expect("UTF-8").to_owned();
        free_deparse(result);
        text
    }
}
