//! One node of a tree as a tree that can be kept.

use super::compact;
use super::names::raw::{self, NodeTag};
use super::{Node, RawStmt, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::limits::Limits;

impl Node<'_> {
    /// Copies the node, with all nodes below it, into a tree that can be kept: a [`compact`](Tree::compact) one, with the node as
    /// its only statement. [`Tree::node`] returns it.
    ///
    /// ```
    /// use pg_ast::view::{self, Tree};
    ///
    /// fn condition(sql: &str) -> Result<Option<Tree>, pg_ast::Error> {
    ///     let tree = view::parse(sql)?;
    ///     let select = tree.node().and_then(|node| node.as_select_stmt());
    ///     Ok(select.and_then(|select| select.where_clause()).map(|condition| condition.to_tree()))
    /// }
    ///
    /// let kept = condition("SELECT a FROM t WHERE b = 1")?.unwrap();
    /// assert_eq!(kept.node().unwrap().name(), "A_Expr");
    /// assert_eq!(kept.node().unwrap(), kept.clone().node().unwrap());
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn to_tree(self) -> Tree {
        let limits = Limits::default();
        let copy = |stmt| {
            // What the other tree knows of changes is not known here.
            let (copy, lacks) = compact::copy_alone(stmt);
            let mut tree = Tree::in_block(copy, Vec::new(), limits);
            tree.may_lack = lacks;
            tree
        };
        if let Self::RawStmt(stmt) = self {
            return copy(stmt.0);
        }
        let tree = self.with_raw(|node| {
            let stmt = raw::RawStmt {
                type_: NodeTag::T_RawStmt,
                stmt: node.as_ptr().cast_mut(),
                stmt_location: 0,
                stmt_len: 0,
            };
            // SAFETY: it is a whole struct, whose node is in a tree; both are there until the copy has been made.
            copy(unsafe { InC::new(&raw const stmt) })
        });
        tree.unwrap_or_else(Tree::empty)
    }

    /// Passes the node on as a C node: one that is a part of another node, or a number, as a copy. `None` without a node.
    pub(crate) fn with_raw<R>(self, f: impl FnOnce(InC<'_, raw::Node>) -> R) -> Option<R> {
        if let Some(node) = self.as_raw() {
            return Some(f(node));
        }
        match self {
            Self::Integer(number) => {
                let node = raw::Integer { type_: NodeTag::T_Integer, ival: number.ival() };
                // SAFETY: it is a whole node, and there until `f` returns.
                Some(f(unsafe { InC::new((&raw const node).cast()) }))
            }
            Self::CreateStmt(stmt) => {
                // SAFETY: the struct is there. So is a copy of it, until `f` returns, with the pointers of the original, and the
                // tag that a whole node has.
                unsafe {
                    let mut node = stmt.0.as_ptr().read();
                    node.type_ = NodeTag::T_CreateStmt;
                    Some(f(InC::new((&raw const node).cast())))
                }
            }
            _ => None,
        }
    }
}

impl Tree {
    /// Returns the node of the first statement: what [`Node::to_tree`] has copied, or [`parse`](super::parse) has read.
    #[must_use]
    pub fn node(&self) -> Option<Node<'_>> {
        self.stmts().next().and_then(RawStmt::stmt)
    }
}
