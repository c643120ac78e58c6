//! Converts C's JSON of PL/pgSQL to a value.

use serde::Deserialize as _;
use serde_json::Value;

use crate::foundation::{nesting, stack};
use crate::types::error::{Error, ErrorKind};

/// The maximum stack for cloning one level of a `Value`: measured without optimisation, since a
/// program may compile serde_json that way, however this crate is compiled. Dropping, comparing and printing take
/// less.
const BYTES_PER_LEVEL: usize = 2048;

/// The stack that is assumed to be left if its size is unknown (a coroutine's).
const ASSUMED_STACK: usize = 128 * 1024;

/// The maximum stack for reading one level: measured, and doubled.
const BYTES_TO_READ: usize = 4096;

/// Returns the maximum depth of a value that can be dropped on this stack.
pub(crate) fn max_depth() -> usize {
    // An eighth is kept for code that drops it from a little deeper down.
    stack::remaining().unwrap_or(ASSUMED_STACK) / 8 * 7 / BYTES_PER_LEVEL
}

/// Reads the JSON that C made.
pub(crate) fn to_value(json: &[u8], max_depth: usize) -> Result<Value, Error> {
    let depth = nesting::depth(json);
    if depth > max_depth {
        return Err(Error::too_deep(max_depth));
    }
    let stack = (depth + 32) * BYTES_TO_READ;
    let value = stack::try_with_bytes(stack, || {
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        deserializer.disable_recursion_limit();
        Value::deserialize(&mut deserializer)
    })?;
    value.map_err(|error| {
        let message = format!("libpg_query returned invalid JSON: {error}");
        Error::new(ErrorKind::UnmappedNode, message)
    })
}
