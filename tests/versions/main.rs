//! The tests of each enabled PostgreSQL version (`tests/version/`), of the newest
//! version's SQL (`newest/`), of versions side by side, of the choice at run time, and of what knows no version.
//! All are in one program, which builds in half of the time of one program per file.
//!
//! ```text
//! cargo test --test versions                          # all of them
//! cargo test --test versions oracle::                 # one file
//! cargo test --test versions pg17::version::view::    # one file for one version, if its feature is enabled
//! ```
#![allow(unreachable_pub)]
#![allow(clippy::duplicate_mod, reason = "a module for each version")]

#[path = "../common/mod.rs"]
mod common;
#[cfg(newest = "pg18")]
mod newest;

#[cfg(feature = "pg15")]
mod pg15;
#[cfg(feature = "pg16")]
mod pg16;
#[cfg(feature = "pg17")]
mod pg17;
#[cfg(feature = "pg18")]
mod pg18;

mod lines;
#[cfg(feature = "plpgsql")]
mod of_files;
mod script_parts;
mod together;

/// For tests that check the memory of a thread.
#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;
