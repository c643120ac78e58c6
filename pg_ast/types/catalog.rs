//! PostgreSQL's constants that are an `i32` in the tree, since the schema has no enumeration for them.

use crate::runtime::enumeration::enumeration;

/// How a table is locked: `mode` of `LockStmt`.
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
#[repr(i32)]
pub enum LockMode {
    /// None.
    NoLock = 0,
    /// `ACCESS SHARE`: what `SELECT` takes.
    AccessShareLock = 1,
    /// `ROW SHARE`: what `SELECT .. FOR UPDATE` and its like take.
    RowShareLock = 2,
    /// `ROW EXCLUSIVE`: what `INSERT`, `UPDATE` and `DELETE` take.
    RowExclusiveLock = 3,
    /// `SHARE UPDATE EXCLUSIVE`: what `ANALYZE` takes.
    ShareUpdateExclusiveLock = 4,
    /// `SHARE`: what `CREATE INDEX` takes.
    ShareLock = 5,
    /// `SHARE ROW EXCLUSIVE`: what `CREATE TRIGGER` takes.
    ShareRowExclusiveLock = 6,
    /// `EXCLUSIVE`.
    ExclusiveLock = 7,
    /// `ACCESS EXCLUSIVE`: what `DROP TABLE` takes, and `LOCK TABLE` without a mode.
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

/// When a trigger fires: the bits of `timing` and `events` of `CreateTrigStmt`.
///
/// A bit that is not set stands for the other case: without `Row` it is `FOR EACH STATEMENT`, without `Before` and
/// `Instead` it is `AFTER`. (Whether a trigger is `FOR EACH ROW` is a field of its own in the tree, `row`.)
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
