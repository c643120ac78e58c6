//! The walks reach every node in every field of every node type, and agree with each other; nodes
//! made by hand are those of the grammar; what is looked for most is found. In every version.

mod common;

each_version!(accessors, make, walk);
