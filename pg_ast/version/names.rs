//! What all folders of a version name: its C structs, its messages, the tables of its views, and the types of its trees.

pub(super) use super::super::views;
pub(crate) use super::super::{protobuf, raw};
pub(crate) use super::read::parse::ParseResult;
pub(crate) use super::tree::borrowed::{NodeMut, NodeRef};
pub use protobuf::Node;
pub use protobuf::node::Node as NodeEnum;

/// The major version.
pub(crate) const MAJOR: u32 = raw::PG_VERSION_NUM / 10_000;
