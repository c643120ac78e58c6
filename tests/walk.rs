//! The walks reach every node in every field of every node type, and agree with each other, in every
//! version.

mod common;

each_version!(walk);
