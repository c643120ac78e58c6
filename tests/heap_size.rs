//! `heap_size` is what the allocator was asked for, to the byte, in every version.

mod common;

each_version!(heap_size);

#[global_allocator]
static ALLOCATOR: common::peak::Counting = common::peak::Counting;
