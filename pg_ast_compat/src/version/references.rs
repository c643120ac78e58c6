//! Nodes of any type, borrowed.

use super::lists::each_node;
use super::{Error, NodeEnum, Result, protobuf};

macro_rules! references {
    ($($variant:ident $message:ident;)*) => {
        /// A node of any type, borrowed.
        #[derive(Debug, Copy, Clone)]
        #[allow(missing_docs)]
        pub enum NodeRef<'a> {
            $($variant(&'a protobuf::$message),)*
        }

        /// A node of any type, as a pointer through which it can be changed.
        ///
        /// The pointers come from [`nodes_mut`](protobuf::ParseResult::nodes_mut) and `to_mut`. The compiler does not
        /// see how long they may be used: that is until the tree is moved, dropped, or changed above the node.
        #[derive(Debug, Copy, Clone)]
        #[allow(missing_docs)]
        pub enum NodeMut {
            $($variant(*mut protobuf::$message),)*
        }

        impl NodeEnum {
            /// The node, borrowed.
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self {
                    $(Self::$variant(message) => NodeRef::$variant(message),)*
                }
            }

            /// A pointer to the node.
            pub fn to_mut(&mut self) -> NodeMut {
                match self {
                    $(Self::$variant(message) => message.to_mut(),)*
                }
            }
        }

        impl NodeRef<'_> {
            /// A copy of the node.
            pub fn to_enum(&self) -> NodeEnum {
                match self {
                    $(Self::$variant(message) => {
                        NodeEnum::$variant(protobuf::$message::clone(message).into())
                    })*
                }
            }
        }

        impl NodeMut {
            /// A copy of the node.
            ///
            /// The pointer has to be null, or one that may still be used: see [`NodeMut`].
            ///
            /// # Errors
            ///
            /// The pointer is null ([`Error::InvalidPointer`]).
            pub fn to_enum(&self) -> Result<NodeEnum> {
                match self {
                    $(Self::$variant(message) => {
                        // SAFETY: the caller answers for the pointer. That this function is safe to
                        // call all the same is pg_query's interface.
                        let message = unsafe { message.as_ref() }.ok_or(Error::InvalidPointer)?;
                        Ok(NodeEnum::$variant(message.clone().into()))
                    })*
                }
            }

            /// Where the node is.
            pub(super) fn address(&self) -> *const u8 {
                match self {
                    $(Self::$variant(message) => message.cast(),)*
                }
            }
        }

        $(impl protobuf::$message {
            /// The message as a node, borrowed.
            pub fn to_ref(&self) -> NodeRef<'_> {
                NodeRef::$variant(self)
            }

            /// A pointer to the message, as a node.
            pub fn to_mut(&mut self) -> NodeMut {
                NodeMut::$variant(self)
            }
        })*
    };
}
each_node!(references);
