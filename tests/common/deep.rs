//! The depth of deep statements.

/// A depth that needs many times the stack of a test thread. Frames are small in optimised code.
pub const DEEP: usize = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
