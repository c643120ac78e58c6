//! The step of a walk over a tree: the nodes in the fields of a message.
//!
//! Each field is visited, in the order of their numbers; its type implements [`Walk`]. A type that does
//! not fails to compile, so that no field can be forgotten.

use core::ops::ControlFlow;
use std::collections::HashMap;

use super::messages::message::{DynMessage, OwnedMessage};
use super::messages::message_table::{FieldNodes, FieldNodesMut, MessageField, NodeCount};
use super::names::protobuf;
use super::names::protobuf::Node;
use super::names::protobuf::a_const::Val;
use super::names::{NodeEnum, NodeMut, NodeRef};

/// The function that receives the nodes one by one. It may end the walk.
pub(crate) type Sink<'f, 'a> = dyn FnMut(NodeRef<'a>) -> ControlFlow<()> + 'f;

/// The same for nodes that can be changed.
pub(crate) type SinkMut<'f, 'a> = dyn FnMut(NodeSlot<'a>) -> ControlFlow<()> + 'f;

/// The place of a node in a field.
pub(crate) enum NodeSlot<'a> {
    /// A place for any node, or none.
    Node(&'a mut Node),
    /// A place for a node of this type only.
    Message(NodeMut<'a>),
}

impl<'a> NodeSlot<'a> {
    /// Returns the node in this place.
    pub(crate) fn into_mut(self) -> Option<NodeMut<'a>> {
        match self {
            Self::Node(node) => node.to_mut(),
            Self::Message(node) => Some(node),
        }
    }

    /// Takes the node out of this place.
    pub(crate) fn take(self) -> Option<NodeEnum> {
        match self {
            Self::Node(node) => node.node.take(),
            Self::Message(node) => Some(node.take()),
        }
    }
}

impl DynMessage {
    /// Calls `f` for the nodes in the fields, but not for those below them, nor for copies of others.
    pub(crate) fn children<'a>(
        &'a self,
        f: impl FnMut(NodeRef<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk(self.links(false), f)
    }

    /// Like `children`, but skips items of lists.
    pub(crate) fn singles<'a>(
        &'a self,
        f: impl FnMut(NodeRef<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk(self.links(false).filter(|(field, _)| field.nodes == NodeCount::One), f)
    }

    pub(crate) fn children_mut<'a>(
        &'a mut self,
        f: impl FnMut(NodeSlot<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk_mut(self.links_mut(false), f)
    }

    /// Like `children_mut`, but compiled here, and not for each `f`.
    pub(crate) fn each_child_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) {
        let _ = self.children_mut(f);
    }

    /// Returns whether the nodes of the shared field are left out, see `convert/shared_nodes.rs`.
    pub(super) fn leaves_out(&self) -> bool {
        self.table().shares && self.holds_copies()
    }

    /// Like [`children`](Self::children), with copies of others.
    pub(super) fn all_children<'a>(
        &'a self,
        f: impl FnMut(NodeRef<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk(self.links(true), f)
    }

    /// Like [`children_mut`](Self::children_mut), with copies of others.
    pub(super) fn all_children_mut<'a>(
        &'a mut self,
        f: impl FnMut(NodeSlot<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk_mut(self.links_mut(true), f)
    }
}

/// Calls `f` for the nodes in these fields.
#[inline]
fn walk<'a>(
    links: impl Iterator<Item = (&'static MessageField, FieldNodes<'a>)>,
    mut f: impl FnMut(NodeRef<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (_, link) in links {
        match link {
            FieldNodes::Node(node) => {
                node.as_deref().and_then(Node::to_ref).map_or(GO_ON, &mut f)?;
            }
            FieldNodes::Nodes(nodes) => {
                nodes.iter().filter_map(Node::to_ref).try_for_each(&mut f)?;
            }
            FieldNodes::Other(value) => value.walk(&mut f)?,
        }
    }
    GO_ON
}

#[inline]
fn walk_mut<'a>(
    links: impl Iterator<Item = FieldNodesMut<'a>>,
    mut f: impl FnMut(NodeSlot<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for link in links {
        match link {
            FieldNodesMut::Node(node) => {
                node.as_deref_mut().map(NodeSlot::Node).map_or(GO_ON, &mut f)?;
            }
            FieldNodesMut::Nodes(nodes) => {
                nodes.iter_mut().map(NodeSlot::Node).try_for_each(&mut f)?;
            }
            FieldNodesMut::Other(value) => value.walk_mut(&mut f)?,
        }
    }
    GO_ON
}

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

/// The nodes that the value of a field holds, if any.
#[diagnostic::on_unimplemented(
    message = "a walk over the tree does not know what nodes are in `{Self}`",
    label = "no walk looks into this type",
    note = "see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub(crate) trait Walk {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()>;
    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()>;
}

