//! Expands the model to code, one file per trait.

pub(crate) mod from_raw;
pub(crate) mod into_raw;
