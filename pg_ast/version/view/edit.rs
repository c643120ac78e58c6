//! Changes of a tree in its place: [`Tree::edit`].
//!
//! A view cannot be changed, and a copy of the tree in Rust takes as long as the parser. An edit changes the C tree where it
//! lies: what stays is not touched, and new nodes are in memory that belongs to the tree.
//!
//! ```
//! use pg_ast::{protobuf, view};
//!
//! let mut tree = view::parse("SELECT a, b FROM users WHERE id = 7")?;
//! tree.edit(|mut stmts, arena| {
//!     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
//!     select.limit_count_mut().set(arena.own(&pg_ast::make::int_const(10))?);
//!     select.set_limit_option(pg_ast::protobuf::LimitOption::Count);
//!     stmts.walk_tables_mut(|table, _context| table.set_schemaname("app"));
//!     Ok::<(), pg_ast::Error>(())
//! })?;
//! assert_eq!(tree.deparse()?, "SELECT a, b FROM app.users WHERE id = 7 LIMIT 10");
//! # Ok::<(), pg_ast::Error>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`StmtsMut`] | the statements: a list, and where walks begin |
//! | [`Mut`]: `SelectStmtMut` and so on | a node: `view()` to read it, a `set_..` for each value, an `.._mut` for each node and list |
//! | [`NodeMut`] | a node of any type, to match on |
//! | [`Slot`] | a place for a node: a field, or an item of a list |
//! | [`ListMut`] | a list |
//! | [`NodesMut`] | a walk over all places |
//! | [`Arena`], [`New`] | makes new nodes; a node that has no place yet |
//!
//! The lifetime `'t` is that of the edit. It marks what belongs to the tree, so that no node gets into another one; and
//! nothing of it outlives the edit.
//!
//! # Nodes in several places
//!
//! PostgreSQL's grammar uses some nodes twice: `UPDATE t SET (a, b) = (SELECT ..)` has the `SELECT` once for each column. In an edit each
//! node has one place, the one that walks visit: the `source` of a `MultiAssignRef` with a `colno` of 2 or more is empty, and
//! so are the `objargs` of an `ObjectWithArgs` that its parameters repeat, and the `aliases` of a recursive view. The `return_type` of a
//! function with `RETURNS TABLE`, a copy, is not visited. When the edit ends, they become what has become of the nodes.
//!
//! # Errors
//!
//! Setters do not return errors. A string with a NUL, a list of more than 2,147,483,647 items, or a node in a place for another type
//! is recorded, and an error of each call that prints the tree or copies it. Calls without a `Result` read U+FFFD in place of
//! a NUL. So does a node that lacks what it needs for SQL, such as a `FuncCall` without a name: it cannot be printed.

mod field_mut;
pub(crate) mod handles;
mod list_mut;
mod making;
pub(crate) mod node_type;
mod nodes_mut;
mod shared_places;
mod slot;

use core::convert::Infallible;
use core::{mem, ptr};
use std::sync::{LazyLock, Mutex, PoisonError};

pub(crate) use self::field_mut::FieldMut;
pub use self::list_mut::{ListMut, Slots, StmtsMut};
pub use self::node_type::{Mut, NodeType, OfOneType, ViewOfNode};
pub use self::nodes_mut::NodesMut;
pub use self::slot::{New, Slot};
use super::compact::{self, CopyFacts, Shared};
use super::memory::changes::{At, EditState, EditUnderWay};
use super::names::protobuf;
use super::names::raw::{self, NodeTag};
pub use super::names::views::changes::*;
use super::names::views::{ENUMERATIONS, STRUCTS, missing_field};
use super::node::index_of;
use super::{Node, Tree};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::{Kind, Struct};
use crate::convert::{IntoRawContext, incomplete};
use crate::foundation::arena::Bump;
use crate::types::error::Error;
use crate::types::heap_size::HeapSize;

/// What edits may add to a tree, in bytes, before it is looked at how much of that is in the tree: most trees have few edits.
const MOST_ADDED: usize = 16 << 10;

