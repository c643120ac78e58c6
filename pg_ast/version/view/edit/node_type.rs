//! The types of nodes, by which handles are typed.

use super::super::Node;
use super::super::list::List;
use super::super::memory::StructInC;
use super::super::memory::changes::{At, Fit};
use super::super::names::protobuf;
use super::super::names::raw::{self, NodeTag};
use super::super::node::structure_of;
use super::{ListMut, NodeMut, Slot};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{IntoRaw as _, IntoRawContext};

/// The type of a node, named by its struct in the owned tree: `protobuf::SelectStmt`, and [`protobuf::Node`] for a node of
/// any type.
///
/// All node types implement it, and [`protobuf::List`] for a list of nodes.
pub trait NodeType: OfType {
    /// The view of such a node.
    type View<'a>;

    /// The handle that changes such a node in its place.
    type Mut<'m, 't>;
}

/// What only this crate does with a node type.
///
/// # Safety
///
/// A node with the tag is one of the type; and [`write`](Self::write) writes a whole one.
pub unsafe trait OfType: Sized {
    /// The tag; [`ANY`] for any node, and for none.
    const TAG: NodeTag;

    /// Returns a view of a node.
    ///
    /// # Safety
    ///
    /// `node` is a whole node of this type, which nobody writes for as long as `'a`. Null only if the type is any node, or a
    /// list.
    unsafe fn view<'a>(node: *const raw::Node, fit: Fit) -> Self::View<'a>
    where
        Self: NodeType;

    /// Returns the handle of the node in a place.
    ///
    /// # Safety
    ///
    /// The place has a whole node of this type. Null only if the type is any node, or a list.
    unsafe fn in_place<'m, 't>(place: At<'m, 't, *mut raw::Node>, fit: Fit) -> Self::Mut<'m, 't>
    where
        Self: NodeType;

    /// Writes a message as a node of this type.
    fn write(&self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node;
}

/// A node type that is not any node: a [`New`](super::New) of it is one of any type as well.
pub trait OfOneType: NodeType + Default {}

impl OfOneType for protobuf::List {}

/// A view of a node, of one type or of any.
pub trait ViewOfNode<'a>: Into<Node<'a>> {
    /// The type of the node.
    type Type: NodeType;
}

impl<'a> ViewOfNode<'a> for Node<'a> {
    type Type = protobuf::Node;
}

/// A C struct that a field points to.
///
/// # Safety
///
/// It begins with a tag; and a pointer to one is a pointer to a node of this type.
pub(crate) unsafe trait Points {
    /// The type of the nodes.
    type Of: NodeType;
}

/// Returns the slot of a field.
#[inline]
pub(crate) fn slot<'m, 't, T: Points>(place: At<'m, 't, *mut T>) -> Slot<'m, 't, T::Of> {
    let fit = if T::Of::TAG == ANY { Fit::Any } else { Fit::Only(T::Of::TAG) };
    // SAFETY: the field points to nodes of this type.
    unsafe { Slot::wrap(place.cast(), fit) }
}

/// Returns the handle of a constant's value, if there is one.
// The handle has the place.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn value_mut<'m, 't>(place: At<'m, 't, raw::ValUnion>) -> Option<NodeMut<'m, 't>> {
    let tag = place.read().node()?.tag();
    let mut value: *mut raw::Node = place.as_ptr().cast();
    // SAFETY: each member of the union is a node, and the union holds a whole one of the type that its tag says. The handle is
    // that of the node, and not of the pointer.
    Some(unsafe { NodeMut::of(tag, At::new((&mut value).into(), place.edit())) })
}

/// The tag of a type that is not that of one kind of nodes.
pub(crate) const ANY: NodeTag = NodeTag::T_Invalid;

impl NodeType for protobuf::Node {
    type View<'a> = Node<'a>;
    type Mut<'m, 't> = NodeMut<'m, 't>;
}

// SAFETY: a node of any type is whole, by its tag; and so is what a conversion writes.
unsafe impl OfType for protobuf::Node {
    const TAG: NodeTag = ANY;

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

impl NodeType for protobuf::List {
    type View<'a> = List<'a>;
    type Mut<'m, 't> = ListMut<'m, 't>;
}

// SAFETY: a node with that tag is a list of nodes; an empty one is a null pointer, which a place for nodes may hold.
unsafe impl OfType for protobuf::List {
    const TAG: NodeTag = NodeTag::T_List;

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
