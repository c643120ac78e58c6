//! Numbers of a tree and of options that mean harm: none of them becomes memory.

mod common;

each_version!(numbers);

use common::peak::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