/// What edits have added to a tree.
#[derive(Default)]
pub(super) struct Changes {
    /// The memory of what is new. Nobody allocates in it by a shared reference, which is what the lock is for.
    arena: Mutex<Bump>,
    /// The first value that the tree cannot hold.
    pub(super) error: Option<Error>,
}

/// The bytes that a built statement takes, if it is small.
const BUILT: usize = 960;

impl Changes {
    /// Returns the bytes of what edits have added, in the tree or not.
    fn bytes(&mut self) -> usize {
        self.arena.get_mut().unwrap_or_else(PoisonError::into_inner).allocated_bytes()
    }

    /// Takes the memory for an edit.
    fn begin(self) -> EditState {
        let arena = self.arena.into_inner().unwrap_or_else(PoisonError::into_inner);
        EditState { arena, error: self.error.into(), ..EditState::default() }
    }

    /// Returns what a copy of the tree needs to know; `None` if that is nothing.
    pub(super) fn to_keep(&self) -> Option<Self> {
        let error = Some(self.error.clone()?);
        Some(Self { error, ..Self::default() })
    }

    fn end(state: EditState) -> Self {
        let EditState { arena, error, .. } = state;
        Self { arena: arena.into(), error: error.into_inner() }
    }
}

impl HeapSize for Changes {
    fn heap_size(&self) -> usize {
        let Self { arena, error } = self;
        let arena = arena.lock().unwrap_or_else(PoisonError::into_inner);
        arena.allocated_bytes() + error.as_ref().map_or(0, |error| error.message().len())
    }
}

/// An edit that is under way. It ends when this is dropped, also if the closure panics.
struct Editing<'a> {
    tree: &'a mut Tree,
    stmts: *mut raw::List,
    state: EditState,
}

impl<'a> Editing<'a> {
    fn begin(tree: &'a mut Tree) -> Self {
        tree.free_garbage();
        let state = tree.changes.take().map_or_else(EditState::default, |changes| changes.begin());
        Self::with(tree, state)
    }

    fn with(tree: &'a mut Tree, state: EditState) -> Self {
        state.may_lack.set(tree.may_lack);
        let stmts = tree.begin_edit();
        Self { tree, stmts, state }
    }

    /// Returns the statements.
    fn stmts<'m, 't>(stmts: &'m mut *mut raw::List, edit: EditUnderWay<'t>) -> StmtsMut<'m, 't> {
        // SAFETY: the list is that of a tree, which is borrowed by `Editing`, and not read but through this.
        StmtsMut::new(unsafe { At::new(stmts.into(), edit) })
    }

    fn run<R>(&mut self, f: impl for<'t> FnOnce(StmtsMut<'_, 't>, &Arena<'t>) -> R) -> R {
        let edit = EditUnderWay::new(&self.state);
        let mut stmts = Self::stmts(&mut self.stmts, edit);
        if self.tree.holds_copies() {
            shared_places::take_out(stmts.nodes_mut(), edit);
        }
        f(stmts, &Arena(edit))
    }
}

impl Drop for Editing<'_> {
    fn drop(&mut self) {
        self.tree.add_to_limits(self.state.arena.allocated_bytes());
        let has_shared = self.state.has_shared.get();
        let edit = EditUnderWay::new(&self.state);
        if has_shared {
            let put_back =
                shared_places::PutBack::find(Self::stmts(&mut self.stmts, edit).nodes_mut(), edit);
            // SAFETY: the closure has returned, and so nobody has a handle. It is the tree's list of statements, and no cell of
            // it is null.
            unsafe {
                put_back.fill(edit);
                self.tree.end_edit(self.stmts, true);
            }
            if let Err(error) = self.tree.measure() {
                // SAFETY: as above.
                unsafe { put_back.empty(edit) };
                self.state.fail(error);
            }
        } else {
            // SAFETY: as above: it is the tree's list of statements.
            unsafe { self.tree.end_edit(self.stmts, false) };
        }
        self.tree.may_lack = edit.may_lack();
        self.tree.changes = Some(Box::new(Changes::end(mem::take(&mut self.state))));
    }
}

