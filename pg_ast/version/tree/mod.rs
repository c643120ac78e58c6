//! The owned tree: ways through it, nodes made by hand, and how it is dropped.

use super::{Node, NodeEnum, NodeMut, NodeRef, ParseResult, Visit, VisitMut, protobuf, raw};

#[cfg(feature = "serde")]
pub(in super::super) mod json_nodes;
pub mod make;
pub(super) mod nodes;
mod tags;
mod teardown;
pub(super) mod testing;
mod visit;
pub(in super::super) mod walk;
