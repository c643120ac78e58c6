//! How deep and how large a tree may be. LIMITS.md has all limits, and what they are for.

use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// The levels of a tree that need not be counted: with so many the compiler's drop glue fits every
/// stack. One that has more is taken apart from a work list, where the stack is too short for it.
///
/// Drop glue is compiled with the crate that drops, at its level of optimisation, so its need must
/// not be computed from the settings of this crate. It takes 400 bytes a level where it takes most,
/// without optimisation: 80 KB for so many levels.
pub(crate) const SHALLOW: usize = 200;

/// What dropping a level by drop glue takes of the stack, with some to spare: see [`SHALLOW`].
pub(crate) const DROP_BYTES_PER_LEVEL: usize = 512;

/// The longest text that is parsed, by default.
pub(crate) const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The longest text that PostgreSQL's scanner takes: with two bytes at its end it has to fit into
/// one chunk of memory (`MaxAllocSize` of PostgreSQL's `memutils.h`).
pub(crate) const SCANNER_MAX_BYTES: usize = 0x3fff_ffff - 2;

/// The most levels of a tree, by default: so many that drop glue needs less than 2 MiB of stack.
pub(crate) const MAX_DEPTH: usize = 4_000;

/// The nodes that a tree may have whatever its text is ...
const MAX_NODES: usize = 262_144;
/// ... and for each byte of it. A byte brings about fewer than 4 nodes (tests/limits.rs), unless
/// it is in the source of an assignment to several columns.
const MAX_NODES_PER_BYTE: usize = 16;

/// So many bytes of a string that is longer count as a node.
pub(crate) const BYTES_PER_NODE: usize = 32;

/// The limits on a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The deepest level, as `nodes()` counts: a statement is at 0.
    pub(crate) max_depth: usize,
    /// The most nodes. A list counts as a node.
    pub(crate) max_nodes: usize,
}

impl Limits {
    /// The limits on the tree of a text.
    pub(crate) fn new(sql: &str, options: ParserOptions) -> Self {
        let max_nodes = options.max_nodes.unwrap_or_else(|| {
            sql.len().saturating_mul(MAX_NODES_PER_BYTE).saturating_add(MAX_NODES)
        });
        Self { max_depth: options.max_depth, max_nodes }
    }
}

/// Refuses a text that is longer than the options allow.
pub(crate) fn check_length(sql: &str, options: ParserOptions) -> Result<(), Error> {
    let max = options.max_bytes.min(SCANNER_MAX_BYTES);
    if sql.len() <= max {
        return Ok(());
    }
    let place = (0..=max).rev().find(|place| sql.is_char_boundary(*place));
    let message = format!("the text is longer than {max} bytes");
    Err(Error::new(ErrorKind::TooLarge, message).with_cursor(place))
}

impl Default for Limits {
    /// For what is no text.
    fn default() -> Self {
        Self { max_depth: MAX_DEPTH, max_nodes: MAX_NODES }
    }
}
