//! For SQL that is being written: ranges, SQL with mistakes, and completion.

pub(crate) mod complete;
pub(crate) mod lossy;
pub(crate) mod ranges;
pub(crate) mod scan_lossy;

use super::{ffi, names, print, read, tree, view};
