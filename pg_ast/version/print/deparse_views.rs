//! Prints nodes of views by themselves, also those of a tree that is edited.

use core::ptr;

use super::deparse_part::{no_node, print_part};
use super::facts::statements::rules;
use super::ffi;
use super::names::raw::{self, NodeTag};
use super::view::edit::{Mut, New, NodeMut, NodeType, OfOneType, Slot, StmtsMut, check_nodes};
use super::view::memory::changes::EditUnderWay;
use super::view::{Kept, Node, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw, IntoRawContext};
use crate::foundation::arena::with_arena;
use crate::types::error::Error;
use crate::types::options::DeparseOptions;

/// A node of a view as a C node: it is there already.
struct InTree<'a>(InC<'a, raw::Node>);

impl IntoRaw<*mut raw::Node> for InTree<'_> {
    fn into_raw(self, _: &mut IntoRawContext<'_>) -> *mut raw::Node {
        // Nobody writes to it.
        self.0.as_ptr().cast_mut()
    }
}

/// Prints statements, each a `RawStmt`, which are only read.
fn print_stmts(stmts: &[*mut raw::RawStmt]) -> Result<String, Error> {
    with_arena(|arena| {
        // SAFETY: they are those of a view, or have a node of one, whose creator guarantees the whole tree below it.
        unsafe { ffi::deparse(stmts, &DeparseOptions::default(), arena) }
    })
}

/// Prints a node that has all that its SQL needs.
fn print(node: Node<'_>) -> Result<String, Error> {
    if let Node::RawStmt(stmt) = node {
        return print_stmts(&[stmt.0.as_ptr().cast_mut()]);
    }
    let printed = node.with_raw(|raw| {
        if rules(node.name()).is_none() {
            return print_part(node.name(), InTree(raw));
        }
        let mut stmt = raw::RawStmt {
            type_: NodeTag::T_RawStmt,
            stmt: raw.as_ptr().cast_mut(),
            stmt_location: 0,
            stmt_len: 0,
        };
        print_stmts(&[ptr::from_mut(&mut stmt)])
    });
    printed.unwrap_or_else(|| Err(no_node()))
}

/// Prints a node with shared nodes of a tree that is edited, in which each is in one place: the end of another edit puts them
/// where the printer looks for them.
fn print_copy(node: Node<'_>) -> Result<String, Error> {
    Tree::build(|arena| arena.copy(node)).node().map_or_else(|| Err(no_node()), print)
}

/// Prints a node of a tree that is edited.
fn print_in_edit(node: Node<'_>, edit: EditUnderWay<'_>) -> Result<String, Error> {
    edit.check()?;
    // In an edit, a shared node is in one place.
    if edit.may_lack() || edit.state().has_shared.get() { node.deparse() } else { print(node) }
}

impl Node<'_> {
    /// Prints the node as SQL, if it can be printed by itself: a statement, an expression, a target, an item of `FROM`, the
    /// name of a type.
    ///
    /// Nothing is copied. Comments and layout are not kept; [`Tree::deparse_with`] has options.
    ///
    /// ```
    /// use pg_ast::view;
    ///
    /// let tree = view::parse("INSERT INTO t (a) SELECT  b+1 FROM u; DROP TABLE t")?;
    /// let texts: Vec<_> = tree.stmts().map(|stmt| stmt.deparse()).collect::<Result<_, _>>()?;
    /// assert_eq!(texts, ["INSERT INTO t (a) SELECT b + 1 FROM u", "DROP TABLE t"]);
    /// let select = tree.nodes().find_map(|node| node.as_select_stmt()).unwrap();
    /// assert_eq!(select.deparse()?, "SELECT b + 1 FROM u");
    /// assert_eq!(select.target_list().first().unwrap().deparse()?, "b + 1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// A view of a node in an edit has what the node has at the time: U+FFFD in place of a NUL, for instance. A handle
    /// ([`Mut::deparse`]) also knows of changes that were not possible.
    ///
    /// # Errors
    ///
    /// The node cannot be printed by itself, or not at all: see [`deparse`](super::super::deparse()).
    pub fn deparse(self) -> Result<String, Error> {
        let mut emptied = false;
        check_nodes(self.nodes().inspect(|node| emptied |= node.lacks_copies()))?;
        if emptied { print_copy(self) } else { print(self) }
    }
}

impl<N: NodeType> Slot<'_, '_, N>
where
    for<'a> N::View<'a>: Into<Node<'a>>,
{
    /// Prints the node in this place, as it is now; see [`Node::deparse`].
    ///
    /// # Errors
    ///
    /// The errors of that call. There is no node. A change in this edit was not possible.
    pub fn deparse(&self) -> Result<String, Error> {
        print_in_edit(self.get().ok_or_else(no_node)?.into(), self.edit())
    }
}

impl<N: OfOneType> Mut<'_, '_, N>
where
    N: super::view::edit::node_type::StructType,
    for<'a> <N as super::view::edit::node_type::StructType>::View<'a>: Into<Node<'a>>,
{
    /// Prints the node as it is now; see [`Node::deparse`].
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let mut tree = view::parse("INSERT INTO t VALUES (1), (2)")?;
    /// let mut texts = Vec::new();
    /// tree.edit(|mut stmts, _| {
    ///     let mut insert = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::InsertStmt>()).unwrap();
    ///     for name in ["t_0", "t_1"] {
    ///         insert.relation_mut().get_mut().unwrap().set_relname(name);
    ///         texts.push(insert.deparse()?);
    ///     }
    ///     Ok::<(), pg_ast::Error>(())
    /// })?;
    /// assert_eq!(texts, ["INSERT INTO t_0 VALUES (1), (2)", "INSERT INTO t_1 VALUES (1), (2)"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of that call. A change in this edit was not possible.
    pub fn deparse(&self) -> Result<String, Error> {
        print_in_edit(self.view().into(), self.edit())
    }
}

impl NodeMut<'_, '_> {
    /// Prints the node as it is now; see [`Node::deparse`].
    ///
    /// # Errors
    ///
    /// The errors of that call. A change in this edit was not possible.
    pub fn deparse(&self) -> Result<String, Error> {
        print_in_edit(self.view(), self.edit().ok_or_else(no_node)?)
    }
}

impl<N: NodeType> New<'_, N>
where
    for<'a> N::View<'a>: Into<Node<'a>>,
{
    /// Prints the node as it is now; see [`Node::deparse`].
    ///
    /// # Errors
    ///
    /// The errors of that call. A change in this edit was not possible.
    pub fn deparse(&self) -> Result<String, Error> {
        print_in_edit(self.view().into(), self.edit())
    }
}

impl StmtsMut<'_, '_> {
    /// Prints the statements as they are now, separated by `; `.
    ///
    /// # Errors
    ///
    /// The errors of [`Tree::deparse`].
    pub fn deparse(&self) -> Result<String, Error> {
        let texts = self.iter().map(|stmt| print_in_edit(stmt.into(), self.edit()));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join("; "))
    }
}

impl<N: OfOneType> Kept<N> {
    /// Prints the node as SQL, if it can be printed by itself; see [`Node::deparse`].
    ///
    /// # Errors
    ///
    /// The errors of that call.
    pub fn deparse(&self) -> Result<String, Error> {
        let tree = self.tree();
        tree.check_changes(true)?;
        print(self.node())
    }
}
