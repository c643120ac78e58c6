//! What statements do to a server, in types that are the same for all versions.

use std::collections::HashMap;

use pg_ast::{LockMode, QualifiedName};

use crate::privilege::Privilege;
use pg_ast_catalog::Volatility;

/// An answer that the text of a statement may not be enough for.
///
/// The greater one is the one to be prepared for, so several are joined by `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Answer {
    /// No.
    #[default]
    No,
    /// It depends on what is in the database, or on settings.
    Maybe,
    /// Yes, if there is a row to do it for: no condition is evaluated, so `SELECT nextval('s') WHERE false`
    /// writes as `UPDATE t SET a = 1 WHERE false` does.
    Yes,
}

impl Answer {
    /// Returns whether it is [`Yes`](Self::Yes).
    #[must_use]
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }

    /// Returns whether it is [`No`](Self::No).
    #[must_use]
    pub const fn is_no(self) -> bool {
        matches!(self, Self::No)
    }
}

impl From<bool> for Answer {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

/// What one statement does to a server: what it writes, locks, changes in the session, can lose and needs.
///
/// All of it is known from the text of the statement. What depends on the database is [`Answer::Maybe`], or is about
/// [related tables](TableEffect::which), which may not exist. Not covered is what the objects in the database do by themselves:
/// triggers, rules, the functions of views, defaults, domains, operators and policies; with a catalog (`effects_in`), triggers,
/// foreign keys and functions are, also those of views, defaults, checks and indexes, but not those of domains, operators and policies. A function without a schema is that of `pg_catalog`, if there is one with its name. Of what a `DO`
/// may not run, because it is in an `IF`, a loop or a block with handlers, the answers are [`Maybe`](Answer::Maybe), and its tables, losses and privileges are listed as the others.
///
/// ```
/// use pg_ast::LockMode;
/// use pg_ast_effects::{Answer, FindEffects as _, TransactionBlock};
///
/// let tree = pg_ast::parse("ALTER TABLE t ADD id uuid DEFAULT gen_random_uuid(); CREATE INDEX CONCURRENTLY i ON t (id)")?;
/// let [add, index] = &tree.effects()[..] else { panic!() };
/// assert_eq!(add.tables[0].lock, LockMode::AccessExclusiveLock);
/// assert_eq!(add.tables[0].rewrites, Answer::Yes);
/// assert_eq!(index.tables[0].lock, LockMode::ShareUpdateExclusiveLock);
/// assert_eq!((index.tables[0].rewrites, index.tables[0].scans), (Answer::No, Answer::Yes));
/// assert_eq!(index.block, TransactionBlock::Outside);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Effects {
    /// Whether it changes what other sessions can see, or what is on disk: rows, definitions, row locks, sequences, the server's
    /// statistics and replication.
    pub writes: Answer,
    /// Whether it is allowed in a read-only transaction. What writes to temporary tables alone is allowed, but its text does not
    /// say that it does.
    pub in_read_only: Answer,
    /// Whether it is allowed on a standby.
    pub on_standby: Answer,
    /// What it changes in the session, beyond the transaction.
    pub session: Vec<SessionEffect>,
    /// What it does to the transaction.
    pub transaction: Vec<TransactionEffect>,
    /// Whether it can be in a transaction block.
    pub block: TransactionBlock,
    /// The tables and other relations that it locks.
    pub tables: Vec<TableEffect>,
    /// What is gone when it has run.
    pub losses: Vec<Loss>,
    /// Whether it succeeds a second time and leaves everything as after the first.
    pub repeatable: Answer,
    /// The privileges that it needs: with all of them, a server runs it, and without one of them it does not. A superuser has them
    /// all: a statement that only superusers may run has that one alone. What everybody has of PostgreSQL's own functions, types and
    /// schemas is not told.
    pub privileges: Vec<Privilege>,
    /// The functions that it calls.
    pub functions: Vec<FunctionCalled>,
    /// SQL that it runs and that is not in its text.
    pub unknown: Vec<UnknownSql>,
}

