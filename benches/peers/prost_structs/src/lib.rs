//! libpg_query's schema as prost writes it, with nothing added.
#![allow(clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/pg_query.rs"));
