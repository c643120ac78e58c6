//! Views of the C tree are what the owned tree is, in every version.

mod common;

each_version!(view, rewrite, view_encode, view_compact);
