//! The texts that are measured, and libpg_query's own ways through them.
#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod peers;
mod texts;

pub use texts::{Group, NAMES, group, groups};
