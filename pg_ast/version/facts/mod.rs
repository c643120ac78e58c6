//! What is known about statements: what they name, their kinds, and the hashes and texts by which they are grouped.

pub(crate) mod analysis;
pub(crate) mod digest;
pub(crate) mod filters;
pub(crate) mod fingerprint;
pub(crate) mod normalize;
pub(crate) mod routines;
pub(crate) mod statements;
pub(crate) mod summary;

use super::{ffi, names, tree, view};