impl Tree {
    /// Changes the tree in its place: `f` gets the statements, and the memory for new nodes; see [`edit`](self).
    ///
    /// The nodes that stay are not copied, and new ones belong to the tree: they are freed with it, as are those that are taken
    /// out and put nowhere. [`compact`](Self::compact) copies only what is in the tree. Locations stay as they are, those of new
    /// nodes are what they are made with. The tree has no ranges any more.
    ///
    /// A tree does not grow by what its edits take out: if they have added more than 16 KiB, and more than the tree had before, the
    /// next one begins with such a copy.
    ///
    /// To keep the tree as it is and print it with changes, edit a [clone](Self::clone).
    ///
    /// If `f` panics, the tree has the changes that were made before.
    ///
    /// ```
    /// use pg_ast::{make, view};
    ///
    /// let mut tree = view::parse("UPDATE t SET (a, b) = (SELECT c, d FROM u WHERE e = 1)")?;
    /// let mut constants = Vec::new();
    /// tree.edit(|mut stmts, arena| {
    ///     let mut nodes = stmts.nodes_mut();
    ///     while let Some(mut slot) = nodes.next() {
    ///         if let Some(view::Node::AConst(constant)) = slot.get() {
    ///             constants.push(constant.to_owned_tree()?);
    ///             slot.set(arena.own(&make::param_ref(1))?);
    ///         }
    ///     }
    ///     Ok::<(), pg_ast::Error>(())
    /// })?;
    /// assert_eq!(tree.deparse()?, "UPDATE t SET (a, b) = (SELECT c, d FROM u WHERE e = $1)");
    /// assert_eq!(constants.len(), 1);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn edit<R>(&mut self, f: impl for<'t> FnOnce(StmtsMut<'_, 't>, &Arena<'t>) -> R) -> R {
        Editing::begin(self).run(f)
    }

    /// Copies what is in the tree, and frees the rest, if edits have added more than the tree had before, of which much may be out
    /// of it again. A copy takes as long as the tree is large, and comes when as much has been added.
    fn free_garbage(&mut self) {
        let added = self.changes.as_mut().map_or(0, |changes| changes.bytes());
        if added > MOST_ADDED && added > self.heap_size() - added {
            let warnings = self.take_warnings();
            *self = self.copied(Shared::Everywhere, warnings);
        }
    }

    /// Builds a tree of one statement, or of any other node: the result of `f`.
    ///
    /// ```
    /// use pg_ast::{make, protobuf, view};
    ///
    /// let tree = view::Tree::build(|arena| {
    ///     let mut drop = arena.make::<protobuf::DropStmt>();
    ///     drop.as_mut().set_remove_type(protobuf::ObjectType::ObjectTable);
    ///     let name = arena.list(["s", "t"].map(|part| arena.string(part)));
    ///     drop.as_mut().objects_mut().push(name);
    ///     drop.into()
    /// });
    /// assert_eq!(tree.deparse()?, "DROP TABLE s.t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn build(f: impl for<'t> FnOnce(&Arena<'t>) -> New<'t>) -> Self {
        let built: Result<Self, Infallible> = Self::try_build(|arena| Ok(f(arena)));
        match built {
            Ok(tree) => tree,
        }
    }

    /// Like [`build`](Self::build), with a closure that can fail.
    ///
    /// ```
    /// use pg_ast::{make, view};
    ///
    /// fn notify(channel: &str) -> Result<view::Tree, pg_ast::Error> {
    ///     let message = pg_ast::protobuf::NotifyStmt { conditionname: channel.to_owned(), ..Default::default() };
    ///     view::Tree::try_build(|arena| Ok(arena.own(&message)?.into()))
    /// }
    /// assert_eq!(notify("done")?.deparse()?, "NOTIFY done");
    /// assert_eq!(notify("a\0b").unwrap_err().kind(), pg_ast::ErrorKind::Nul);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `f`.
    pub fn try_build<E>(
        f: impl for<'t> FnOnce(&Arena<'t>) -> Result<New<'t>, E>,
    ) -> Result<Self, E> {
        let mut tree = Self::empty();
        let state = EditState { arena: Bump::with_capacity(BUILT), ..EditState::default() };
        Editing::with(&mut tree, state).run(|mut stmts, arena| {
            let stmt = f(arena)?.into_type().unwrap_or_else(|node| arena.stmt(node));
            stmts.push(stmt);
            Ok(())
        })?;
        Ok(tree)
    }

    /// Returns an error if a change was not possible, or if a node lacks a field without which it has no SQL.
    pub(crate) fn check_changes(&self, prints: bool) -> Result<(), Error> {
        if let Some(error) = self.changes.as_ref().and_then(|changes| changes.error.as_ref()) {
            return Err(error.clone());
        }
        if self.may_lack && prints { check_nodes(self.nodes()) } else { Ok(()) }
    }
}

