//! Tests that are compiled once per enabled PostgreSQL version,
//! against that version's `pg` (of pg_ast), `pg_syntax` (of pg_ast_syntax) and `raw` (of libpg_query).

use super::{MAJOR, NAME, SCHEMA, SOURCE, pg, pg_syntax, raw};

mod accessors;
mod analysis;
mod by_hand;
pub mod c_route;
mod changed;
pub mod comments;
mod complete;
mod defaults;
mod defaults_in_places;
mod digest;
mod edit;
mod edit_fields;
mod edit_hostile;
mod edit_lists;
mod edit_print;
mod edit_shared;
mod edits;
#[cfg(feature = "effects")]
mod effects;
#[cfg(feature = "effects")]
mod effects_on;
mod empty_strings;
mod expect;
mod fields;
mod filters;
mod heap_size;
mod json;
mod keywords;
mod linear;
pub mod list_items;
mod locations;
mod lossy;
mod make;
mod maker;
mod malformed;
mod name_ranges;
mod normalize;
mod normalized;
mod numbers;
mod oracle;
mod parts;
mod plpgsql;
mod plpgsql_changed;
mod plpgsql_deep;
mod plpgsql_dynamic;
mod plpgsql_facts;
mod plpgsql_flow;
mod plpgsql_functions;
mod plpgsql_json;
mod plpgsql_print;
mod plpgsql_sql;
mod plpgsql_tree;
mod plpgsql_variables;
mod plpgsql_views;
mod quotes;
mod ranges;
mod ranges_again;
mod recover;
mod scan_lossy;
pub mod schema;
#[cfg(feature = "scopes")]
mod scopes;
#[cfg(feature = "scopes")]
mod scopes_ddl;
#[cfg(all(feature = "plpgsql", feature = "scopes"))]
mod scopes_plpgsql;
mod script;
mod script_check;
mod script_tree;
mod shape;
mod shape_bind;
mod shape_cache;
mod shape_digest;
mod shape_values;
mod shared;
mod stand_ins;
mod syntax;
#[cfg(feature = "plpgsql")]
mod syntax_body;
mod text;
mod verbs;
mod view;
mod view_compact;
mod view_encode;
mod walk;
mod walk_names;
mod walk_places;
mod walk_tables;
mod without_c;
