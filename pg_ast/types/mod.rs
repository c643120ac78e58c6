//! The types that calls take and return, where they are the same for every PostgreSQL version.

#[macro_use]
pub(crate) mod versions;

pub(crate) mod analysis;
#[cfg(feature = "cache")]
pub(crate) mod cache_stats;
pub(crate) mod catalog;
pub(crate) mod digest;
pub(crate) mod error;
pub(crate) mod expected;
pub(crate) mod filter;
pub(crate) mod fingerprint;
pub(crate) mod heap_size;
pub(crate) mod lines;
pub(crate) mod literal;
pub(crate) mod literal_places;
pub(crate) mod object_name;
pub(crate) mod options;
pub(crate) mod qualified_name;
pub(crate) mod ranges;
pub(crate) mod routine_body;
pub(crate) mod script_part;
pub(crate) mod shape_options;
pub(crate) mod text;
pub(crate) mod written_text;
