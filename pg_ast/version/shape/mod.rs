//! Statements that differ only in their constants: parsed once.
//!
//! It stands on `view/`, whose trees it makes, and on `read/`.

pub(super) mod scanned;
pub(super) mod shape_of;

use super::{ffi, names, read};
