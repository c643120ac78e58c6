//! The results of the functions of c/oracle/oracle.h, the same for every version.
#![allow(missing_docs)]

use core::ffi::{c_char, c_int};

/// `PgQueryError` of libpg_query's pg_query.h.
#[repr(C)]
#[derive(Debug)]
pub struct Error {
    pub message: *mut c_char,
    pub funcname: *mut c_char,
    pub filename: *mut c_char,
    pub lineno: c_int,
    pub cursorpos: c_int,
    pub context: *mut c_char,
}

/// `ShimOracle`: bytes from libpg_query, or its error.
#[repr(C)]
#[derive(Debug)]
pub struct Output {
    pub data: *mut c_char,
    pub length: usize,
    pub error: *mut Error,
}

/// `ShimOracleTree`, which is opaque to Rust.
#[repr(C)]
#[derive(Debug)]
pub struct Tree {
    _private: [u8; 0],
}
