//! How dynamic SQL is built, and which values in it are quoted.

mod assigned_sql;
mod dynamic_parts;
pub(crate) mod dynamic_sql;
mod format_specs;
mod safe_values;
mod sql_quotes;
pub(crate) mod sql_skeleton;

use super::{body, pg};
