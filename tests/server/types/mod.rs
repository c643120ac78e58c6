//! The types of statements, compared with a server of the same version: compiled once per enabled PostgreSQL version.

pub mod stmt_variants;
pub mod type_corpora;
pub mod type_differences;
pub mod type_pairs;
pub mod type_rules;
pub mod types_of_stmts;

use super::{names, pg, pg_names, pg_types};
