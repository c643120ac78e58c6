//! What names mean, compared with a server of the same version: compiled once per enabled PostgreSQL version.

pub mod lineage_scopes;
pub mod name_scopes;
pub mod replay;
pub mod wrong_names;

use super::{pg, pg_names};
