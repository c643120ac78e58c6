//! Views of the owned tree, which is written as C nodes first.

use super::names::{NodeRef, ParseResult, protobuf, raw};
use super::{Node, RawStmt, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw as _, IntoRawContext};
use crate::foundation::arena::with_arena;
use crate::types::error::{Error, Warning};

impl protobuf::ParseResult {
    /// Calls `f` with a view of the statements, so that code for views also works on owned trees.
    ///
    /// The C nodes are in memory that the thread keeps. Writing them takes about a third of the time of a parse.
    ///
    /// ```
    /// use pg_ast::view;
    ///
    /// let tree = pg_ast::parse("SELECT a FROM t")?;
    /// let depth = |stmts: &[view::RawStmt<'_>]| {
    ///     view::Node::from(stmts[0]).nodes().with_depth().map(|(_, depth)| depth).max()
    /// };
    /// assert_eq!(tree.protobuf.with_view(depth)?, Some(tree.depth()));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The tree cannot be written as C nodes: a string contains a NUL
    /// ([`Nul`](crate::ErrorKind::Nul)), or a number is too large for its C type.
    pub fn with_view<R>(&self, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> Result<R, Error> {
        with_arena(|arena| view(self, IntoRawContext::new(arena), f))
    }

    /// Converts the tree to a view that can be kept: a [`compact`](Tree::compact) one, without warnings.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT a FROM t")?;
    /// let view = tree.protobuf.to_view()?;
    /// assert_eq!(view.to_owned_tree()?, tree);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`with_view`](Self::with_view).
    pub fn to_view(&self) -> Result<Tree, Error> {
        self.to_view_with(Vec::new())
    }

    fn to_view_with(&self, warnings: Vec<Warning>) -> Result<Tree, Error> {
        with_arena(|arena| {
            let written = views(self, IntoRawContext::new(arena))?;
            let stmts = written.stmts.iter().map(|stmt| stmt.0);
            // A conversion writes each node anew, so none has several parents.
            Ok(Tree::copy_of_owned(stmts, warnings, written.lacks))
        })
    }

    /// Passes a view of the statements to `f`, which only reads: values that C cannot hold are no error. A NUL
    /// in a string is U+FFFD there.
    ///
    /// Without memory for more stack, the process ends.
    pub(crate) fn read<R>(&self, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> R {
        or_abort(with_arena(|arena| view(self, IntoRawContext::replacing(arena), f)))
    }

    /// Like [`read`](Self::read). Also returns whether the view has every node: C has no place for one in a header.
    pub(crate) fn read_whole<R>(&self, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> (R, bool) {
        or_abort(with_arena(|arena| {
            let written = views(self, IntoRawContext::replacing(arena))?;
            Ok((f(&written.stmts), written.is_whole))
        }))
    }
}

/// The result of a call whose only error is that there is no memory for more stack: as with any allocation.
fn or_abort<R>(result: Result<R, Error>) -> R {
    result.unwrap_or_else(|_| std::process::abort())
}

/// Passes a view of the context's C nodes to `f`.
fn view<'a, R>(
    tree: &protobuf::ParseResult,
    cx: IntoRawContext<'a>,
    f: impl FnOnce(&[RawStmt<'a>]) -> R,
) -> Result<R, Error> {
    Ok(f(&views(tree, cx)?.stmts))
}

/// Statements as C nodes.
struct WrittenStmts<'a> {
    stmts: Vec<RawStmt<'a>>,
    /// Whether these are all nodes.
    is_whole: bool,
    /// Whether a node lacks a field without which it has no SQL.
    lacks: bool,
}

/// Writes the statements as C nodes, in the context's arena.
fn views<'a>(
    tree: &protobuf::ParseResult,
    mut cx: IntoRawContext<'a>,
) -> Result<WrittenStmts<'a>, Error> {
    let stmts: &[*mut raw::RawStmt] = cx.slice(&tree.stmts, |stmt, cx| stmt.into_raw(cx));
    let (is_whole, lacks) = (cx.levels().is_some(), cx.lacks());
    let stmts = cx.finish(stmts)?;
    // SAFETY: a conversion writes a whole tree, which is in the arena and is not written to
    // any more.
    let stmts = stmts.iter().map(|stmt| RawStmt(unsafe { InC::new(*stmt) })).collect();
    Ok(WrittenStmts { stmts, is_whole, lacks })
}

impl ParseResult {
    /// Calls `f` with a view of the statements; see
    /// [`protobuf::ParseResult::with_view`](super::super::ParseResult::with_view).
    ///
    /// # Errors
    ///
    /// The errors of that call.
    pub fn with_view<R>(&self, f: impl FnOnce(&[RawStmt<'_>]) -> R) -> Result<R, Error> {
        self.protobuf.with_view(f)
    }

    /// Converts the tree to a view that can be kept; see
    /// [`protobuf::ParseResult::to_view`](super::super::ParseResult::to_view).
    ///
    /// # Errors
    ///
    /// The errors of that call.
    pub fn to_view(&self) -> Result<Tree, Error> {
        self.protobuf.to_view_with(self.warnings.clone())
    }
}

impl NodeRef<'_> {
    /// Calls `f` with a view of the node, as [`ParseResult::with_view`] does for a tree.
    ///
    /// An empty list is [`Node::Null`], as everywhere in C.
    ///
    /// # Errors
    ///
    /// The errors of that call.
    pub fn with_view<R>(self, f: impl FnOnce(Node<'_>) -> R) -> Result<R, Error> {
        with_arena(|arena| self.view(IntoRawContext::new(arena), f))
    }

    /// Passes a view of the node to `f`, which only reads; see `protobuf::ParseResult::read`.
    pub(crate) fn read<R>(self, f: impl FnOnce(Node<'_>) -> R) -> R {
        or_abort(with_arena(|arena| self.view(IntoRawContext::replacing(arena), f)))
    }

    fn view<'a, R>(
        self,
        mut cx: IntoRawContext<'a>,
        f: impl FnOnce(Node<'a>) -> R,
    ) -> Result<R, Error> {
        let node: *mut raw::Node = self.into_raw(&mut cx);
        let node = cx.finish(node)?;
        // SAFETY: as for a whole tree.
        let node = unsafe { InC::new_or_null(node) };
        Ok(f(node.map_or(Node::Null, Node::of)))
    }
}
