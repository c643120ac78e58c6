//! From the model to code, one file a trait.

pub(crate) mod from_raw;
pub(crate) mod into_raw;
pub(crate) mod message;
