//! The owned tree: walks, functions that make nodes, how it is converted, and how it is dropped.

mod accessors;
pub(crate) mod borrowed;
mod children;
mod locations;
pub mod make;
mod make_stmts;
pub(crate) mod messages;
pub(crate) mod nodes;
pub(crate) mod nodes_mut;
mod parts;
pub(crate) mod shapes;
mod shared;
mod tags;
pub(crate) mod teardown;
pub(crate) mod visit;
pub(crate) mod walk;

use super::names;
