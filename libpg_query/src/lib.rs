//! Raw bindings to PostgreSQL's parser and to the deparser of
//! [libpg_query](https://github.com/pganalyze/libpg_query).
//!
//! There is one module a PostgreSQL version, each behind the cargo feature of its name. The
//! versions share nothing, so that several of them can live in one program: every symbol of the
//! C library carries the version's prefix (`pg18_palloc`). Neither Protobuf nor libclang is
//! needed to build this. `shim_plpgsql` is there with the feature `plpgsql` only.
//!
//! Most programs want the crate `pg_ast`, which is the safe interface to this one.
//!
//! # Safety
//!
//! - PostgreSQL reports errors by `longjmp`. The functions here, all named `shim_*`, catch
//!   what is thrown below them and return it as data; no other function of the C library is
//!   bound, and none may be called from Rust.
//! - The state of the library is thread-local. `shim_thread_exit` frees it, and has to be called
//!   at a thread's end to leave nothing behind. Results outlive it: each owns its memory, may
//!   move to another thread, and is freed by its own `shim_*_free`.
//! - A tree given to `shim_deparse` must consist of valid pointers: every node pointer is NULL or
//!   points to a struct of the type that its tag says, every list has the length and the cells
//!   that it claims, every string ends in NUL. *Which* nodes stand where, and which are NULL, is
//!   checked: a tree that makes no sense gives an error.
//! - Enums of C are newtypes over integers, so that a value that has no name is harmless.

#![no_std]

#[cfg(feature = "protobuf-oracle")]
mod oracle;

/// Declares the module of one PostgreSQL version.
macro_rules! version {
    ($feature:literal, $module:ident, $bindings:literal, $doc:literal) => {
        #[doc = $doc]
        #[cfg(feature = $feature)]
        pub mod $module {
            /// As bindgen wrote it, and so with its manners.
            #[allow(
                clippy::all,
                clippy::pedantic,
                clippy::undocumented_unsafe_blocks,
                missing_docs,
                non_camel_case_types,
                non_snake_case,
                non_upper_case_globals,
                unsafe_op_in_unsafe_fn,
                unreachable_pub
            )]
            mod bindings {
                include!($bindings);
            }

            pub use bindings::*;

            /// libpg_query's own routes, for tests and benches that compare with them: the
            /// functions of c/oracle.h, which says what they do.
            #[cfg(feature = "protobuf-oracle")]
            #[allow(missing_docs)]
            pub mod oracle {
                use core::ffi::{c_char, c_int, c_long, c_void};

                use super::{ShimComment, ShimDeparseOptions};
                pub use crate::oracle::{Error, Output, Tree};

                /// `ShimOracleComments`.
                #[repr(C)]
                #[derive(Debug)]
                pub struct Comments {
                    pub comments: *mut ShimComment,
                    pub count: usize,
                    pub error: *mut Error,
                    pub owner: *mut c_void,
                }

                unsafe extern "C" {
                    #[link_name = concat!($feature, "_stock_shim_oracle_raw_parse")]
                    pub fn raw_parse(sql: *const c_char) -> bool;
                    #[link_name = concat!($feature, "_stock_shim_oracle_tree_new")]
                    pub fn tree_new(sql: *const c_char) -> *mut Tree;
                    #[link_name = concat!($feature, "_stock_shim_oracle_tree_deparse")]
                    pub fn tree_deparse(tree: *const Tree) -> c_long;
                    #[link_name = concat!($feature, "_stock_shim_oracle_tree_free")]
                    pub fn tree_free(tree: *mut Tree);
                    #[link_name = concat!($feature, "_stock_shim_oracle_parse")]
                    pub fn parse(sql: *const c_char, options: c_int, out: *mut Output);
                    #[link_name = concat!($feature, "_stock_shim_oracle_json")]
                    pub fn json(sql: *const c_char, out: *mut Output);
                    #[cfg(feature = "plpgsql")]
                    #[link_name = concat!($feature, "_stock_shim_oracle_plpgsql")]
                    pub fn plpgsql(sql: *const c_char, out: *mut Output);
                    #[link_name = concat!($feature, "_stock_shim_oracle_deparse")]
                    pub fn deparse(
                        tree: *const c_char,
                        length: usize,
                        options: *const ShimDeparseOptions,
                        out: *mut Output,
                    );
                    #[link_name = concat!($feature, "_stock_shim_oracle_free")]
                    pub fn free(out: *mut Output);
                    #[link_name = concat!($feature, "_stock_shim_oracle_fingerprint")]
                    pub fn fingerprint(
                        sql: *const c_char,
                        options: c_int,
                        fingerprint_options: c_int,
                        out: *mut Output,
                    );
                    #[link_name = concat!($feature, "_stock_shim_oracle_normalize")]
                    pub fn normalize(sql: *const c_char, utility_only: bool, out: *mut Output);
                    #[link_name = concat!($feature, "_stock_shim_oracle_scan")]
                    pub fn scan(sql: *const c_char, out: *mut Output);
                    #[link_name = concat!($feature, "_stock_shim_oracle_split")]
                    pub fn split(sql: *const c_char, with_scanner: bool, out: *mut Output);
                    /// Since PostgreSQL 17.
                    #[link_name = concat!($feature, "_stock_shim_oracle_summary")]
                    pub fn summary(sql: *const c_char, truncate_limit: c_int, out: *mut Output);
                    /// Since PostgreSQL 17.
                    #[link_name = concat!($feature, "_stock_shim_oracle_is_utility_stmt")]
                    pub fn is_utility_stmt(sql: *const c_char, out: *mut Output);
                    /// Since PostgreSQL 17.
                    #[link_name = concat!($feature, "_stock_shim_oracle_comments")]
                    pub fn comments(sql: *const c_char, out: *mut Comments);
                    #[link_name = concat!($feature, "_stock_shim_oracle_comments_free")]
                    pub fn comments_free(out: *mut Comments);
                }
            }
        }
    };
}

version!("pg15", pg15, "../pg15/bindings.rs", "PostgreSQL 15.");
version!("pg16", pg16, "../pg16/bindings.rs", "PostgreSQL 16.");
version!("pg17", pg17, "../pg17/bindings.rs", "PostgreSQL 17.");
version!("pg18", pg18, "../pg18/bindings.rs", "PostgreSQL 18.");
