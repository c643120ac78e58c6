//! The limits on the depth and the size of trees. LIMITS.md lists all limits and their reasons.

use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// The levels of a tree that need not be counted: with so many, the compiler's drop glue fits every
/// stack. A deeper tree is taken apart with a work list, if the stack is too short for it.
///
/// Drop glue is compiled with the crate that drops, at its level of optimisation, so its need must
/// not be computed from the settings of this crate. It takes at most 480 bytes per level,
/// without optimisation on Windows: 96 KB for this many levels.
pub(crate) const SHALLOW: usize = 200;

/// The stack that drop glue takes per level, with some margin: see [`SHALLOW`].
pub(crate) const DROP_BYTES_PER_LEVEL: usize = 512;

/// The default for the length of SQL.
pub(crate) const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The longest SQL that PostgreSQL's scanner accepts: with two bytes at its end it has to fit into
/// one chunk of memory (`MaxAllocSize` of PostgreSQL's `memutils.h`).
pub(crate) const SCANNER_MAX_BYTES: usize = 0x3fff_ffff - 2;

/// The default for the levels of a tree. PostgreSQL's own limit is the stack (`max_stack_depth`), and by default allows
/// about so many `UNION`. Drop glue needs less than 2 MiB of stack: LIMITS.md has the exception.
pub(crate) const MAX_DEPTH: usize = if DEEPEST < 6_500 { DEEPEST } else { 6_500 };

/// More levels than memory has room for.
pub(crate) const NO_LIMIT: usize = usize::MAX / 2;

/// The levels that any owned tree may have, whatever limit is set. WebAssembly has no other stack to continue on, and its
/// engine's own stack cannot be measured: LIMITS.md has what a level takes.
pub(crate) const DEEPEST: usize = if cfg!(not(target_family = "wasm")) {
    NO_LIMIT
} else if cfg!(pg_ast_unoptimised) {
    100
} else {
    256
};

/// The levels that are printed for `Debug`, and that JSON of an owned tree may have: each takes several times the stack of a
/// level of anything else.
#[cfg(any(feature = "serde", target_family = "wasm"))]
pub(crate) const DEEPEST_SHOWN: usize = if cfg!(not(target_family = "wasm")) {
    NO_LIMIT
} else if cfg!(pg_ast_unoptimised) {
    50
} else {
    100
};

/// The number of nodes that any SQL may have, up to the first of these lengths, and the number of further ones per byte
/// beyond it, up to each next length. A byte makes fewer than 4 nodes (tests/programs/limits.rs), unless it is in the source of an
/// assignment to several columns: these make `n` squared nodes of `n` columns.
///
/// - Anybody can send a short text, which must not cost much: printing a node for `Debug`, the slowest of all calls, takes
///   a tenth of a microsecond ([`Limits::weigh`]).
/// - For a row of many columns, there is room in a longer one ...
/// - ... and enough of it in the longest ones.
const NODES_PER_BYTE: [(usize, usize); 3] = [(1_024, 0), (16 * 1_024, 64), (usize::MAX, 16)];
/// See [`NODES_PER_BYTE`].
const MIN_NODES: usize = 28 * 1_024;

/// The number of bytes of a longer string that count as a node.
pub(crate) const BYTES_PER_NODE: usize = 32;

/// The limits on a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The deepest level, as `nodes()` counts: a statement is at 0.
    pub(crate) max_depth: usize,
    /// The maximum number of nodes. A list counts as a node.
    pub(crate) max_nodes: usize,
    /// True for the default, which stands for work: nodes that are copied then count by what they cost.
    pub(crate) weighs: bool,
}

impl Limits {
    /// Returns the limits on the tree of SQL.
    pub(crate) fn new(sql: &str, options: ParserOptions) -> Self {
        let max_nodes = options.max_nodes.unwrap_or_else(|| default_nodes(sql.len()));
        Self { max_depth: options.max_depth, max_nodes, weighs: options.max_nodes.is_none() }
    }

    /// Returns the limits on a tree with so many bytes of memory that a program has added: they count like those of SQL.
    pub(crate) fn grown(self, bytes: usize) -> Self {
        let max_nodes = if self.weighs { default_nodes(bytes) } else { 0 };
        Self { max_nodes: self.max_nodes.max(max_nodes), ..self }
    }

    /// Returns how much a node with that number of fields counts where nodes are copied, in halves: as one, or else as one
    /// and half of its fields. A `ColumnRef` with its list and name are 4.5; a `SELECT`, which takes ten times as long as
    /// a parameter to print, counts five times as much.
    pub(crate) fn weigh(self, fields: usize) -> usize {
        if self.weighs { 2 + fields } else { 2 }
    }
}

/// Returns the maximum number of nodes of SQL with so many bytes.
fn default_nodes(bytes: usize) -> usize {
    let mut nodes = MIN_NODES;
    let mut start = 0;
    for (end, per_byte) in NODES_PER_BYTE {
        let part = bytes.min(end) - bytes.min(start);
        nodes = nodes.saturating_add(part.saturating_mul(per_byte));
        start = end;
    }
    nodes
}

/// Rejects SQL that is longer than the options allow.
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
    /// Returns the limits for trees without SQL.
    fn default() -> Self {
        Self { max_depth: MAX_DEPTH, max_nodes: usize::MAX, weighs: false }
    }
}
