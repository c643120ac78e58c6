//! libpg_query's schema as rust-protobuf writes it.

include!(concat!(env!("OUT_DIR"), "/messages/mod.rs"));
