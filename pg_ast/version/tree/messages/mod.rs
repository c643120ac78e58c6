//! The operations over all messages of the tree, as loops over the tables of their fields: `Clone`, `PartialEq`,
//! Protobuf, serde.

#[cfg(feature = "serde")]
pub(crate) mod contents;
pub(crate) mod copy;
#[cfg(feature = "serde")]
pub(crate) mod json_read;
#[cfg(feature = "serde")]
pub(crate) mod json_write;
pub(crate) mod message;
pub(crate) mod message_table;
pub(crate) mod values;
pub(crate) mod wire;

use super::{names, teardown, walk};
