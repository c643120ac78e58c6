//! A user's own types derive, and do what they are to do.
#![allow(dead_code, unreachable_pub)]

mod fragments;
mod header;
mod lint_clean;
mod own_nodes;
mod own_nodes_borrowed;
mod own_nodes_misused;
mod own_shape;
mod own_types;
mod pointers;
mod prost_decode;
mod renamed_crate;
mod several_tags;
mod unusual;
