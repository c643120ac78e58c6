//! What the SQL in bodies names.

pub(crate) mod analysis_with_bodies;
pub(crate) mod body_facts;

use super::{body, dynamic, pg};
