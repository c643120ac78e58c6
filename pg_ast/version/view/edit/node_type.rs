//! The types of nodes, by which handles are typed.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::super::Node;
use super::super::list::List;
use super::super::memory::StructInC;
use super::super::memory::changes::{At, EditUnderWay, Fit, Text};
use super::super::names::protobuf;
use super::super::names::raw::{self, NodeTag};
use super::super::node::structure_of;
use super::{ListMut, NodeMut, Slot};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw, IntoRawContext};

/// The type of a node, named by its struct in the owned tree: `protobuf::SelectStmt`, and [`protobuf::Node`] for a node of
/// any type.
///
/// All node types implement it, and [`protobuf::List`] for a list of nodes.
pub trait NodeType: OfType {}

impl<N: OfType> NodeType for N {}

/// What only this crate does with a node type.
///
/// # Safety
///
/// A node with the tag is one of the type; and [`write`](Self::write) writes a whole one.
pub unsafe trait OfType: Sized {
    /// The tag; [`ANY`] for any node, and for none.
    const TAG: NodeTag;

    /// The view of such a node.
    type View<'a>;

    /// The handle that changes such a node in its place.
    type Mut<'m, 't>;

    /// Returns a view of a node.
    ///
    /// # Safety
    ///
    /// `node` is a whole node of this type, which nobody writes for as long as `'a`. Null only if the type is any node, or a
    /// list.
    unsafe fn view<'a>(node: *const raw::Node, fit: Fit) -> Self::View<'a>;

    /// Returns the handle of the node in a place.
    ///
    /// # Safety
    ///
    /// The place has a whole node of this type. Null only if the type is any node, or a list.
    unsafe fn in_place<'m, 't>(place: At<'m, 't, *mut raw::Node>, fit: Fit) -> Self::Mut<'m, 't>;

    /// Writes a message as a node of this type.
    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node;
}

/// What only this crate does with the type of a struct.
///
/// # Safety
///
/// A node with the tag is a whole struct; and [`write`](Self::write) writes one.
pub unsafe trait StructType: Default {
    /// The tag.
    const TAG: NodeTag;

    /// The struct.
    type Raw: 'static;

    /// The view.
    type View<'a>;

    /// Returns a view of the struct.
    ///
    /// # Safety
    ///
    /// `node` is a whole struct, which nobody writes for as long as `'a`.
    unsafe fn view<'a>(node: *const Self::Raw) -> Self::View<'a>;

    /// Writes a message as such a struct.
    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut Self::Raw;
}

impl<N: StructType> OfOneType for N {}

// SAFETY: whoever implements the other trait guarantees the same.
unsafe impl<N: StructType> OfType for N {
    const TAG: NodeTag = <N as StructType>::TAG;
    type View<'a> = <N as StructType>::View<'a>;
    type Mut<'m, 't> = Mut<'m, 't, N>;

    #[inline]
    unsafe fn view<'a>(node: *const raw::Node, _: Fit) -> <N as StructType>::View<'a> {
        // SAFETY: the caller guarantees a whole node of the type.
        unsafe { <N as StructType>::view(node.cast()) }
    }

    #[inline]
    unsafe fn in_place<'m, 't>(place: At<'m, 't, *mut raw::Node>, _: Fit) -> Mut<'m, 't, N> {
        // SAFETY: the caller guarantees a whole node of the type.
        unsafe { Mut::of(place.whole()) }
    }

    #[inline]
    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        StructType::write(self, cx).cast()
    }
}

/// A node of one type that is changed in its place: `view()` to read it, a `set_..` for each value, an `.._mut` for each node
/// and list.
///
/// A node that the grammar never makes, such as `Query`, is only read: another one can be put in its place.
///
/// `N` is the type of the node in the owned tree. Each type has a name of its own, whose page has only its methods: a
/// `Mut<protobuf::SelectStmt>` is a [`SelectStmtMut`](super::SelectStmtMut).
pub struct Mut<'m, 't, N>(pub(crate) At<'m, 't, raw::Node>, PhantomData<N>);

impl<'m, 't, N: StructType> Mut<'m, 't, N> {
    /// Wraps a place.
    ///
    /// # Safety
    ///
    /// It is that of a whole struct of this type.
    #[inline]
    pub(crate) unsafe fn of(place: At<'m, 't, raw::Node>) -> Self {
        Self(place, PhantomData)
    }

