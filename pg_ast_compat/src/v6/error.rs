//! The errors of all calls.

use std::ffi::NulError;

use thiserror::Error;

/// Why a call failed. Messages are PostgreSQL's.
#[derive(Debug, Error, Eq, PartialEq)]
pub enum Error {
    /// The SQL contains a NUL.
    #[error("Invalid statement format: {0}")]
    Conversion(#[from] NulError),
    /// The tree is too deep, or a string in it is not UTF-8.
    #[error("Error decoding result: {0}")]
    Decode(#[from] prost::DecodeError),
    /// PostgreSQL does not accept the SQL, or the tree cannot be deparsed.
    #[error("Invalid statement: {0}")]
    Parse(String),
    /// Not returned by any call here.
    #[error("Error parsing JSON: {0}")]
    InvalidJson(String),
    /// A [`NodeMut`](super::NodeMut) has a null pointer.
    #[error("Invalid pointer")]
    InvalidPointer,
    /// PostgreSQL's scanner does not accept the SQL.
    #[error("Error scanning: {0}")]
    Scan(String),
    /// The SQL cannot be split into statements.
    #[error("Error splitting: {0}")]
    Split(String),
}

/// The result type of the calls.
pub type Result<T> = core::result::Result<T, Error>;