impl Default for Effects {
    fn default() -> Self {
        Self {
            writes: Answer::No,
            in_read_only: Answer::Yes,
            on_standby: Answer::Yes,
            session: Vec::new(),
            transaction: Vec::new(),
            block: TransactionBlock::Anywhere,
            tables: Vec::new(),
            losses: Vec::new(),
            repeatable: Answer::Yes,
            privileges: Vec::new(),
            functions: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

impl Effects {
    /// Returns whether nothing that the statement runs can write or change the session: any server and any session can run it.
    ///
    /// ```
    /// use pg_ast_effects::FindEffects as _;
    ///
    /// let is_pure = |sql| Ok::<_, pg_ast::Error>(pg_ast::parse(sql)?.effects()[0].is_pure());
    /// assert!(is_pure("SELECT lower(a) FROM t WHERE b < now()")?);
    /// assert!(!is_pure("SELECT nextval('s')")?);
    /// assert!(!is_pure("SELECT own_function()")?);
    /// assert!(!is_pure("SET search_path = s")?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.writes.is_no() && self.session.is_empty() && self.transaction.is_empty()
    }

    /// Returns the strongest lock that the statement can take on a relation, those included that it reaches by a dependency and
    /// that may not be there.
    ///
    /// ```
    /// use pg_ast::LockMode;
    /// use pg_ast_effects::FindEffects as _;
    ///
    /// let tree = pg_ast::parse("INSERT INTO a SELECT * FROM b")?;
    /// assert_eq!(tree.effects()[0].strongest_lock(), LockMode::RowExclusiveLock);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn strongest_lock(&self) -> LockMode {
        self.tables.iter().map(|table| table.lock).max().unwrap_or(LockMode::NoLock)
    }

    /// Returns whether a table is written anew.
    #[must_use]
    pub fn rewrites(&self) -> Answer {
        self.tables.iter().map(|table| table.rewrites).max().unwrap_or_default()
    }

    /// Adds what another statement does that runs as a part of this one.
    #[cfg(feature = "plpgsql")]
    pub(crate) fn add(&mut self, other: Self) {
        self.writes = self.writes.max(other.writes);
        self.in_read_only = self.in_read_only.min(other.in_read_only);
        self.on_standby = self.on_standby.min(other.on_standby);
        self.repeatable = self.repeatable.min(other.repeatable);
        self.session.extend(other.session);
        self.transaction.extend(other.transaction);
        self.losses.extend(other.losses);
        self.privileges.extend(other.privileges);
        self.functions.extend(other.functions);
        self.unknown.extend(other.unknown);
        self.tables.extend(other.tables);
    }

    /// Makes it what a statement does that may not run.
    #[cfg(feature = "plpgsql")]
    pub(crate) fn may_run(&mut self) {
        self.writes = self.writes.min(Answer::Maybe);
        self.in_read_only = self.in_read_only.max(Answer::Maybe);
        self.on_standby = self.on_standby.max(Answer::Maybe);
        self.repeatable = self.repeatable.max(Answer::Maybe);
        if self.block == TransactionBlock::Outside {
            self.block = TransactionBlock::MaybeOutside;
        }
        for table in &mut self.tables {
            table.locked = table.locked.min(Answer::Maybe);
            table.rewrites = table.rewrites.min(Answer::Maybe);
            table.scans = table.scans.min(Answer::Maybe);
        }
    }

    /// Joins the entries of the same relations: the strongest lock holds.
    pub(crate) fn merge_tables(&mut self) {
        let mut places = HashMap::new();
        let mut tables: Vec<TableEffect> = Vec::new();
        for table in core::mem::take(&mut self.tables) {
            let key = (table.name.clone(), table.which, table.of.clone());
            let place = *places.entry(key).or_insert(tables.len());
            let Some(same) = tables.get_mut(place) else {
                tables.push(table);
                continue;
            };
            same.lock = same.lock.max(table.lock);
            same.locked = same.locked.max(table.locked);
            same.rewrites = same.rewrites.max(table.rewrites);
            same.scans = same.scans.max(table.scans);
        }
        self.tables = tables;
    }
}

/// What a statement changes in the session that outlives its transaction: a pool must not give the session to another client
/// without a reset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SessionEffect {
    /// Sets a parameter, or resets it: `SET`, `RESET`, `set_config`. The name is empty if it is computed.
    Setting(String),
    /// Sets or resets all parameters: `RESET ALL`, `DISCARD ALL`.
    AllSettings,
    /// Listens to a channel.
    Listen(String),
    /// Stops listening; to all channels, if the name is empty.
    Unlisten(String),
    /// Creates a temporary table, view or sequence.
    Temporary(String),
    /// Prepares a statement.
    Prepare(String),
    /// Forgets a prepared statement; all, if the name is empty.
    Deallocate(String),
    /// Opens a cursor that outlives the transaction.
    Cursor(String),
    /// Closes a cursor; all, if the name is empty.
    CloseCursor(String),
    /// Takes or releases an advisory lock.
    AdvisoryLock,
    /// Gets the value of a sequence that `currval` and `lastval` return.
    Sequence,
    /// Sets the seed of `random`.
    Seed,
    /// Loads a library.
    Load(String),
    /// Forgets temporary tables, plans, or sequences: `DISCARD`.
    Discard,
    /// Sets up the session for replication.
    Replication,
    /// Runs SQL or a function of which nothing is known.
    Unknown,
}