    /// Returns a view of the node.
    #[inline]
    #[must_use]
    pub fn view(&self) -> <N as StructType>::View<'_> {
        // SAFETY: it is a whole struct of this type, which nobody writes while `self` is borrowed.
        unsafe { <N as StructType>::view(self.0.as_ptr().cast()) }
    }

    /// Returns the same handle for a shorter time.
    #[inline]
    #[must_use]
    pub fn reborrow(&mut self) -> Mut<'_, 't, N> {
        Mut(self.0.reborrow(), PhantomData)
    }

    /// Returns the edit.
    #[inline]
    pub(crate) fn edit(&self) -> EditUnderWay<'t> {
        self.0.edit
    }

    /// Returns the handle as that of another type, if that is its own.
    #[inline]
    pub(crate) fn of_type<M: StructType>(self, tag: NodeTag) -> Option<Mut<'m, 't, M>> {
        (tag == <M as StructType>::TAG).then_some(Mut(self.0, PhantomData))
    }
}

/// A node type that is not any node: a [`New`](super::New) of it is one of any type as well.
pub trait OfOneType: NodeType + Default {}

impl OfOneType for protobuf::List {}

/// A view of a node, of one type or of any.
///
/// All views of nodes implement it, and nothing else can.
pub trait ViewOfNode<'a>: OfView<'a> + Into<Node<'a>> {
    /// The type of the node.
    type Type: NodeType;
}

impl<'a, V: OfView<'a> + Into<Node<'a>>> ViewOfNode<'a> for V {
    type Type = V::Of;
}

/// What only this crate says of a view.
///
/// # Safety
///
/// The node that a view is turned into ([`Into`]) is one of the type.
pub unsafe trait OfView<'a> {
    /// The type of the node.
    type Of: NodeType;
}

// SAFETY: a node of any type is one, and so is none.
unsafe impl<'a> OfView<'a> for Node<'a> {
    type Of = protobuf::Node;
}

/// A C struct that a field points to.
///
/// # Safety
///
/// It begins with a tag; and a pointer to one is a pointer to a node of this type.
pub(crate) unsafe trait Points: 'static {
    /// The type of the nodes.
    type Of: NodeType;
}

/// Returns the place of a field.
///
/// # Safety
///
/// The field is that of a node in the tree of the edit, which nobody else reads or writes for as long as `'m`.
#[inline]
unsafe fn place<'m, T>(edit: EditUnderWay<'_>, field: *mut T) -> At<'m, '_, T> {
    // SAFETY: the caller guarantees it, and a field is not null.
    unsafe { At::new(NonNull::new_unchecked(field), edit) }
}

/// Sets a value without pointers to nodes.
///
/// # Safety
///
/// As [`place`].
#[inline]
#[allow(clippy::needless_pass_by_value, reason = "the generated setters take values")]
pub(crate) unsafe fn set<T, V>(edit: EditUnderWay<'_>, field: *mut T, value: V)
where
    for<'v> &'v V: IntoRaw<T>,
{
    // SAFETY: the caller guarantees it.
    unsafe { place(edit, field) }.convert::<V>(&value);
}

/// Sets a text.
///
/// # Safety
///
/// As [`place`].
#[inline]
pub(crate) unsafe fn text<T: Text>(
    edit: EditUnderWay<'_>,
    field: *mut T,
    text: &str,
    is_value: bool,
) {
    // SAFETY: the caller guarantees it.
    T::set(unsafe { place(edit, field) }, text, is_value);
}

/// Returns the handle of a list.
///
/// # Safety
///
/// As [`place`].
#[inline]
pub(crate) unsafe fn list<'m>(
    edit: EditUnderWay<'_>,
    field: *mut *mut raw::List,
) -> ListMut<'m, '_> {
    // SAFETY: the caller guarantees it.
    ListMut::new(unsafe { place(edit, field) })
}

/// Returns the slot of a field.
///
/// # Safety
///
/// As [`place`].
#[inline]
pub(crate) unsafe fn slot<'m, T: Points>(
    edit: EditUnderWay<'_>,
    field: *mut *mut T,
) -> Slot<'m, '_, T::Of> {
    let fit = if T::Of::TAG == ANY { Fit::Any } else { Fit::Only(T::Of::TAG) };
    // SAFETY: the caller guarantees it; and the field points to nodes of this type.
    unsafe { Slot::wrap(place(edit, field).cast(), fit) }
}

