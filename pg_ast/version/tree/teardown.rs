//! Drops trees, however deep they are, on whatever stack there is.
//!
//! Drop glue is the compiler's: it recurses on the thread's stack, is compiled with the crate that
//! drops, and cannot say that there is no stack left. (A `Drop` of a node's type could, but then no node
//! could be destructured any more.) So deep trees are cut into shallow ones beforehand.

use core::ops::ControlFlow;

use super::message::DynMessage;
use super::{Node, NodeEnum, ParseResult, protobuf};
use crate::runtime::stack;

/// The levels of a piece. The recursion below takes a little more of the stack than drop glue does;
/// with fewer levels more nodes have to be moved.
const LEVELS: usize = 32;

/// Moves to `pieces` what is `levels` below a message.
fn cut(message: &mut DynMessage, levels: usize, pieces: &mut Vec<NodeEnum>) {
    let _ = message.children_mut(&mut |slot| {
        if levels == 0 {
            pieces.extend(slot.take());
        } else if let Some(node) = slot.into_mut() {
            cut(node.message(), levels - 1, pieces);
        }
        ControlFlow::Continue(())
    });
}

/// Drops what is deep in a message: the rest can be dropped on any stack.
pub(super) fn prune(message: &mut DynMessage) {
    let mut pieces = Vec::new();
    cut(message, LEVELS, &mut pieces);
    drop_pieces(pieces);
}

/// Drops all pieces, and what is below them.
fn drop_pieces(mut pieces: Vec<NodeEnum>) {
    while let Some(mut piece) = pieces.pop() {
        cut(piece.to_mut().message(), LEVELS, &mut pieces);
    }
}

impl Node {
    /// Drops the node and all that is below it, on any stack: a deep tree is taken apart from a list on
    /// the heap.
    ///
    /// A [`ParseResult`] is dropped like this by itself. This is for parts that have
    /// been taken out of one, where [`max_depth`](crate::ParserOptions::max_depth) is more than the
    /// thread's stack is meant for.
    ///
    /// ```
    /// let options = pg_ast::ParserOptions::default().max_depth(200_000);
    /// let sql = format!("SELECT a{}", " + 1".repeat(100_000));
    /// let mut tree = pg_ast::parse_with(&sql, options)?;
    /// if let Some(select) = tree.protobuf.stmts[0].stmt.take() {
    ///     assert!(select.depth() > 100_000);
    ///     select.drop_iteratively();
    /// }
    /// assert_eq!(tree.depth(), 0);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn drop_iteratively(self) {
        drop_pieces(self.node.into_iter().collect());
    }
}

impl protobuf::ParseResult {
    /// Drops the tree on any stack.
    pub(crate) fn drop_iteratively(self) {
        for mut stmt in self.stmts {
            prune(&mut stmt);
        }
    }
}

impl Drop for ParseResult {
    fn drop(&mut self) {
        // Drop glue does it in less time, where there is stack for it.
        if !stack::has_room_to_drop(self.levels) {
            core::mem::take(&mut self.protobuf).drop_iteratively();
        }
    }
}
