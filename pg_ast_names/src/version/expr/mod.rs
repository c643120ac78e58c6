//! Expressions: the names in them, the rows that they are, and the names that their columns get.

pub(crate) mod function_names;
pub(crate) mod output_names;
pub(crate) mod polymorphic_rows;
pub(crate) mod row_types;
pub(crate) mod written_rows;

use super::{VERSION, lookup, pg, resolver};
