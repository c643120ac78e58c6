//! From trees to texts.

mod checked;
pub(crate) mod deparse;
pub(crate) mod deparse_part;
mod deparse_views;
pub(crate) mod edits;
pub(crate) mod truncate;

use super::{facts, ffi, names, read, tree, view};
