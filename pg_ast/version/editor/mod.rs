//! For SQL that is being written: ranges, mistakes, and what may come at a place.

pub(crate) mod complete;
pub(crate) mod expect;
pub(crate) mod lossy;
pub(crate) mod ranges;
pub(crate) mod recover;
pub(crate) mod scan_lossy;

use super::{ffi, names, print, read, tree, view};
