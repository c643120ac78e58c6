//! PostgreSQL's own parser, as a typed syntax tree that can be read, changed and printed again.
//!
//! ```
//! let mut tree = pg_ast::parse("SELECT * FROM users WHERE id = 1")?;
//! for stmt in tree.stmts_mut() {
//!     if let Some(select) = stmt.as_select_stmt_mut() {
//!         select.where_clause = None;
//!     }
//! }
//! assert_eq!(pg_ast::deparse(&tree)?, "SELECT * FROM users");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! The parser and the deparser are those of [libpg_query](https://github.com/pganalyze/libpg_query):
//! PostgreSQL's C sources. Between C and Rust stands no serialisation. The C tree becomes Rust
//! structs, and Rust structs C nodes again, field by field, through code that a derive macro writes:
//!
//! ```text
//! parse:    &str -> C raw_parser -> FromRaw -> ParseResult
//! deparse:  &ParseResult -> IntoRaw -> C deparser -> String
//! ```
//!
//! The structs are Protobuf messages of prost at the same time, with the schema of libpg_query, so
//! that a tree can be sent to programs in other languages.
//!
//! # Versions
//!
//! Each PostgreSQL version is a module behind the cargo feature of its name: `pg15`, `pg16`, `pg17`,
//! `pg18` (on by default). They have the same calls, each for its own grammar and its own tree, and
//! share nothing, so that a program can have several. The root re-exports the newest one that is
//! enabled. [`Version`] chooses at run time, where the result does not depend on the tree's type.
//!
//! What a version cannot do is an error there ([`ErrorKind::Unsupported`]):
//!
//! | | 15 | 16 | 17 | 18 |
//! |---|---|---|---|---|
//! | parse, in all modes and with all settings | yes | yes | yes | yes |
//! | deparse | yes | yes | yes | yes |
//! | layouts ([`DeparseOptions::pretty_print`]) and comments put back | no | no | yes | yes |
//! | fingerprint, normalize, scan, split, summary, truncate, analysis, walks | yes | yes | yes | yes |
//! | `normalize_utility` | no | no | yes | yes |
//! | [`FingerprintOptions`] | no | no | no | yes |
//!
//! # Features
//!
//! Besides those of the versions, all of them off by default:
//!
//! | feature | |
//! |---|---|
//! | `serde` | the tree as JSON, as libpg_query writes it, and for serde's other formats: module `json` |
//! | `plpgsql` | `parse_plpgsql`: functions in PL/pgSQL, as JSON |
//!
//! # Depth
//!
//! A statement may have 4,000 levels, on every thread; deeper ones are [`ErrorKind::TooDeep`].
//! [`ParserOptions`] sets this limit, and those on the length of a text and the size of a tree. All calls
//! take the stack that they need from the heap, and a [`ParseResult`] is dropped on any thread.
//! [LIMITS.md](https://github.com/pg-ast/pg_ast/blob/main/LIMITS.md) has every limit, and what to mind where
//! parts of a deep tree are taken out.

// Each version has the files of `version/` for its own.
#![allow(clippy::duplicate_mod)]

#[cfg(not(any(feature = "pg15", feature = "pg16", feature = "pg17", feature = "pg18")))]
compile_error!("pg_ast has no PostgreSQL version: turn on `pg18` or another of its features");

// The derive writes `::pg_ast::..`, here as well.
extern crate self as pg_ast;

#[cfg(feature = "pg15")]
pub mod pg15;
#[cfg(feature = "pg16")]
pub mod pg16;
#[cfg(feature = "pg17")]
pub mod pg17;
#[cfg(feature = "pg18")]
pub mod pg18;
mod runtime;
mod types;

#[doc = include_str!("derives/from_raw.md")]
#[doc(inline)]
pub use pg_ast_derive::FromRaw;
#[doc = include_str!("derives/into_raw.md")]
#[doc(inline)]
pub use pg_ast_derive::IntoRaw;
/// The crate whose messages the tree consists of, in its version.
pub use prost;
pub use runtime::convert::{FromNode, FromRaw, FromRawContext, IntoRaw, IntoRawContext, Tagged};
pub use runtime::heap_size::HeapSize;
#[cfg(feature = "serde")]
pub use runtime::json;
#[cfg(any(feature = "plpgsql", feature = "serde"))]
pub use serde_json;
pub use types::analysis::{Analysis, Context, FilterColumn, Function, Summary, Table};
pub use types::catalog::{LockMode, TriggerType};
pub use types::digest::{Digest, DigestOptions};
pub use types::error::{Error, ErrorKind, Result, SourceLocation, Warning};
pub use types::fingerprint::Fingerprint;
pub use types::literal::Literal;
pub use types::options::{
    BackslashQuote, Comment, DeparseOptions, FingerprintOptions, ParseMode, ParserOptions,
};
pub use types::versions::{UnknownVersion, Version, release_memory};

/// What derived code calls.
#[doc(hidden)]
pub mod __private {
    pub mod fingerprint {
        pub use crate::runtime::c_tree::in_c::InC;
        pub use crate::runtime::hashing::c_fields::pointer;
        pub use crate::runtime::hashing::stream::*;
    }
    pub use crate::runtime::c_tree::shape::Constant;
}

/// What only this crate's tests call.
#[doc(hidden)]
pub mod __testing {
    pub use crate::runtime::psql::lex;
}

#[cfg(all(feature = "pg15", not(any(feature = "pg16", feature = "pg17", feature = "pg18"))))]
pub use pg15::*;
#[cfg(all(feature = "pg16", not(any(feature = "pg17", feature = "pg18"))))]
pub use pg16::*;
#[cfg(all(feature = "pg17", not(feature = "pg18")))]
pub use pg17::*;
#[cfg(feature = "pg18")]
pub use pg18::*;

/// Tests the code in README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

/// Tests the code in MIGRATING.md.
#[cfg(doctest)]
#[doc = include_str!("../MIGRATING.md")]
struct MigratingDoctests;
