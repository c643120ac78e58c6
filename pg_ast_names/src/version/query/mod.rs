//! Queries: `FROM`, `WITH`, and the columns that they return.

pub(crate) mod common_tables;
pub(crate) mod found_nodes;
pub(crate) mod from_items;
pub(crate) mod function_columns;
pub(crate) mod joined_columns;
pub(crate) mod query_mistakes;
pub(crate) mod query_scopes;
pub(crate) mod recorded_queries;

use super::{expr, lookup, pg, resolver};
