//! Aggregates, window functions and functions that return sets: where they can be, and what is grouped. Statements that have some are
//! read a second time, when the meaning of their names is known.

mod aggregate_calls;
mod aggregate_places;
mod aggregate_queries;
mod aggregate_stmts;
mod call_frames;
mod call_kinds;
mod ungrouped_columns;

use super::{VERSION, lookup, pg, resolver};
