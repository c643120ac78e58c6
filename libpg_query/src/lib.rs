//! Raw bindings to PostgreSQL's parser and to the deparser of
//! [libpg_query](https://github.com/pganalyze/libpg_query).
//!
//! There is one module a PostgreSQL version, each behind the cargo feature of its name. The
//! versions share nothing, so that several of them can live in one program: every symbol of the
//! C library carries the version's prefix (`pg18_palloc`). Neither Protobuf nor libclang is
//! needed to build this.
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
        }
    };
}

version!("pg18", pg18, "../pg18/bindings.rs", "PostgreSQL 18.");
