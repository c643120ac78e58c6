//! Names in the SQL of functions in PL/pgSQL.

#[cfg(feature = "plpgsql")]
pub(crate) mod body_names;
pub(crate) mod variable_conflicts;

use super::{lookup, pg, resolver};
