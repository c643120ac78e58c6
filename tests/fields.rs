//! Every field of every node type goes to C and comes back, in every version.

mod common;

each_version!(fields);