/// Returns an error if one of the nodes lacks a field without which it has no SQL.
pub(crate) fn check_nodes<'a>(nodes: impl Iterator<Item = Node<'a>>) -> Result<(), Error> {
    for node in nodes {
        if let Some(field) = missing_field(node) {
            return Err(incomplete(node.name(), field));
        }
    }
    Ok(())
}

/// The memory for new nodes of an edit.
pub struct Arena<'t>(EditUnderWay<'t>);

impl<'t> Arena<'t> {
    /// Makes a node with nothing in its fields, as the default message: zeroes, no strings, empty lists.
    ///
    /// A location is 0, and not -1.
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let tree = view::Tree::build(|arena| {
    ///     let mut notify = arena.make::<protobuf::NotifyStmt>();
    ///     notify.as_mut().set_conditionname("done");
    ///     notify.into()
    /// });
    /// assert_eq!(tree.deparse()?, "NOTIFY done");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn make<N: OfOneType>(&self) -> New<'t, N> {
        empty(self.0)
    }

    /// Writes a message of the owned tree as a new node: what [`make`](crate::make) returns, or a part of an owned tree.
    ///
    /// # Errors
    ///
    /// C cannot hold a value in it: a NUL in a string ([`Nul`](crate::ErrorKind::Nul)), or a number that is too large for its C
    /// type.
    pub fn own<N: NodeType>(&self, message: &N) -> Result<New<'t, N>, Error> {
        let (mut new, result) = written(message, self.0);
        result?;
        shared_places::take_out(new.nodes_mut(), self.0);
        Ok(new)
    }

    /// Copies a node of any tree, with all nodes below it: a view of a type, or of any.
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let mut tree = view::parse("SELECT a FROM t WHERE b")?;
    /// let other = view::parse("SELECT 1 WHERE c < 2")?;
    /// let condition = other.nodes().find_map(|node| node.as_a_expr()).unwrap();
    /// tree.edit(|mut stmts, arena| {
    ///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
    ///     select.where_clause_mut().set(arena.copy(condition));
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT a FROM t WHERE c < 2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn copy<'a, V: ViewOfNode<'a>>(&self, node: V) -> New<'t, V::Type> {
        let node = node.into();
        let (copy, found) = node
            .with_raw(|raw| copied(raw, self.0))
            .unwrap_or((ptr::null_mut(), CopyFacts::default()));
        // The other tree may have been edited, too.
        if found.lacks {
            self.0.note_lack();
        }
        // SAFETY: a copy is a whole node, in the arena, of the type that the view has. Null for a node of an unknown type, and
        // where there is none, which only views of any node show.
        let mut new: New<'t, V::Type> = unsafe { New::wrap(copy, self.0) };
        if !found.shared {
            return new;
        }
        // Where the other tree is being edited, too, some places are empty already.
        self.0.state().has_shared.set(true);
        let source = shared_places::later_source(node).and_then(Node::as_raw);
        if let Some(source) = source {
            // SAFETY: as above.
            let source = unsafe { New::wrap(copied(source, self.0).0, self.0) };
            let mut nodes = new.nodes_mut();
            if let Some(mut slot) = nodes.next() {
                shared_places::put_source(slot.get_mut(), source);
            }
        }
        shared_places::take_out(new.nodes_mut(), self.0);
        new
    }

    /// Makes a list of nodes.
    pub fn list<N: Into<New<'t>>>(
        &self,
        nodes: impl IntoIterator<Item = N>,
    ) -> New<'t, protobuf::List> {
        // SAFETY: a null pointer is the empty list.
        let mut list: New<'t, protobuf::List> = unsafe { New::wrap(ptr::null_mut(), self.0) };
        list.as_mut().extend(nodes);
        list
    }

    /// Makes a string as a node: a name in a list of names.
    pub fn string(&self, text: &str) -> New<'t, protobuf::String> {
        // SAFETY: the only field of the struct is set before anybody reads it.
        let mut string: New<'t, protobuf::String> = unsafe { New::zeroed(self.0) };
        string.as_mut().set_sval(text);
        string
    }

    /// Makes a statement of a node.
    pub fn stmt(&self, node: impl Into<New<'t>>) -> New<'t, protobuf::RawStmt> {
        let mut stmt = empty::<protobuf::RawStmt>(self.0);
        stmt.as_mut().stmt_mut().set(node);
        stmt
    }
}

