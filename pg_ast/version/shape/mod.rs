//! Statements that differ only in their constants: parsed once.
//!
//! It stands on `view/`, whose trees it makes, and on `read/`.

mod bound_form;
mod constant_values;
mod form_maker;
pub(super) mod scanned;
#[cfg(feature = "cache")]
pub(super) mod shape_cache;
pub(super) mod shape_of;
mod slots;
pub(super) mod template;

use super::{ffi, names, read, view};
