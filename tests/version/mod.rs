//! Tests that are compiled once per enabled PostgreSQL version,
//! against that version's `pg` (of pg_ast) and `raw` (of libpg_query).

use super::{MAJOR, NAME, SCHEMA, pg, raw};

mod accessors;
mod analysis;
mod by_hand;
pub mod c_route;
pub mod comments;
mod complete;
mod defaults;
mod digest;
mod edits;
mod empty_strings;
mod expect;
mod fields;
mod heap_size;
mod json;
mod linear;
pub mod list_items;
mod locations;
mod lossy;
mod make;
mod maker;
mod malformed;
mod normalize;
mod numbers;
mod oracle;
mod parts;
mod plpgsql;
mod quotes;
mod ranges;
mod ranges_again;
mod recover;
mod rewrite;
mod scan_lossy;
pub mod schema;
mod script;
mod shared;
mod text;
mod verbs;
mod view;
mod view_compact;
mod view_encode;
mod walk;
mod walk_places;
mod walk_tables;
mod without_c;
