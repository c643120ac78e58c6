//! PostgreSQL constants that are plain `i32`s in the tree, since the schema has no enumeration for them.

use crate::convert::enumeration::enumeration;

/// The strength of a table lock: the field `mode` of `LockStmt`.
///
/// The same in all versions. Mirrors PostgreSQL's `src/include/storage/lockdefs.h`.
///
/// ```
/// use pg_ast::LockMode;
///
/// let tree = pg_ast::parse("LOCK TABLE t IN SHARE MODE")?;
/// let lock = tree.stmts().find_map(|stmt| stmt.as_lock_stmt()).unwrap();
/// assert_eq!(LockMode::try_from(lock.mode), Ok(LockMode::ShareLock));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(i32)]
pub enum LockMode {
    /// No lock.
    NoLock = 0,
    /// `ACCESS SHARE`, taken by `SELECT`.
    AccessShareLock = 1,
    /// `ROW SHARE`, taken by `SELECT .. FOR UPDATE` and similar clauses.
    RowShareLock = 2,
    /// `ROW EXCLUSIVE`, taken by `INSERT`, `UPDATE` and `DELETE`.
    RowExclusiveLock = 3,
    /// `SHARE UPDATE EXCLUSIVE`, taken by `ANALYZE`.
    ShareUpdateExclusiveLock = 4,
    /// `SHARE`, taken by `CREATE INDEX`.
    ShareLock = 5,
    /// `SHARE ROW EXCLUSIVE`, taken by `CREATE TRIGGER`.
    ShareRowExclusiveLock = 6,
    /// `EXCLUSIVE`.
    ExclusiveLock = 7,
    /// `ACCESS EXCLUSIVE`, taken by `DROP TABLE`, and by `LOCK TABLE` without a mode.
    AccessExclusiveLock = 8,
}

enumeration!(LockMode:
    0 NoLock,
    1 AccessShareLock,
    2 RowShareLock,
    3 RowExclusiveLock,
    4 ShareUpdateExclusiveLock,
    5 ShareLock,
    6 ShareRowExclusiveLock,
    7 ExclusiveLock,
    8 AccessExclusiveLock,
);

/// The timing and the events of a trigger: bits of the fields `timing` and `events` of `CreateTrigStmt`.
///
/// An unset bit means the other case: without `Row` it is `FOR EACH STATEMENT`, without `Before` and
/// `Instead` it is `AFTER`. (In the tree, `FOR EACH ROW` is a separate field, `row`.)
///
/// The same in all versions. Mirrors `TRIGGER_TYPE_..` of PostgreSQL's `src/include/catalog/pg_trigger.h`.
///
/// ```
/// use pg_ast::TriggerType;
///
/// let sql = "CREATE TRIGGER g BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()";
/// let tree = pg_ast::parse(sql)?;
/// let trigger = tree.stmts().find_map(|stmt| stmt.as_create_trig_stmt()).unwrap();
/// assert_eq!(TriggerType::try_from(trigger.timing), Ok(TriggerType::Before));
/// assert_eq!(trigger.events, TriggerType::Insert as i32 | TriggerType::Update as i32);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(i32)]
pub enum TriggerType {
    /// `FOR EACH ROW`.
    Row = 1,
    /// `BEFORE`.
    Before = 2,
    /// `INSERT`.
    Insert = 4,
    /// `DELETE`.
    Delete = 8,
    /// `UPDATE`.
    Update = 16,
    /// `TRUNCATE`.
    Truncate = 32,
    /// `INSTEAD OF`.
    Instead = 64,
}

enumeration!(TriggerType:
    1 Row,
    2 Before,
    4 Insert,
    8 Delete,
    16 Update,
    32 Truncate,
    64 Instead,
);