/// Returns the handle of a struct in a field.
///
/// # Safety
///
/// As [`place`]; and the type is that of the field.
#[inline]
pub(crate) unsafe fn embedded<'m, T, N: StructType<Raw = T>>(
    edit: EditUnderWay<'_>,
    field: *mut T,
) -> Mut<'m, '_, N> {
    // SAFETY: the caller guarantees it; a struct begins with the header of a node.
    unsafe { Mut::of(place(edit, field.cast())) }
}

/// Returns the handle of a constant's value, if there is one.
///
/// # Safety
///
/// As [`place`].
pub(crate) unsafe fn constant<'m>(
    edit: EditUnderWay<'_>,
    field: *mut raw::ValUnion,
) -> Option<NodeMut<'m, '_>> {
    // SAFETY: the caller guarantees it.
    let tag = unsafe { InC::new(field) }.node()?.tag();
    let mut value: *mut raw::Node = field.cast();
    // SAFETY: each member of the union is a node, and the union holds a whole one of the type that its tag says. The handle is
    // that of the node, and not of the pointer.
    Some(unsafe { NodeMut::of(tag, At::new((&mut value).into(), edit)) })
}

/// The tag of a type that is not that of one kind of nodes.
pub(crate) const ANY: NodeTag = NodeTag::T_Invalid;

// SAFETY: a node of any type is whole, by its tag; and so is what a conversion writes.
unsafe impl OfType for protobuf::Node {
    const TAG: NodeTag = ANY;
    type View<'a> = Node<'a>;
    type Mut<'m, 't> = NodeMut<'m, 't>;

    #[inline]
    unsafe fn view<'a>(node: *const raw::Node, fit: Fit) -> Node<'a> {
        // SAFETY: the caller guarantees the node; a part is the struct that its place says.
        unsafe {
            if let Fit::Part(tag) = fit
                && let Some(structure) = structure_of(tag)
                && tag != NodeTag::T_Integer
            {
                return Node::of_part(StructInC::new(structure, node.cast()));
            }
            InC::new_or_null(node).map_or(Node::Null, Node::of)
        }
    }

    unsafe fn in_place<'m, 't>(place: At<'m, 't, *mut raw::Node>, fit: Fit) -> NodeMut<'m, 't> {
        let tag = match fit {
            Fit::Part(tag) => tag,
            _ => match place.read().target() {
                Some(node) => node.tag(),
                None => return NodeMut::Null,
            },
        };
        // SAFETY: a node is a whole struct of the type that its tag says, or the table for a part.
        unsafe { NodeMut::of(tag, place) }
    }

    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        self.into_raw(cx)
    }
}

// SAFETY: a node with that tag is a list of nodes; an empty one is a null pointer, which a place for nodes may hold.
unsafe impl OfType for protobuf::List {
    const TAG: NodeTag = NodeTag::T_List;
    type View<'a> = List<'a>;
    type Mut<'m, 't> = ListMut<'m, 't>;

    #[inline]
    unsafe fn view<'a>(node: *const raw::Node, _: Fit) -> List<'a> {
        // SAFETY: the caller guarantees it.
        List::of(unsafe { InC::new_or_null(node.cast()) })
    }

    #[inline]
    unsafe fn in_place<'m, 't>(place: At<'m, 't, *mut raw::Node>, _: Fit) -> ListMut<'m, 't> {
        // SAFETY: the caller guarantees a list.
        unsafe { ListMut::in_node(place) }
    }

    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
        let list: *mut raw::List = self.into_raw(cx);
        list.cast()
    }
}

/// Returns the handle of a node of an unknown type.
// As above.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn unknown<'m, 't>(place: At<'m, 't, *mut raw::Node>) -> NodeMut<'m, 't> {
    // SAFETY: nobody else has the place for as long as `'m`, and nothing is written to a node of an unknown type.
    match unsafe { InC::<'m, raw::Node>::new_or_null(place.read().get()) }.map(Node::of) {
        Some(Node::Unknown(unknown)) => NodeMut::Unknown(unknown),
        _ => NodeMut::Null,
    }
}
