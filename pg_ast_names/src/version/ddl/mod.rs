//! What statements change in a catalog, and what they define and need.

pub(crate) mod altered_tables;
pub(crate) mod applied_bodies;
pub(crate) mod apply_changes;
pub(crate) mod apply_ddl;
pub(crate) mod apply_objects;
pub(crate) mod apply_parts;
pub(crate) mod apply_renames;
pub(crate) mod apply_rules;
pub(crate) mod apply_transactions;
pub(crate) mod apply_types;
#[cfg(feature = "plpgsql")]
pub(crate) mod body_types;
pub(crate) mod called_functions;
pub(crate) mod created_objects;
pub(crate) mod created_operators;
pub(crate) mod created_routines;
pub(crate) mod created_types;
pub(crate) mod defined_objects;
pub(crate) mod drop_parts;
pub(crate) mod grouped_columns;
pub(crate) mod named_objects;
pub(crate) mod object_lookup;
pub(crate) mod owned_sequences;
pub(crate) mod resolved_types;
pub(crate) mod routine_options;
pub(crate) mod routine_results;
pub(crate) mod shared_parts;
pub(crate) mod table_parts;

use super::{VERSION, any_tree, expr, flows, lookup, pg, query, resolver};
