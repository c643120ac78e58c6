//! The code of one PostgreSQL version: compiled once per version, against that version of pg_ast, which is `pg`.

mod call_facts;
mod column_refs;
mod exprs;
mod from_columns;
mod function_exprs;
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
mod typed_values;
mod types_of_trees;
mod writes;

use super::{VERSION, pg, pg_names};

pub use types_of_trees::{define, types};
