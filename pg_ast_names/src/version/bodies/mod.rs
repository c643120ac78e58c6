//! Names in the SQL of functions in PL/pgSQL.

#[cfg(feature = "plpgsql")]
pub(crate) mod body_names;
pub(crate) mod variable_conflicts;

#[cfg(feature = "plpgsql")]
use super::pg_plpgsql;
use super::{lookup, pg, resolver};
