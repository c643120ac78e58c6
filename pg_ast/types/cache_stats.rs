//! The counts of a cache.

/// The counts of a [`ShapeCache`](crate::ShapeCache) since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShapeCacheStats {
    /// Statements that were not parsed.
    pub hits: u64,
    /// Statements that were parsed, those with errors among them.
    pub misses: u64,
    /// Entries that were removed to make room for others.
    pub evictions: u64,
    /// The entries now.
    pub entries: usize,
    /// The bytes that they take.
    pub bytes: u64,
}