/// What a statement does to the transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum TransactionEffect {
    /// Begins one.
    Begin,
    /// Commits it.
    Commit {
        /// `AND CHAIN`: another one begins at once.
        chain: bool,
    },
    /// Rolls it back.
    Rollback {
        /// `AND CHAIN`: another one begins at once.
        chain: bool,
    },
    /// Defines a savepoint.
    Savepoint(String),
    /// Releases a savepoint.
    Release(String),
    /// Rolls back to a savepoint.
    RollbackTo(String),
    /// Prepares it for a two-phase commit.
    Prepare(String),
    /// Commits a prepared transaction.
    CommitPrepared(String),
    /// Rolls a prepared transaction back.
    RollbackPrepared(String),
    /// Sets a parameter up to its end: `SET LOCAL`, `SET TRANSACTION`, `set_config` with a third argument.
    Setting(String),
    /// Sets when constraints are checked.
    Constraints,
    /// Opens a cursor that it closes.
    Cursor(String),
    /// Takes an advisory lock that it releases.
    AdvisoryLock,
    /// Sends a notification when it commits.
    Notify,
    /// A procedure that may commit or roll back.
    MayEnd,
}

/// Whether a statement can be in a transaction block (`BEGIN` .. `COMMIT`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum TransactionBlock {
    /// It can be.
    #[default]
    Anywhere,
    /// Outside of one it has no effect but a warning.
    UsefulInside,
    /// It must be in one.
    Inside,
    /// It depends on the objects: whether a table is partitioned, whether a procedure commits. Or a `DO` that may commit.
    MaybeOutside,
    /// It cannot be in one.
    Outside,
}

/// The relation that is affected: the one with the name, or others that depend on what is in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Which {
    /// The relation with the name.
    Itself,
    /// Its partitions, and the tables that inherit from it.
    Descendants,
    /// The table that it is a partition of, or that it inherits from.
    Parent,
    /// The default partition, which may have rows that belong elsewhere now.
    DefaultPartition,
    /// The table of the index, statistics object or sequence with the name.
    TableOf,
    /// The tables that its foreign keys reference.
    Referenced,
    /// The tables whose foreign keys reference it.
    Referencing,
    /// The sequences that its columns own.
    OwnedSequences,
    /// The tables that its query reads: it is a view.
    Read,
    /// What depends on it, or on a part of it: it goes with it, or loses what it had of it.
    Dependents,
    /// The tables with columns of the domain with the name.
    Using,
    /// Its indexes, or all of the schema or the database. Who only reads the table waits for this lock, too.
    Indexes,
    /// All of the schema or the database; the name is that of the schema, or empty.
    All,
}

