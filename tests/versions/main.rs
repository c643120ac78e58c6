//! What runs for each PostgreSQL version that is enabled (`tests/version/`), what is said of the newest one's texts
//! (`newest/`), versions side by side, and the choice at run time. One program has all of it, which is built in half of the
//! time that a program for each file would take.
//!
//! ```text
//! cargo test --test versions                          # all of it
//! cargo test --test versions oracle::                 # one file
//! cargo test --test versions pg17::version::view::    # one file for one version, if its feature is on
//! ```
#![allow(unreachable_pub)]
#![allow(clippy::duplicate_mod, reason = "a module for each version")]

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "pg18")]
mod newest;

#[cfg(feature = "pg15")]
mod pg15;
#[cfg(feature = "pg16")]
mod pg16;
#[cfg(feature = "pg17")]
mod pg17;
#[cfg(feature = "pg18")]
mod pg18;

mod together;

/// For what looks at the memory that a thread takes.
#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;
