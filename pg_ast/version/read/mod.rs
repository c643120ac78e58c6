//! From texts to trees, tokens and statements.

pub(crate) mod decode;
pub(crate) mod parse;
#[cfg(feature = "plpgsql")]
pub(crate) mod plpgsql;
pub(crate) mod scan;
pub(crate) mod script;
pub(crate) mod script_parts;

use super::{editor, ffi, names, tree, view};
