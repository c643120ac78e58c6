//! Nodes without a place, and places for a node.

use core::marker::PhantomData;
use core::ptr::NonNull;
use core::{fmt, mem};

use super::super::memory::changes::{At, EditUnderWay, Fit};
use super::super::names::protobuf::Node;
use super::super::names::raw::{self, NodeTag};
use super::node_type::{ANY, NodeType, OfOneType};
use crate::convert::c_tree::in_c::InC;

/// A new node of an edit, in no place yet.
///
/// It goes to one place, which takes it: [`Slot::set`], [`ListMut::push`](super::ListMut::push). If it goes nowhere, it is not in
/// the tree. What it is made of is freed with the tree.
///
/// `N` is the type of the node in the owned tree, [`protobuf::Node`](Node) for any type.
///
/// ```
/// use pg_ast::{make, protobuf, view};
///
/// let mut tree = view::parse("SELECT a FROM t")?;
/// tree.edit(|mut stmts, arena| {
///     let mut target = arena.make::<pg_ast::protobuf::ResTarget>();
///     target.as_mut().set_name("b");
///     target.as_mut().val_mut().set(arena.own(&make::param_ref(1))?);
///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
///     select.target_list_mut().push(target);
///     Ok::<(), pg_ast::Error>(())
/// })?;
/// assert_eq!(tree.deparse()?, "SELECT a, $1 AS b FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Like all handles, it stays on the thread of the edit:
///
/// ```compile_fail,E0277
/// fn is_sent<T: Send>() {}
///
/// is_sent::<pg_ast::view::edit::New<'static>>();
/// ```
#[must_use = "a node that is put nowhere is not in the tree"]
pub struct New<'t, N = Node> {
    /// Null only for any node, and for a list.
    node: *mut raw::Node,
    edit: EditUnderWay<'t>,
    of: PhantomData<N>,
}

impl<'t, N: NodeType> New<'t, N> {
    /// Wraps a node.
    ///
    /// # Safety
    ///
    /// It is a whole node of this type, which satisfies the conditions of [`At::new`], and no other place has it. Null only
    /// if the type is any node, or a list.
    #[inline]
    pub(super) unsafe fn wrap(node: *mut raw::Node, edit: EditUnderWay<'t>) -> Self {
        Self { node, edit, of: PhantomData }
    }

    /// Makes a struct of zeroes with the tag of the type.
    ///
    /// # Safety
    ///
    /// The type is one of a struct, for which that is a value.
    pub(super) unsafe fn zeroed(edit: EditUnderWay<'t>) -> Self {
        // SAFETY: a struct with its tag is a whole node of the type, as the caller guarantees. It is in no place.
        unsafe { Self::wrap(edit.zeroed(N::TAG).as_ptr(), edit) }
    }

    /// Returns the node for reading; `None` if there is none.
    pub(super) fn raw(&self) -> Option<InC<'_, raw::Node>> {
        // SAFETY: it is a whole node, which nobody writes while `self` is borrowed.
        unsafe { InC::new_or_null(self.node) }
    }

    #[inline]
    pub(super) fn into_raw(self) -> *mut raw::Node {
        self.node
    }

    #[inline]
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.edit
    }

    /// Returns the node as a place, with what fits there.
    #[inline]
    pub(super) fn parts(&mut self) -> (At<'_, 't, *mut raw::Node>, Fit) {
        // SAFETY: nobody else has the node, nor the pointer to it.
        let place = unsafe { At::new(NonNull::from(&mut self.node), self.edit) };
        // Whoever has the place knows the type, and nobody else.
        let fit = match N::TAG {
            ANY => Fit::Any,
            NodeTag::T_List => Fit::Only(NodeTag::T_List),
            tag => Fit::Always(tag),
        };
        (place, fit)
    }

    /// Returns a view of the node.
    #[inline]
    #[must_use]
    pub fn view(&self) -> N::View<'_> {
        // SAFETY: `self` has a node of this type, which is not written while it is borrowed.
        unsafe { N::view(self.node, Fit::Any) }
    }

    /// Returns a handle to change the node.
    #[inline]
    #[must_use]
    pub fn as_mut(&mut self) -> N::Mut<'_, 't> {
        let (place, fit) = self.parts();
        // SAFETY: it has a node of this type.
        unsafe { N::in_place(place, fit) }
    }
}