/// Writes a message as a new node; or returns the error, with what is written in place of the value.
fn written<'t, N: NodeType>(
    message: &N,
    edit: EditUnderWay<'t>,
) -> (New<'t, N>, Result<(), Error>) {
    let mut cx = IntoRawContext::new(&edit.state().arena);
    let node = message.write(&mut cx);
    if cx.lacks() {
        edit.note_lack();
    }
    // SAFETY: a conversion writes a whole node, in the arena. Null only if there is none, or an empty list.
    (unsafe { New::wrap(node, edit) }, cx.finish(()))
}

/// Whether a conversion writes zeroes for an empty struct, for each of [`STRUCTS`].
static EMPTY_AS_ZEROES: LazyLock<Box<[bool]>> =
    LazyLock::new(|| STRUCTS.iter().map(is_empty_as_zeroes).collect());

/// Returns whether none of the parts of a struct has a tag, nor is its text one always, and each of its enums has a constant for 0.
fn is_empty_as_zeroes(structure: &Struct) -> bool {
    let tag = NodeTag(structure.tag);
    let is_text = matches!(tag, NodeTag::T_String | NodeTag::T_Float | NodeTag::T_BitString);
    !is_text
        && structure.fields.iter().all(|field| match field.kind {
            Kind::Embedded(_) => false,
            // The number of what is not a constant is 0.
            Kind::Enumeration(index) => {
                ENUMERATIONS.get(usize::from(index)).is_some_and(|it| (it.number)(0) != 0)
            }
            _ => true,
        })
}

/// Makes a node with nothing in its fields.
fn empty<N: OfOneType>(edit: EditUnderWay<'_>) -> New<'_, N> {
    if EMPTY_AS_ZEROES.get(index_of(N::TAG)).is_some_and(|is_empty| *is_empty) {
        // SAFETY: the type has a struct, for which zeroes are a value.
        let new: New<'_, N> = unsafe { New::zeroed(edit) };
        if let Some(node) = new.raw() {
            edit.note_if_lacks(Node::of(node));
        }
        return new;
    }
    // There is nothing in it that C cannot hold.
    written(&N::default(), edit).0
}

/// Copies a node into the arena.
fn copied(node: InC<'_, raw::Node>, edit: EditUnderWay<'_>) -> (*mut raw::Node, CopyFacts) {
    compact::copy_node(node, &edit.state().arena)
}

/// The items that the generated handles use.
pub(crate) mod prelude {
    pub(crate) use super::super::memory::changes::{At, EditUnderWay};
    pub(crate) use super::handles::{
        change, change_needed, handle, in_place, nodes_mut, of_type, viewed,
    };
    pub(crate) use super::node_type::{
        Mut, OfView, StructType, constant, embedded, list, set, slot, text, unknown,
    };
    pub(crate) use super::{ListMut, Slot};
    pub(crate) use crate::convert::{IntoRaw, IntoRawContext, Tagged};
    pub(crate) use raw::NodeTag;

    use super::super::names::raw;
}
