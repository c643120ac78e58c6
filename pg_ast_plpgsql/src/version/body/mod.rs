//! Where control goes in a body, which names can be used at a place of it, and where variables are used.

pub(crate) mod body_flow;
pub(crate) mod body_variables;
pub(crate) mod names_in_scope;

use super::pg;
