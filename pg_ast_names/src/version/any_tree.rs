//! The trees whose names can be resolved.

use super::pg::view::{RawStmt, Tree};
use super::pg::{ParseResult, seam};

/// A tree of either kind, which is made of a reference to it.
///
/// A view is faster: of an owned tree, C nodes are made first.
#[derive(Clone, Copy, Debug)]
pub enum AnyTree<'a> {
    /// An owned tree.
    Owned(&'a ParseResult),
    /// A view.
    View(&'a Tree),
}

impl<'a> From<&'a ParseResult> for AnyTree<'a> {
    fn from(tree: &'a ParseResult) -> Self {
        Self::Owned(tree)
    }
}

impl<'a> From<&'a Tree> for AnyTree<'a> {
    fn from(tree: &'a Tree) -> Self {
        Self::View(tree)
    }
}

impl AnyTree<'_> {
    /// Passes a view of the statements to `f`, which only reads.
    pub(crate) fn read<R>(self, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> R {
        match self {
            Self::Owned(tree) => seam::read(tree, f),
            Self::View(tree) => f(&tree.stmts().collect::<Vec<_>>()),
        }
    }
}
