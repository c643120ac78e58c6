//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.

mod call_facts;
mod calls;
mod column_names;
mod exprs;
mod from_items;
mod json_exprs;
mod null_conditions;
mod null_exprs;
mod null_queries;
mod null_walk;
mod operator_exprs;
mod queries;
mod row_exprs;
mod target_lists;
mod type_walk;
mod types_of_trees;
mod values;
mod writes;

use super::{VERSION, pg, pg_names};

pub use types_of_trees::{define, types};
