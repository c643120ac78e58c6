//! What names mean: sources of columns, the scopes in which they are visible, and the tables of a catalog.

mod apply_ddl;
mod apply_objects;
mod builtin_functions;
mod column_names;
mod common_tables;
mod from_items;
mod function_columns;
mod joined_columns;
mod name_lookup;
mod output_names;
mod query_scopes;
mod resolver;
mod row_types;
mod stmt_scopes;
mod utility_scopes;
mod visible_names;
mod written_rows;

use super::{names, view};
