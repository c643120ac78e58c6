//! How deep a deep statement is.

/// Levels that take many times the stack that a thread of a test has. Frames are small where the compiler optimises.
pub const DEEP: usize = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
