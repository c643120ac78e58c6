//! Where the values of columns come from: a graph of columns, queries and rows.

mod flow_builder;
mod flow_exprs;
mod flow_from;
mod flow_queries;
mod flow_returning;
pub(crate) mod flow_stmts;
mod flow_views;
mod flow_writes;

use super::{VERSION, any_tree, lookup, pg, query, resolver};
