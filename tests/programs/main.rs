//! What programs do with the library: rightly, as the examples and a program that has been migrated; wrongly, as attacks; with inputs
//! that were found; at their limits of memory and stack.
#![allow(unreachable_pub)]

#[path = "../common/alone.rs"]
#[cfg(feature = "pg18")]
mod alone;
#[cfg(feature = "pg18")]
mod attacks;
mod catalog;
#[path = "../common/mod.rs"]
mod common;
mod decode;
#[cfg(all(feature = "pg18", feature = "plpgsql"))]
mod examples;
mod found;
mod limits;
#[cfg(all(feature = "pg18", target_os = "linux"))]
mod memory;
mod migration;
#[cfg(all(feature = "pg18", target_os = "linux"))]
mod no_stack;
#[cfg(feature = "pg18")]
mod stack;

#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;
