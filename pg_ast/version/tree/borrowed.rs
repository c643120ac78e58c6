//! Nodes of any type, borrowed: `NodeRef` and `NodeMut`.
//!
//! What is a list over all types of nodes is written once here, in macros that `each_node!` calls: the
//! generated code has that, and says of each type what there is to say.

use core::fmt;
use core::mem;

use super::NodeEnum;
use super::message::DynMessage;
use super::protobuf;
use super::raw;
use crate::runtime::convert::{IntoRaw, IntoRawContext};

/// What a variant of [`NodeEnum`] holds: a message, or a box with one.
macro_rules! held {
    (in_place $message:expr) => {
        $message
    };
    (boxed $message:expr) => {
        ::std::boxed::Box::new($message)
    };
}

macro_rules! borrowed {
    ($($variant:ident $message:ident $held:ident $raw:ident $name:ident $($_method:ident)*;)*) => {
        /// A node of any type, borrowed: one variant for each type that a node can have.
        ///
        /// It is as small as a reference and a tag, and can be copied. A reference to a node of a
        /// given type becomes one by `From`.
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

        /// A node of any type, borrowed to be changed: one variant for each type that a node can
        /// have.
        ///
        /// It cannot put a node of another type in its place; that is done through the
        /// [`Node`](super::Node) around it, by `Node::transform` or `VisitMut::visit_node`.
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
            /// The node, borrowed.
            #[must_use]
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self { $(Self::$variant(node) => NodeRef::$variant(node),)* }
            }

            /// The node, borrowed to be changed.
            #[must_use]
            pub fn to_mut(&mut self) -> NodeMut<'_> {
                match self { $(Self::$variant(node) => NodeMut::$variant(node),)* }
            }
        }

        impl<'a> NodeRef<'a> {
            /// What PostgreSQL calls the type of the node: the name of the C struct.
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

            /// A copy of the node, and of all that is below it.
            #[must_use]
            pub fn to_enum(self) -> NodeEnum {
                match self {
                    $(Self::$variant(node) => NodeEnum::$variant(held!($held node.clone())),)*
                }
            }

            fn variant(self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($variant),)* }
            }

            /// What has the fields.
            pub(crate) fn message(self) -> &'a DynMessage {
                match self { $(Self::$variant(node) => node,)* }
            }
        }

        impl<'a> NodeMut<'a> {
            /// The same node, to be read.
            #[must_use]
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self { $(Self::$variant(node) => NodeRef::$variant(node),)* }
            }

            /// The same node for a shorter time, so that this borrow can be used again.
            #[must_use]
            pub fn reborrow(&mut self) -> NodeMut<'_> {
                match self { $(Self::$variant(node) => NodeMut::$variant(node),)* }
            }

            /// What has the fields.
            pub(crate) fn message(self) -> &'a mut DynMessage {
                match self { $(Self::$variant(node) => node,)* }
            }

            /// The node, with an empty one of its type left in its place.
            pub(crate) fn take(self) -> NodeEnum {
                match self {
                    $(Self::$variant(node) => NodeEnum::$variant(held!($held mem::take(node))),)*
                }
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
                    Self::$variant(held!($held node))
                }
            }
        )*
    };
}
protobuf::each_node!(borrowed);

impl NodeMut<'_> {
    /// A copy of the node, and of all that is below it.
    #[must_use]
    pub fn to_enum(&self) -> NodeEnum {
        self.to_ref().to_enum()
    }
}

/// As the standard library derives it.
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
