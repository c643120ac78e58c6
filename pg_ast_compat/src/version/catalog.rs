//! PostgreSQL constants that are plain integers in trees.

/// The strength of a table lock, as in [`LockStmt::mode`](super::protobuf::LockStmt::mode).
///
/// Mirrors PostgreSQL's `src/include/storage/lockdefs.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum LockMode {
    NoLock = 0,
    AccessShareLock = 1,
    RowShareLock = 2,
    RowExclusiveLock = 3,
    ShareUpdateExclusiveLock = 4,
    ShareLock = 5,
    ShareRowExclusiveLock = 6,
    ExclusiveLock = 7,
    AccessExclusiveLock = 8,
}

/// The bits of [`CreateTrigStmt::events`](super::protobuf::CreateTrigStmt::events) and
/// [`timing`](super::protobuf::CreateTrigStmt::timing).
///
/// Mirrors PostgreSQL's `src/include/catalog/pg_trigger.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
#[allow(missing_docs)]
pub enum TriggerType {
    Row = 1,
    Before = 2,
    Insert = 4,
    Delete = 8,
    Update = 16,
    Truncate = 32,
    Instead = 64,
}
