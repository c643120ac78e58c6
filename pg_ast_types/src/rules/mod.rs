//! PostgreSQL's rules: what a call or an operator means, what can become what. They are the same for all versions.

pub(crate) mod candidates;
pub(crate) mod chosen_functions;
pub(crate) mod chosen_operators;
pub(crate) mod coercion;
pub(crate) mod common_types;
pub(crate) mod frame_offsets;
pub(crate) mod modifiers;
pub(crate) mod never_null;
pub(crate) mod parameters;
pub(crate) mod polymorphic;
pub(crate) mod rows;
pub(crate) mod signatures;
