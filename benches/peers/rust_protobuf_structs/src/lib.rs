//! rust-protobuf's code for libpg_query's schema.
#![allow(clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/messages/mod.rs"));
