//! What everything stands on: memory, stacks, limits. Nothing here knows a tree.

pub(crate) mod arena;
pub(crate) mod bits;
pub(crate) mod hashing;
pub(crate) mod limits;
pub(crate) mod name;
pub(crate) mod order;
pub(crate) mod reversed;
pub(crate) mod stack;
