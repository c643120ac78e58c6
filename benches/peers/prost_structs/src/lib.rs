//! prost's code for libpg_query's schema, without additions.
#![allow(clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/pg_query.rs"));