/// Tells whether there are any, by its type.
pub(crate) trait HoldsNodes: Walk {
    const NODES: NodeCount;
}

/// Types that hold no nodes.
macro_rules! no_node {
    ($($type:ty),*) => {$(
        impl HoldsNodes for $type {
            const NODES: NodeCount = NodeCount::None;
        }

        impl Walk for $type {
            fn walk<'a>(&'a self, _: &mut Sink<'_, 'a>) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }

            fn walk_mut<'a>(&'a mut self, _: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
        }
    )*};
}
// An enumeration is prost's `i32`.
no_node!(bool, i32, i64, u32, u64, f64, String, HashMap<String, String>);

/// Messages that are not part of a tree.
macro_rules! others {
    ($($($name:ident)::+;)*) => {
        no_node!($(protobuf::$($name)::+),*);
    };
}
protobuf::each_other_message!(others);

/// A message is a node itself, in a field that can hold no other type.
impl<H: OwnedMessage> Walk for H
where
    for<'a> NodeRef<'a>: From<&'a H::Message>,
    for<'a> NodeMut<'a>: From<&'a mut H::Message>,
{
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        f(self.borrow().into())
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        f(NodeSlot::Message(self.borrow_mut().into()))
    }
}

impl Walk for NodeEnum {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        f(self.to_ref())
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        f(NodeSlot::Message(self.to_mut()))
    }
}

impl Walk for Val {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        match self {
            Self::Ival(value) => value.walk(f),
            Self::Fval(value) => value.walk(f),
            Self::Boolval(value) => value.walk(f),
            Self::Sval(value) => value.walk(f),
            Self::Bsval(value) => value.walk(f),
        }
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        match self {
            Self::Ival(value) => value.walk_mut(f),
            Self::Fval(value) => value.walk_mut(f),
            Self::Boolval(value) => value.walk_mut(f),
            Self::Sval(value) => value.walk_mut(f),
            Self::Bsval(value) => value.walk_mut(f),
        }
    }
}

impl Walk for Node {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        match &self.node {
            Some(node) => f(node.to_ref()),
            None => ControlFlow::Continue(()),
        }
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        f(NodeSlot::Node(self))
    }
}

impl Walk for Box<Node> {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        Walk::walk(&**self, f)
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        Walk::walk_mut(&mut **self, f)
    }
}

impl<T: Walk> HoldsNodes for Option<T> {
    const NODES: NodeCount = NodeCount::One;
}

impl<T: Walk> HoldsNodes for Vec<T> {
    const NODES: NodeCount = NodeCount::Many;
}

// Neither this nor the next function is inlined: hundreds of fields have the same few types.
impl<T: Walk> Walk for Option<T> {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        match self {
            Some(value) => value.walk(f),
            None => ControlFlow::Continue(()),
        }
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        match self {
            Some(value) => value.walk_mut(f),
            None => ControlFlow::Continue(()),
        }
    }
}

impl<T: Walk> Walk for Vec<T> {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        self.iter().try_for_each(|value| value.walk(f))
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        self.iter_mut().try_for_each(|value| value.walk_mut(f))
    }
}

impl NodeRef<'_> {
    /// Returns the node's address, which distinguishes it from the other children of its parent.
    pub(crate) fn address(self) -> *const () {
        core::ptr::from_ref(self.message()).cast()
    }

    /// Returns whether both are the same node: at the same address, where the first part of a node may be as well.
    pub(crate) fn is_same(self, other: Self) -> bool {
        self.address() == other.address() && self.name() == other.name()
    }
}
