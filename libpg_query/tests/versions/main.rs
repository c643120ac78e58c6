//! The tests of `version/`, once for each PostgreSQL version that is enabled, all linked into one program; and what
//! there is to see of all versions side by side.
#![allow(unreachable_pub)]
#![allow(clippy::duplicate_mod, reason = "a module for each version")]

#[cfg(feature = "pg15")]
mod pg15;
#[cfg(feature = "pg16")]
mod pg16;
#[cfg(feature = "pg17")]
mod pg17;
#[cfg(feature = "pg18")]
mod pg18;

mod together;
