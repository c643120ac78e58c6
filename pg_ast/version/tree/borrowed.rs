//! Nodes of any type, borrowed: `NodeRef` and `NodeMut`.
//!
//! Everything that lists all node types is written once here, in macros that `each_node!` calls: the
//! generated code defines that macro, with the data of each type.

use core::fmt;

use super::messages::copy::boxed;
use super::messages::message::{DynMessage, Oneof as _, swap};
use super::names::NodeEnum;
use super::names::protobuf;
use super::names::raw;
use crate::convert::{IntoRaw, IntoRawContext};

/// The content of a variant of [`NodeEnum`], with a copy of a message.
macro_rules! copied {
    (in_place $message:expr) => {
        $message.clone()
    };
    (boxed $message:expr) => {
        boxed($message)
    };
}

macro_rules! borrowed {
    ($($variant:ident $message:ident $held:ident $raw:ident $name:ident $($_method:ident)*;)*) => {
        /// A node of any type, borrowed: one variant for each type that a node can have.
        ///
        /// It has the size of a reference and a tag, and is `Copy`. `From` converts a reference to a node of a
        /// given type.
        ///
        /// ```
        /// use pg_ast::NodeRef;
        ///
        /// let tree = pg_ast::parse("SELECT a FROM t")?;
        /// let tables: Vec<_> = tree
        ///     .nodes()
        ///     .filter_map(|node| match node {
        ///         NodeRef::RangeVar(table) => Some(table.relname.as_str()),
        ///         _ => None,
        ///     })
        ///     .collect();
        /// assert_eq!(tables, ["t"]);
        ///
        /// let stmt = tree.stmts().next().unwrap();
        /// assert_eq!(stmt.as_select_stmt().map(NodeRef::from), Some(stmt));
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[derive(Clone, Copy, PartialEq)]
        #[allow(missing_docs)]
        pub enum NodeRef<'a> {
            $($variant(&'a protobuf::$message),)*
        }

        /// A node of any type, mutably borrowed: one variant for each type that a node can
        /// have.
        ///
        /// It cannot replace itself by a node of another type; that is done through the
        /// [`Node`](super::super::Node) around it, by `Node::transform` or `VisitMut::visit_node`.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        ///
        /// use pg_ast::NodeMut;
        ///
        /// let mut tree = pg_ast::parse("SELECT a FROM t JOIN u USING (id)")?;
        /// let _ = tree.walk_mut(|node| {
        ///     if let NodeMut::RangeVar(table) = node {
        ///         table.schemaname = "s".to_owned();
        ///     }
        ///     ControlFlow::<()>::Continue(())
        /// });
        /// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a FROM s.t JOIN s.u USING (id)");
        /// # Ok::<(), pg_ast::Error>(())
        /// ```
        #[allow(missing_docs)]
        pub enum NodeMut<'a> {
            $($variant(&'a mut protobuf::$message),)*
        }

        impl NodeEnum {
            /// Borrows the node.
            #[must_use]
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self { $(Self::$variant(node) => NodeRef::$variant(node),)* }
            }

            /// Borrows the node mutably.
            #[must_use]
            pub fn to_mut(&mut self) -> NodeMut<'_> {
                match self { $(Self::$variant(node) => NodeMut::$variant(node),)* }
            }
        }

        impl<'a> NodeRef<'a> {
            /// Returns PostgreSQL's name of the node type: that of the C struct.
            ///
            /// ```
            /// let tree = pg_ast::parse("CREATE LANGUAGE l HANDLER h; SELECT 1")?;
            /// let names: Vec<_> = tree.nodes().map(|node| node.name()).collect();
            /// assert_eq!(names[..2], ["RawStmt", "CreatePLangStmt"]);
            /// assert_eq!(names[3..], ["RawStmt", "SelectStmt", "ResTarget", "A_Const", "Integer"]);
            /// # Ok::<(), pg_ast::Error>(())
            /// ```
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($name),)* }
            }

            /// Returns a copy of the node and of all nodes below it.
            #[must_use]
            pub fn to_enum(self) -> NodeEnum {
                match self {
                    $(Self::$variant(node) => NodeEnum::$variant(copied!($held node)),)*
                }
            }

            fn variant(self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($variant),)* }
            }

            /// Returns the message, which has the fields.
            pub(crate) fn message(self) -> &'a DynMessage {
                match self { $(Self::$variant(node) => node,)* }
            }
        }

        impl<'a> NodeMut<'a> {
            /// Returns the same node, immutably borrowed.
            #[must_use]
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self { $(Self::$variant(node) => NodeRef::$variant(node),)* }
            }

            /// Borrows the same node for a shorter time, so that this borrow can be used again.
            #[must_use]
            pub fn reborrow(&mut self) -> NodeMut<'_> {
                match self { $(Self::$variant(node) => NodeMut::$variant(node),)* }
            }

            /// Returns the message, which has the fields.
            pub(crate) fn message(self) -> &'a mut DynMessage {
                match self { $(Self::$variant(node) => node,)* }
            }

            /// Takes the node, leaving an empty one of its type in its place.
            pub(crate) fn take(self) -> NodeEnum {
                let name = self.to_ref().variant();
                let variant = NodeEnum::VARIANTS.iter().find(|variant| variant.name == name);
                let empty = variant.and_then(|variant| NodeEnum::with_number(variant.number));
                let mut taken = empty.expect("each type of node has a number");
                // SAFETY: both are in the variant of this name, which has one message in all enums of nodes: this macro
                // and `NodeEnum` take it from the same field of the schema.
                unsafe { swap(taken.message_mut(), self.message()) };
                taken
            }
        }

        impl IntoRaw<*mut raw::Node> for NodeRef<'_> {
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
                match self {
                    $(Self::$variant(node) => {
                        <&protobuf::$message as IntoRaw<*mut raw::$raw>>::into_raw(node, cx).cast()
                    })*
                }
            }
        }

        $(
            impl<'a> From<&'a protobuf::$message> for NodeRef<'a> {
                #[inline]
                fn from(node: &'a protobuf::$message) -> Self {
                    Self::$variant(node)
                }
            }

            impl<'a> From<&'a mut protobuf::$message> for NodeMut<'a> {
                #[inline]
                fn from(node: &'a mut protobuf::$message) -> Self {
                    Self::$variant(node)
                }
            }

            impl From<protobuf::$message> for NodeEnum {
                #[inline]
                fn from(node: protobuf::$message) -> Self {
                    // In a box, if it is large.
                    Self::$variant(node.into())
                }
            }
        )*
    };
}
protobuf::each_node!(borrowed);

impl NodeMut<'_> {
    /// Returns a copy of the node and of all nodes below it.
    #[must_use]
    pub fn to_enum(&self) -> NodeEnum {
        self.to_ref().to_enum()
    }
}

/// Prints like a derived `Debug`.
impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(self.variant()).field(&self.message()).finish()
    }
}

impl fmt::Debug for NodeMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_ref().fmt(f)
    }
}
