//! The walks reach every node in every field of every node type, and agree with each other; nodes
//! made by hand are those of the grammar. In every version.

mod common;

each_version!(make, walk);
