//! What a fingerprint is the hash of.

pub(crate) mod c_fields;
pub(crate) mod stream;
