//! Machinery that does not depend on the PostgreSQL version, compiled once.

pub(crate) mod arena;
pub(crate) mod c_tree;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod deparsed_comments;
pub(crate) mod enumeration;
pub(crate) mod hashing;
pub(crate) mod heap_size;
#[cfg(feature = "serde")]
pub mod json;
pub(crate) mod limits;
pub(crate) mod names;
#[cfg(feature = "plpgsql")]
pub(crate) mod nesting;
pub(crate) mod numbers;
pub(crate) mod order;
#[cfg(feature = "plpgsql")]
pub(crate) mod plpgsql;
pub(crate) mod psql;
pub(crate) mod reversed;
pub(crate) mod roles;
pub(crate) mod shapes;
pub(crate) mod shared_nodes;
pub(crate) mod stack;
