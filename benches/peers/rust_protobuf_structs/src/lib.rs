//! libpg_query's schema as rust-protobuf writes it.
#![allow(clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/messages/mod.rs"));
