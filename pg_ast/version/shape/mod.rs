//! Statements that differ only in their constants: parsed once.
//!
//! It stands on `view/`, whose trees it makes, on `read/`, and on `facts/`.

mod bound_form;
#[cfg(feature = "cache")]
mod cached_digest;
mod constant_values;
mod form_maker;
#[cfg(feature = "cache")]
mod normal_form;
pub(super) mod scanned;
#[cfg(feature = "cache")]
pub(super) mod shape_cache;
pub(super) mod shape_of;
mod slots;
pub(super) mod template;

#[cfg(feature = "cache")]
use super::facts;
use super::{ffi, names, read, view};