/// What a statement does to a table or another relation.
///
/// What queries read and write has an entry by its name alone: its descendants get the same lock, and of a view, the tables that
/// it reads. With a catalog (`effects_in`), these have entries as well, and so have all other relations that it knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TableEffect {
    /// The name of the relation, with the schema if the statement names it.
    pub name: QualifiedName,
    /// Which relations it is about: the one with this name, or related ones, if there are any.
    pub which: Which,
    /// The relation to which this one is related, as `which` says. `None` if the statement names this one, and if the related ones are
    /// not known: then `name` is that of the relation to which they are related.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub of: Option<QualifiedName>,
    /// The lock, which is held up to the end of the transaction.
    pub lock: LockMode,
    /// Whether it is locked whenever the statement succeeds. [`Maybe`](Answer::Maybe) if there may be no such relation, and if it is
    /// locked for rows that there may not be: by their triggers and foreign keys.
    pub locked: Answer,
    /// Whether all of it is written to a new file.
    ///
    /// [`Yes`](Answer::Yes) if the statement has anything to do: `SET LOGGED` does nothing to a table that is logged.
    pub rewrites: Answer,
    /// Whether all of its rows are read to check or to index them, or to write them anew. Queries that read are not
    /// meant.
    pub scans: Answer,
}

/// What is gone after a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Loss {
    /// What is lost.
    pub kind: LossKind,
    /// The name of the object, or of the table that it is a part of; `None` if the statement has none.
    pub name: Option<QualifiedName>,
    /// The column, the constraint, the trigger, the rule or the policy of the table.
    pub part: Option<String>,
    /// Whether what depends on it goes with it: `CASCADE`.
    pub cascades: bool,
}

/// The kind of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LossKind {
    /// A definition that can be made again: of a view, a function, an index, a constraint.
    Definition,
    /// Values of rows that a condition selects: `UPDATE`.
    Values,
    /// Rows that a condition selects: `DELETE`.
    Rows,
    /// Values of all rows: `UPDATE` without a condition, or another type of a column.
    AllValues,
    /// All rows: `TRUNCATE`, `DELETE` without a condition.
    AllRows,
    /// A column with its values.
    Column,
    /// A table, materialized view or sequence with its contents.
    Relation,
    /// A schema, an extension, what a role owns, with all that is in it.
    Container,
    /// A database.
    Database,
    /// It depends on SQL that is not in the statement.
    Unknown,
}

/// A function that a statement calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FunctionCalled {
    /// The name, with the schema if the statement names it.
    pub name: QualifiedName,
    /// How its result depends on its arguments; [`Volatile`](Volatility::Volatile) if it is not PostgreSQL's.
    pub volatility: Volatility,
    /// Whether it can run in a parallel worker; [`Maybe`](Answer::Maybe) in the leader alone.
    pub parallel_safe: Answer,
    /// Whether it is not called if an argument is `NULL`, whichever function of this name it is.
    pub is_strict: bool,
    /// Whether it writes.
    pub writes: Answer,
    /// Whether it is one of PostgreSQL's own.
    pub is_builtin: bool,
}

/// SQL that a statement runs and that is not in its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum UnknownSql {
    /// A function or procedure that is not PostgreSQL's own.
    Function(QualifiedName),
    /// A prepared statement that is executed.
    Prepared(String),
    /// The body of a `DO` in this language, or one that could not be read.
    Body(String),
    /// Dynamic SQL, or SQL that is passed to a function as a string.
    Dynamic(String),
    /// The query of a view that is refreshed.
    View(QualifiedName),
    /// The rows of a cursor.
    Cursor(String),
    /// The rules of a table or a view.
    Rules(QualifiedName),
}
