//! Raw bindings to PostgreSQL's parser and to the deparser of
//! [libpg_query](https://github.com/pganalyze/libpg_query).
//!
//! There is one module per PostgreSQL version, each behind the cargo feature of the same name. The
//! versions share nothing, so several of them can be in one program: every symbol of the
//! C library carries the version's prefix (`pg18_palloc`). Neither Protobuf nor libclang is
//! needed to build this. `shim_plpgsql_parse` needs the feature `plpgsql`.
//!
//! Most programs want the crate `pg_ast`, which is the safe interface to this one.
//!
//! # Safety
//!
//! - PostgreSQL reports errors by `longjmp`. The functions here, all named `shim_*`, catch
//!   errors that are thrown below them and return them as data; no other function of the C library is
//!   bound, and none may be called from Rust.
//! - The state of the library is thread-local. `shim_thread_exit` frees it, and must be called
//!   at the end of a thread to leave nothing behind. Results outlive it: each owns its memory, may
//!   move to another thread, and is freed by its own `shim_*_free`.
//! - A tree given to `shim_deparse` must consist of valid pointers: every node pointer is NULL or
//!   points to a struct of the type that its tag says, every list has the length and the cells
//!   that it claims, every string ends in NUL. *Which* nodes stand where, and which are NULL, is
//!   checked: a malformed tree is an error.
//! - Enums of C are newtypes over integers, so a value without a name is harmless.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

#[cfg(target_family = "wasm")]
extern crate alloc;

#[cfg(feature = "protobuf-oracle")]
mod oracle;
#[cfg(target_family = "wasm")]
mod wasm_memory;
#[cfg(all(target_family = "wasm", feature = "plpgsql"))]
mod wasm_number;

/// Calls a macro with a row for each PostgreSQL version, whether its feature is on or not; the only list of versions.
///
/// A row is a variant, a module, a feature, the name in environment variables, and the major version:
/// `Pg18 pg18 "pg18" "PG18" 18;`. The rows follow the given arguments, the newest last.
/// `since 17` leaves out older versions.
///
/// ```
/// macro_rules! majors {
///     ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {
///         [$($major),*]
///     };
/// }
/// assert_eq!(libpg_query::for_each_version!([majors!]), [15, 16, 17, 18]);
/// assert_eq!(libpg_query::for_each_version!(since 17 [majors!]), [17, 18]);
/// ```
#[macro_export]
macro_rules! for_each_version {
    (since 17 [$($called:tt)*] $($argument:tt)*) => {
        $($called)* { $($argument)*
            Pg17 pg17 "pg17" "PG17" 17;
            Pg18 pg18 "pg18" "PG18" 18;
        }
    };
    ([$($called:tt)*] $($argument:tt)*) => {
        $crate::for_each_version! { since 17 [$($called)*] $($argument)*
            Pg15 pg15 "pg15" "PG15" 15;
            Pg16 pg16 "pg16" "PG16" 16;
        }
    };
}

/// Declares the module of each version.
macro_rules! versions {
    ($($variant:ident $module:ident $feature:literal $variable:literal $major:literal;)*) => {$(
        #[doc = concat!("PostgreSQL ", $major, ".")]
        #[cfg(feature = $feature)]
        pub mod $module {
            /// As bindgen wrote it, in its style.
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
                include!(concat!("../", $feature, "/bindings.rs"));
            }

            pub use bindings::*;

            /// libpg_query's own routes, for tests and benches that compare with them: the
            /// functions of c/oracle/oracle.h, which says what they do.
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
    )*};
}

for_each_version! { [versions!] }
