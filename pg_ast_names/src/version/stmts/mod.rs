//! Statements that write, that define something, and those that only name tables and columns.

mod created_functions;
pub(crate) mod listed_names;
mod missing_objects;
pub(crate) mod stmt_scopes;
pub(crate) mod utility_scopes;

use super::{VERSION, ddl, lookup, pg, query, resolver};
