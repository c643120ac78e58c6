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
        /// The pointers come from [`nodes_mut`](protobuf::ParseResult::nodes_mut) and `to_mut`. The compiler cannot
        /// see how long they are valid: until the tree is moved, dropped, or changed above the node.
        #[derive(Debug, Copy, Clone)]
        #[allow(missing_docs)]
        pub enum NodeMut {
            $($variant(*mut protobuf::$message),)*
        }

        impl NodeEnum {
            /// Borrows the node.
            pub fn to_ref(&self) -> NodeRef<'_> {
                match self {
                    $(Self::$variant(message) => NodeRef::$variant(message),)*
                }
            }

            /// Returns a pointer to the node.
            pub fn to_mut(&mut self) -> NodeMut {
                match self {
                    $(Self::$variant(message) => message.to_mut(),)*
                }
            }
        }

        impl NodeRef<'_> {
            /// Returns a copy of the node.
            pub fn to_enum(&self) -> NodeEnum {
                match self {
                    $(Self::$variant(message) => {
                        NodeEnum::$variant(protobuf::$message::clone(message).into())
                    })*
                }
            }
        }

        impl NodeMut {
            /// Returns a copy of the node.
            ///
            /// The pointer has to be null or still valid: see [`NodeMut`].
            ///
            /// # Errors
            ///
            /// The pointer is null ([`Error::InvalidPointer`]).
            pub fn to_enum(&self) -> Result<NodeEnum> {
                match self {
                    $(Self::$variant(message) => {
                        // SAFETY: the caller guarantees the pointer. That this function is safe to
                        // call all the same is pg_query's interface.
                        let message = unsafe { message.as_ref() }.ok_or(Error::InvalidPointer)?;
                        Ok(NodeEnum::$variant(message.clone().into()))
                    })*
                }
            }

            /// Returns the address of the node.
            pub(super) fn address(&self) -> *const u8 {
                match self {
                    $(Self::$variant(message) => message.cast(),)*
                }
            }
        }

        $(impl protobuf::$message {
            /// Borrows the message as a node.
            pub fn to_ref(&self) -> NodeRef<'_> {
                NodeRef::$variant(self)
            }

            /// Returns a pointer to the message as a node.
            pub fn to_mut(&mut self) -> NodeMut {
                NodeMut::$variant(self)
            }
        })*
    };
}
each_node!(references);
