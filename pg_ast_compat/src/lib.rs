#![doc = include_str!("../README.md")]
// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Each version compiles its own copy of the files in `version/`.
#![allow(clippy::duplicate_mod)]
// The names, the types and the documented behaviour are pg_query's.
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

#[cfg(not(any(feature = "v6", feature = "v18")))]
compile_error!("pg_ast_compat has no API: turn on its feature `v6` or `v18`");

#[cfg(feature = "v18")]
pub mod v18;
#[cfg(feature = "v6")]
pub mod v6;

#[cfg(all(feature = "v6", not(feature = "v18")))]
#[doc(inline)]
pub use v6::*;
#[cfg(feature = "v18")]
#[doc(inline)]
pub use v18::*;
