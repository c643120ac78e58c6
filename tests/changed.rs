//! A changed tree is printed as SQL that parses to this tree, or printing it is an error.
#![allow(unreachable_pub)]

#[path = "changed/trees.rs"]
mod changed;
#[path = "common/mod.rs"]
mod common;

/// For tests that check the memory of a thread.
#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;
