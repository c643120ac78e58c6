//! Protobuf and JSON, as far as they are the same for all versions.

pub(crate) mod decode;
#[cfg(feature = "serde")]
pub mod json;
