//! What names mean: sources of columns, the scopes in which they are visible, and the tables of a catalog.

mod applied_bodies;
mod apply_changes;
mod apply_ddl;
mod apply_objects;
#[cfg(feature = "plpgsql")]
pub(crate) mod body_names;
mod column_names;
mod common_tables;
mod defined_objects;
mod from_items;
mod function_columns;
mod function_names;
mod joined_columns;
mod listed_names;
mod name_lookup;
mod output_names;
mod polymorphic_rows;
mod query_scopes;
mod resolver;
mod row_types;
mod set_functions;
mod stmt_scopes;
mod utility_scopes;
mod variable_conflicts;
mod visible_names;
mod written_rows;

#[cfg(feature = "plpgsql")]
use super::plpgsql;
use super::{names, view};
