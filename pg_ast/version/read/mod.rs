//! From texts to trees, tokens and statements: also where a wrong statement ends, and what the grammar expects there.

pub(crate) mod decode;
pub(crate) mod expect;
pub(crate) mod parse;
pub(crate) mod recover;
pub(crate) mod scan;
pub(crate) mod script;
pub(crate) mod script_parts;
pub(crate) mod script_reader;

use super::{ffi, names, tree, view};
