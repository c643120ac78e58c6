//! What is known of every subcommand of `ALTER TABLE`, and of `ALTER INDEX`, `ALTER VIEW` and their like.
//!
//! The locks are those of `AlterTableGetLockLevel` in PostgreSQL's `src/backend/commands/tablecmds.c`, recursion is that of
//! `ATPrepCmd` there, and what is rewritten and scanned that of `ATRewriteTables`. What depends on more than the subcommand is
//! in `alter_costs.rs`. `tests/server/effects.rs` compares them with a server.

use super::statement_rules::Repeat;
use crate::{Answer, LossKind, Which};
use pg_ast::LockMode;

/// Whether a subcommand applies to partitions and to tables that inherit, unless the statement says `ONLY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Descends {
    No,
    Yes,
    /// In servers from this major version on.
    Since(u32),
}

impl Descends {
    /// Returns whether it does in a server of a major version.
    pub(super) fn since(self, server: u32) -> bool {
        match self {
            Self::No => false,
            Self::Yes => true,
            Self::Since(major) => server >= major,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct AlterRule {
    name: &'static str,
    /// The lock on the table.
    pub(super) lock: LockMode,
    pub(super) rewrites: Answer,
    pub(super) scans: Answer,
    pub(super) descends: Descends,
    /// Other relations with their locks.
    pub(super) related: &'static [(Which, LockMode)],
    pub(super) loss: Option<LossKind>,
    pub(super) repeat: Repeat,
}

const fn at(name: &'static str, lock: LockMode) -> AlterRule {
    AlterRule {
        name,
        lock,
        rewrites: Answer::No,
        scans: Answer::No,
        descends: Descends::No,
        related: &[],
        loss: None,
        repeat: Repeat::Always,
    }
}

impl AlterRule {
    const fn rewrites(self, rewrites: Answer) -> Self {
        Self { rewrites, scans: rewrites, ..self }
    }

    const fn scans(self, scans: Answer) -> Self {
        Self { scans, ..self }
    }

    const fn descends(self) -> Self {
        Self { descends: Descends::Yes, ..self }
    }

    const fn descends_since(self, major: u32) -> Self {
        Self { descends: Descends::Since(major), ..self }
    }

    const fn locks(self, related: &'static [(Which, LockMode)]) -> Self {
        Self { related, ..self }
    }

    const fn loses(self, kind: LossKind) -> Self {
        Self { loss: Some(kind), ..self }
    }

    const fn repeat(self, repeat: Repeat) -> Self {
        Self { repeat, ..self }
    }
}

const ACCESS_EXCLUSIVE: LockMode = LockMode::AccessExclusiveLock;
const SHARE_ROW_EXCLUSIVE: LockMode = LockMode::ShareRowExclusiveLock;
const SHARE_UPDATE_EXCLUSIVE: LockMode = LockMode::ShareUpdateExclusiveLock;

const SEQUENCES_EXCLUSIVE: &[(Which, LockMode)] = &[(Which::OwnedSequences, ACCESS_EXCLUSIVE)];
const SEQUENCES: &[(Which, LockMode)] = &[(Which::OwnedSequences, SHARE_ROW_EXCLUSIVE)];

/// The rules, in the order of the names. Some subcommands are none of the grammar: the server makes them of others.
static RULES: &[AlterRule] = &[
    at("AT_AddColumn", ACCESS_EXCLUSIVE).descends().repeat(Repeat::ByFlag),
    at("AT_AddColumnRecurse", ACCESS_EXCLUSIVE).descends().repeat(Repeat::ByFlag),
    at("AT_AddColumnToView", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_AddConstraint", ACCESS_EXCLUSIVE).descends().repeat(Repeat::Never),
    at("AT_AddConstraintRecurse", ACCESS_EXCLUSIVE).descends().repeat(Repeat::Never),
    at("AT_AddIdentity", ACCESS_EXCLUSIVE).descends_since(17).repeat(Repeat::Never),
    at("AT_AddIndex", ACCESS_EXCLUSIVE).scans(Answer::Yes).repeat(Repeat::Never),
    at("AT_AddIndexConstraint", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_AddInherit", ACCESS_EXCLUSIVE)
        .locks(&[(Which::Parent, SHARE_UPDATE_EXCLUSIVE)])
        .repeat(Repeat::Never),
    at("AT_AddOf", ACCESS_EXCLUSIVE),
    at("AT_AlterColumnGenericOptions", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    // Indexes on the column are built again where it is not rewritten, unless their order stays.
    at("AT_AlterColumnType", ACCESS_EXCLUSIVE)
        .rewrites(Answer::Maybe)
        .descends()
        // Foreign keys of the column are made anew, and their rows compared if it is another type.
        .locks(&[(Which::Referenced, ACCESS_EXCLUSIVE), (Which::Referencing, ACCESS_EXCLUSIVE)])
        .loses(LossKind::AllValues),
    at("AT_AlterConstraint", ACCESS_EXCLUSIVE)
        .descends()
        .locks(&[(Which::Referenced, ACCESS_EXCLUSIVE), (Which::Referencing, ACCESS_EXCLUSIVE)]),
    at("AT_AttachPartition", SHARE_UPDATE_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_ChangeOwner", ACCESS_EXCLUSIVE).locks(SEQUENCES_EXCLUSIVE),
    at("AT_CheckNotNull", ACCESS_EXCLUSIVE).descends(),
    at("AT_ClusterOn", SHARE_UPDATE_EXCLUSIVE),
    at("AT_ColumnDefault", ACCESS_EXCLUSIVE).descends(),
    at("AT_CookedColumnDefault", ACCESS_EXCLUSIVE),
    at("AT_DetachPartition", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_DetachPartitionFinalize", SHARE_UPDATE_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_DisableRowSecurity", ACCESS_EXCLUSIVE),
    at("AT_DisableRule", ACCESS_EXCLUSIVE),
    at("AT_DisableTrig", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_DisableTrigAll", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_DisableTrigUser", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_DropCluster", SHARE_UPDATE_EXCLUSIVE),
    at("AT_DropColumn", ACCESS_EXCLUSIVE)
        .descends()
        .locks(&[(Which::OwnedSequences, ACCESS_EXCLUSIVE), (Which::Referenced, ACCESS_EXCLUSIVE)])
        .loses(LossKind::Column)
        .repeat(Repeat::ByFlag),
    at("AT_DropColumnRecurse", ACCESS_EXCLUSIVE)
        .descends()
        .loses(LossKind::Column)
        .repeat(Repeat::ByFlag),
    // It may be a foreign key.
    at("AT_DropConstraint", ACCESS_EXCLUSIVE)
        .descends()
        .locks(&[(Which::Referenced, ACCESS_EXCLUSIVE)])
        .loses(LossKind::Definition)
        .repeat(Repeat::ByFlag),
    at("AT_DropConstraintRecurse", ACCESS_EXCLUSIVE)
        .descends()
        .loses(LossKind::Definition)
        .repeat(Repeat::ByFlag),
    at("AT_DropExpression", ACCESS_EXCLUSIVE)
        .descends()
        .loses(LossKind::Definition)
        .repeat(Repeat::ByFlag),
    at("AT_DropIdentity", ACCESS_EXCLUSIVE)
        .descends_since(17)
        .locks(SEQUENCES_EXCLUSIVE)
        .loses(LossKind::Definition)
        .repeat(Repeat::ByFlag),
    at("AT_DropInherit", ACCESS_EXCLUSIVE)
        .locks(&[(Which::Parent, LockMode::AccessShareLock)])
        .repeat(Repeat::Never),
    at("AT_DropNotNull", ACCESS_EXCLUSIVE).descends(),
    at("AT_DropOf", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_DropOids", ACCESS_EXCLUSIVE).descends(),
    at("AT_EnableAlwaysRule", ACCESS_EXCLUSIVE),
    at("AT_EnableAlwaysTrig", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_EnableReplicaRule", ACCESS_EXCLUSIVE),
    at("AT_EnableReplicaTrig", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_EnableRowSecurity", ACCESS_EXCLUSIVE),
    at("AT_EnableRule", ACCESS_EXCLUSIVE),
    at("AT_EnableTrig", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_EnableTrigAll", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_EnableTrigUser", SHARE_ROW_EXCLUSIVE).descends(),
    at("AT_ForceRowSecurity", ACCESS_EXCLUSIVE),
    at("AT_GenericOptions", ACCESS_EXCLUSIVE).repeat(Repeat::Never),
    at("AT_NoForceRowSecurity", ACCESS_EXCLUSIVE),
    at("AT_ReAddComment", ACCESS_EXCLUSIVE),
    at("AT_ReAddConstraint", ACCESS_EXCLUSIVE),
    at("AT_ReAddDomainConstraint", ACCESS_EXCLUSIVE),
    at("AT_ReAddIndex", ACCESS_EXCLUSIVE).scans(Answer::Maybe),
    at("AT_ReAddStatistics", ACCESS_EXCLUSIVE),
    at("AT_ReplaceRelOptions", SHARE_UPDATE_EXCLUSIVE),
    at("AT_ReplicaIdentity", ACCESS_EXCLUSIVE),
    at("AT_ResetOptions", SHARE_UPDATE_EXCLUSIVE),
    at("AT_ResetRelOptions", SHARE_UPDATE_EXCLUSIVE),
    at("AT_SetAccessMethod", ACCESS_EXCLUSIVE).rewrites(Answer::Yes),
    at("AT_SetCompression", ACCESS_EXCLUSIVE),
    // What is computed when it is read is not rewritten.
    at("AT_SetExpression", ACCESS_EXCLUSIVE)
        .rewrites(Answer::Yes)
        .descends()
        .loses(LossKind::AllValues),
    at("AT_SetIdentity", ACCESS_EXCLUSIVE).descends_since(17).locks(SEQUENCES),
    at("AT_SetLogged", ACCESS_EXCLUSIVE).rewrites(Answer::Yes).locks(SEQUENCES_EXCLUSIVE),
    // It is not read if a valid constraint says that there is no NULL.
    at("AT_SetNotNull", ACCESS_EXCLUSIVE).scans(Answer::Maybe).descends(),
    at("AT_SetOptions", SHARE_UPDATE_EXCLUSIVE),
    at("AT_SetRelOptions", SHARE_UPDATE_EXCLUSIVE),
    at("AT_SetStatistics", SHARE_UPDATE_EXCLUSIVE).descends(),
    at("AT_SetStorage", ACCESS_EXCLUSIVE).descends(),
    // A file is copied as it is: no row is read.
    at("AT_SetTableSpace", ACCESS_EXCLUSIVE).rewrites(Answer::Yes).scans(Answer::No),
    at("AT_SetUnLogged", ACCESS_EXCLUSIVE).rewrites(Answer::Yes).locks(SEQUENCES_EXCLUSIVE),
    // It may be a foreign key.
    at("AT_ValidateConstraint", SHARE_UPDATE_EXCLUSIVE)
        .scans(Answer::Yes)
        .descends()
        .locks(&[(Which::Referenced, LockMode::RowShareLock)]),
    at("AT_ValidateConstraintRecurse", SHARE_UPDATE_EXCLUSIVE).scans(Answer::Yes).descends(),
];

/// Returns the rule for a subcommand, by the C name of its type.
pub(super) fn alter_rule(name: &str) -> Option<&'static AlterRule> {
    let index = RULES.binary_search_by_key(&name, |rule| rule.name).ok()?;
    RULES.get(index)
}

/// The names of the parameters of tables, indexes and views that only an `ACCESS EXCLUSIVE` lock permits to change; that of
/// others is `SHARE UPDATE EXCLUSIVE`. From `src/backend/access/common/reloptions.c`.
static EXCLUSIVE_OPTIONS: &[&str] = &[
    "autosummarize",
    "buffering",
    "check_option",
    "fastupdate",
    "gin_pending_list_limit",
    "pages_per_range",
    "security_barrier",
    "security_invoker",
    "user_catalog_table",
];

/// Returns the lock for changing a parameter of a table, an index or a view.
pub(super) fn option_lock(name: &str) -> LockMode {
    if EXCLUSIVE_OPTIONS.binary_search(&name).is_ok() {
        ACCESS_EXCLUSIVE
    } else {
        SHARE_UPDATE_EXCLUSIVE
    }
}
