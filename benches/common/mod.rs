//! The measured SQL, and libpg_query's own routes.
#![allow(dead_code, unreachable_pub, unused_imports)]

#[cfg(feature = "plpgsql")]
pub mod bodies;
pub mod changes;
pub mod peers;
pub mod rewriter;
pub mod streams;
mod texts;

pub use texts::{Group, NAMES, REWRITES, group, groups};
