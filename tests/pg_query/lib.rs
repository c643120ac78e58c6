//! See `tests/same_trees.rs`.
