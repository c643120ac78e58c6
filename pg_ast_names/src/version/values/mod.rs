//! The values that a column has in the rows that count: conditions restrict columns, and equalities pass that on.

mod conditions;
mod constants;
mod query_columns;
mod table_family;
pub(crate) mod value_flow;
mod value_graph;
mod value_types;
mod written_values;

use super::{any_tree, pg, query, resolver, stmts};
