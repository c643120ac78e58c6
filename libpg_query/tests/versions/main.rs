//! The tests of `version/`, once per enabled PostgreSQL version,
//! all linked into one program; and tests of all versions together.
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

mod of_patches;
mod of_pins;
#[path = "../../build/patches.rs"]
#[allow(dead_code)]
mod patches;
#[path = "../../build/pins/mod.rs"]
#[allow(dead_code)]
mod pins;
mod together;
