//! Numbers as nodes.

use core::ffi::c_int;
use core::{fmt, hash};

use super::names::protobuf;
use crate::convert::c_tree::in_c::InC;

/// PostgreSQL's node `Integer`; or an item of a list of numbers, which is not a node in C.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Integer<'a>(pub(crate) InC<'a, c_int>);

impl Integer<'_> {
    /// The number. In C: `ival`.
    #[inline]
    #[must_use]
    pub fn ival(self) -> i32 {
        self.0.get()
    }

    /// Converts the node to the type of the owned tree.
    #[must_use]
    pub fn to_owned_tree(self) -> protobuf::Integer {
        protobuf::Integer { ival: self.ival() }
    }
}

/// Prints like the owned node.
impl fmt::Debug for Integer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self).to_owned_tree().fmt(f)
    }
}

impl PartialEq for Integer<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.ival() == other.ival()
    }
}

impl Eq for Integer<'_> {}

impl hash::Hash for Integer<'_> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.ival().hash(state);
    }
}