impl<'t> New<'t, Node> {
    /// Returns whether there is no node: an empty list, or an empty [`protobuf::Node`](Node).
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.node.is_null()
    }

    /// Returns the node as one of a given type.
    ///
    /// # Errors
    ///
    /// The node itself, if it is of another type.
    #[inline]
    pub fn into_type<N: NodeType>(self) -> Result<New<'t, N>, Self> {
        // SAFETY: the node is whole, and has the tag of the type.
        unsafe {
            match InC::new_or_null(self.node).map(InC::<raw::Node>::tag) {
                Some(tag) if tag == N::TAG => Ok(New::wrap(self.node, self.edit)),
                _ => Err(self),
            }
        }
    }
}

impl<'t, N: OfOneType> From<New<'t, N>> for New<'t, Node> {
    #[inline]
    fn from(node: New<'t, N>) -> Self {
        Self { node: node.node, edit: node.edit, of: PhantomData }
    }
}

/// Prints like the view.
impl<N: NodeType> fmt::Debug for New<'_, N>
where
    for<'a> N::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

/// A place for a node in a tree that is edited: a field, or a cell of a list.
///
/// `N` is the type of the nodes that the place can hold, [`protobuf::Node`](Node) for any type. A slot of a walk
/// ([`NodesMut`](super::NodesMut)) is one for any type as well, but refuses what its place cannot hold. A refusal is
/// recorded: printing the tree returns it as an error.
///
/// ```
/// use pg_ast::{make, protobuf, view};
///
/// let mut tree = view::parse("SELECT a FROM t WHERE b = 1")?;
/// tree.edit(|mut stmts, arena| {
///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
///     let mut condition = select.where_clause_mut();
///     assert_eq!(condition.get().unwrap().name(), "A_Expr");
///     condition.set(arena.own(&make::bool_const(true))?);
///     Ok::<(), pg_ast::Error>(())
/// })?;
/// assert_eq!(tree.deparse()?, "SELECT a FROM t WHERE true");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use = "a place changes nothing by itself"]
pub struct Slot<'m, 't, N = Node> {
    place: At<'m, 't, *mut raw::Node>,
    fit: Fit,
    of: PhantomData<N>,
}

impl<'m, 't, N: NodeType> Slot<'m, 't, N> {
    /// Wraps a place.
    ///
    /// # Safety
    ///
    /// What is in the place, and what fits there, is a node of this type.
    #[inline]
    pub(super) unsafe fn wrap(place: At<'m, 't, *mut raw::Node>, fit: Fit) -> Self {
        Self { place, fit, of: PhantomData }
    }

