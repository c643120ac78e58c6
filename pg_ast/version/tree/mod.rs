//! The owned tree: walks, functions that make nodes, and how it is dropped.

use super::{Node, NodeEnum, NodeMut, NodeRef, ParseResult, protobuf, raw};

mod accessors;
pub(super) mod borrowed;
#[cfg(feature = "serde")]
mod contents;
mod copy;
pub(super) mod downcast;
#[cfg(feature = "serde")]
mod json_read;
#[cfg(feature = "serde")]
mod json_write;
pub mod make;
pub(in super::super) mod message;
mod message_table;
pub(super) mod nodes;
pub(super) mod nodes_mut;
mod shared;
mod tags;
mod teardown;
pub(super) mod testing;
mod values;
pub(super) mod visit;
pub(super) mod walk;
pub(in super::super) mod wire;
