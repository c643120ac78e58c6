//! What a walk over a tree is made of: the nodes in the fields of a message.
//!
//! `#[derive(Walk)]` writes [`Children`] for each message: it asks each of its fields, in their order,
//! and the type of a field answers by [`Field`]. A type that has no answer does not compile, so
//! that no field can be forgotten.

use core::ops::ControlFlow;

use super::protobuf::{self, Node};
use super::{NodeEnum, NodeMut, NodeRef};

/// What gets the nodes one by one. It may end the walk.
pub(crate) type Sink<'f, 'a> = dyn FnMut(NodeRef<'a>) -> ControlFlow<()> + 'f;

/// The same for nodes that can be changed.
pub(crate) type SinkMut<'f, 'a> = dyn FnMut(Slot<'a>) -> ControlFlow<()> + 'f;

/// The place of a node in a field.
pub(crate) enum Slot<'a> {
    /// Any node can stand here, or none.
    Node(&'a mut Node),
    /// Only a node of this type can.
    Message(NodeMut<'a>),
}

impl<'a> Slot<'a> {
    /// The node that is there.
    pub(crate) fn into_mut(self) -> Option<NodeMut<'a>> {
        match self {
            Self::Node(node) => node.to_mut(),
            Self::Message(node) => Some(node),
        }
    }

    /// Takes the node away that is there.
    pub(crate) fn take(self) -> Option<NodeEnum> {
        match self {
            Self::Node(node) => node.node.take(),
            Self::Message(node) => Some(node.take()),
        }
    }
}

/// A message: the nodes that are in its fields, but not those below them.
pub(crate) trait Children {
    fn children<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()>;
    fn children_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()>;
    /// As `children`, but only those that are no item of a list.
    fn singles<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()>;
}

/// The value of a field: the nodes that it holds, if any.
#[diagnostic::on_unimplemented(
    message = "a walk over the tree does not know what nodes are in `{Self}`",
    label = "no walk looks into this type",
    note = "see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub(crate) trait Field {
    /// Whether the field is a list.
    const LIST: bool = false;

    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()>;
    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()>;
}

/// What holds no node.
macro_rules! no_node {
    ($($type:ty),*) => {$(
        impl Field for $type {
            #[inline(always)]
            fn walk<'a>(&'a self, _: &mut Sink<'_, 'a>) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }

            #[inline(always)]
            fn walk_mut<'a>(&'a mut self, _: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
        }
    )*};
}
// An enumeration is prost's `i32`.
no_node!(bool, i32, i64, u32, u64, f64, String);

/// A message is a node by itself, in a field that can hold no other.
macro_rules! nodes {
    ($($variant:ident $message:ident $held:ident $raw:ident $name:ident $visit:ident;)*) => {$(
        impl Field for protobuf::$message {
            fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
                f(NodeRef::$variant(self))
            }

            fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
                f(Slot::Message(NodeMut::$variant(self)))
            }
        }
    )*};
}
protobuf::each_node!(nodes);

impl Field for Node {
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        match &self.node {
            Some(node) => f(node.to_ref()),
            None => ControlFlow::Continue(()),
        }
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        f(Slot::Node(self))
    }
}

impl<T: Field> Field for Box<T> {
    #[inline]
    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        (**self).walk(f)
    }

    #[inline]
    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        (**self).walk_mut(f)
    }
}

// Neither this nor the next is inlined: hundreds of fields are of the same few types.
impl<T: Field> Field for Option<T> {
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

impl<T: Field> Field for Vec<T> {
    const LIST: bool = true;

    fn walk<'a>(&'a self, f: &mut Sink<'_, 'a>) -> ControlFlow<()> {
        self.iter().try_for_each(|value| value.walk(f))
    }

    fn walk_mut<'a>(&'a mut self, f: &mut SinkMut<'_, 'a>) -> ControlFlow<()> {
        self.iter_mut().try_for_each(|value| value.walk_mut(f))
    }
}

impl NodeRef<'_> {
    /// Where the node is in memory: what tells it from the other children of its parent.
    pub(crate) fn address(self) -> *const () {
        core::ptr::from_ref(self.message()).cast()
    }
}