    /// Returns the edit.
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.place.edit()
    }

    /// Returns the place, with what fits there.
    #[inline]
    pub(super) fn parts(&mut self) -> (At<'_, 't, *mut raw::Node>, Fit) {
        (self.place.reborrow(), self.fit)
    }

    /// Returns the same slot for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> Slot<'_, 't, N> {
        Slot { place: self.place.reborrow(), fit: self.fit, of: PhantomData }
    }

    /// Returns whether no node is there.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.place.read().get().is_null()
    }

    /// Returns a view of the node, if there is one.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Option<N::View<'_>> {
        let node = self.place.read().get();
        // SAFETY: the slot has a node of this type.
        (!node.is_null()).then(|| unsafe { N::view(node, self.fit) })
    }

    /// Returns a handle to change the node, if there is one.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self) -> Option<N::Mut<'_, 't>> {
        self.reborrow().into_mut()
    }

    /// Like [`get_mut`](Self::get_mut), for as long as the slot.
    #[inline]
    #[must_use]
    pub fn into_mut(self) -> Option<N::Mut<'m, 't>> {
        // SAFETY: the slot has a node of this type.
        (!self.is_empty()).then(|| unsafe { N::in_place(self.place, self.fit) })
    }

    /// Returns whether the place can hold this node.
    fn fits(&self, node: *mut raw::Node) -> bool {
        // SAFETY: a new node is whole.
        let tag = unsafe { InC::new_or_null(node) }.map(InC::<raw::Node>::tag);
        match self.fit {
            Fit::Any => true,
            Fit::Only(only) => tag.is_none_or(|tag| tag == only),
            Fit::Always(only) => tag == Some(only),
            Fit::Part(_) => false,
        }
    }

    /// Puts a node there, and returns the one that was there.
    ///
    /// The place stays as it is if it cannot hold the node; printing the tree is an error then.
    pub fn replace(&mut self, node: impl Into<New<'t, N>>) -> Option<New<'t, N>> {
        let node = node.into().into_raw();
        let edit = self.place.edit();
        if !self.fits(node) {
            edit.refuse("a node is replaced by one of a type that is not allowed there");
            return None;
        }
        if node.is_null() {
            edit.note_lack();
        }
        // SAFETY: the node is a new one, which fits; and so is then what was there.
        unsafe {
            let old = self.place.replace(node);
            (!old.is_null()).then(|| New::wrap(old, edit))
        }
    }

    /// Puts a node there.
    ///
    /// The place stays as it is if it cannot hold the node; printing the tree is an error then.
    #[inline]
    pub fn set(&mut self, node: impl Into<New<'t, N>>) {
        let _ = self.replace(node);
    }

    /// Takes the node out.
    ///
    /// A place that always has a node, such as that of a `RawStmt`, keeps it; printing the tree is an error then.
    pub fn take(&mut self) -> Option<New<'t, N>> {
        let edit = self.place.edit();
        if matches!(self.fit, Fit::Always(_) | Fit::Part(_)) {
            edit.refuse("a part of another node cannot be taken out");
            return None;
        }
        edit.note_lack();
        let old = self.place.take();
        // SAFETY: it is a node of this type, which is in no place any more.
        (!old.is_null()).then(|| unsafe { New::wrap(old, edit) })
    }

    /// Replaces the node by what `f` makes of it, if there is one: to put another node around it, for instance.
    ///
    /// ```
    /// use pg_ast::{protobuf, view};
    ///
    /// let mut tree = view::parse("SELECT a FROM t WHERE b")?;
    /// tree.edit(|mut stmts, arena| {
    ///     let mut select = stmts.get_mut(0).and_then(|stmt| stmt.into_type::<protobuf::SelectStmt>()).unwrap();
    ///     select.where_clause_mut().update(|condition| {
    ///         let mut cast = arena.make::<pg_ast::protobuf::BooleanTest>();
    ///         cast.as_mut().set_booltesttype(pg_ast::protobuf::BoolTestType::IsNotFalse);
    ///         cast.as_mut().arg_mut().set(condition);
    ///         cast
    ///     });
    /// });
    /// assert_eq!(tree.deparse()?, "SELECT a FROM t WHERE b IS NOT FALSE");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn update<R: Into<New<'t, N>>>(&mut self, f: impl FnOnce(New<'t, N>) -> R) {
        let edit = self.place.edit();
        if matches!(self.fit, Fit::Always(_) | Fit::Part(_)) {
            return edit.refuse("a part of another node cannot be taken out");
        }
        let old = self.place.take();
        if !old.is_null() {
            let empty = EmptyMeanwhile(edit);
            // SAFETY: it is a node of this type, which is in no place any more.
            let new = f(unsafe { New::wrap(old, edit) });
            mem::forget(empty);
            self.set(new);
        }
    }
}

/// A place that is empty as long as this is there. If it is dropped, it stays empty: a panic has come in between.
struct EmptyMeanwhile<'t>(EditUnderWay<'t>);

impl Drop for EmptyMeanwhile<'_> {
    fn drop(&mut self) {
        self.0.note_lack();
    }
}

/// Prints like the view.
impl<N: NodeType> fmt::Debug for Slot<'_, '_, N>
where
    for<'a> N::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
