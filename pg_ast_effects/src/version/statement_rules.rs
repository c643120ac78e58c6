//! What is known of every statement by its type.
//!
//! Whether it writes is what `ClassifyUtilityCommandAsReadOnly` of PostgreSQL's `src/backend/tcop/utility.c` says, for which
//! `tests/server/effects.rs` asks a server; whether it can be in a transaction block, by the calls of
//! `PreventInTransactionBlock` and `RequireTransactionBlock` there; the privileges are those of the pages of the reference.

use super::pg::seam::statement_name;
use crate::TransactionBlock;

/// What a statement writes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The catalogs: it is not allowed in a read-only transaction.
    Write,
    /// Rows of tables; in a read-only transaction, only of temporary ones.
    Rows,
    /// `COPY`: rows, if it is `FROM`.
    Copy,
    /// What is on disk, but not what can be seen: it is allowed in a read-only transaction, and not on a standby.
    Maintenance,
    /// The server's settings, which are no part of a database.
    ReadOnlyButServer,
    /// Nothing but the state of the session.
    Local,
    /// Nothing, but it is not allowed on a standby.
    Channel,
    /// As its mode says.
    Lock,
    /// As its kind says.
    Transaction,
    /// Nothing: what is in it may.
    Query,
}

/// Whether a statement can run twice, with the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    Always,
    Never,
    /// If it has `IF EXISTS`, `IF NOT EXISTS` or `OR REPLACE`.
    ByFlag,
    /// The module for the statement knows.
    Depends,
}

/// What a statement needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// `privileges_needed.rs` knows.
    Computed,
    /// One owns the object, which is of this kind, or of the kind that the statement says.
    Owner(&'static str),
    CreateInSchema,
    Superuser,
}

#[derive(Debug)]
pub(super) struct StatementRule {
    pub(super) name: &'static str,
    pub(super) class: Class,
    /// Unless its options say something else.
    pub(super) block: TransactionBlock,
    pub(super) repeat: Repeat,
    pub(super) need: Need,
}

const fn rule(
    name: &'static str,
    class: Class,
    block: TransactionBlock,
    repeat: Repeat,
    need: Need,
) -> StatementRule {
    StatementRule { name, class, block, repeat, need }
}

/// The rules, in the order of the names.
#[rustfmt::skip]
static RULES: &[StatementRule] = &[
    rule("AlterCollationStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("COLLATION")),
    rule("AlterDatabaseRefreshCollStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("DATABASE")),
    rule("AlterDatabaseSetStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterDatabaseStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterDefaultPrivilegesStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterDomainStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("AlterEnumStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Owner("TYPE")),
    rule("AlterEventTrigStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Superuser),
    rule("AlterExtensionContentsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Never, Need::Computed),
    rule("AlterExtensionStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("EXTENSION")),
    rule("AlterFdwStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Superuser),
    rule("AlterForeignServerStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Owner("SERVER")),
    rule("AlterFunctionStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterObjectDependsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("")),
    rule("AlterObjectSchemaStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Never, Need::Computed),
    rule("AlterOpFamilyStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Never, Need::Superuser),
    rule("AlterOperatorStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterOwnerStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterPolicyStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("TABLE")),
    rule("AlterPublicationStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("AlterRoleSetStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterRoleStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterSeqStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterStatsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("STATISTICS")),
    rule("AlterSubscriptionStmt", Class::Write, TransactionBlock::MaybeOutside, Repeat::Depends, Need::Owner("SUBSCRIPTION")),
    rule("AlterSystemStmt", Class::ReadOnlyButServer, TransactionBlock::Outside, Repeat::Always, Need::Computed),
    rule("AlterTSConfigurationStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Owner("TEXT SEARCH CONFIGURATION")),
    rule("AlterTSDictionaryStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("TEXT SEARCH DICTIONARY")),
    rule("AlterTableMoveAllStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("AlterTableSpaceOptionsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("TABLESPACE")),
    rule("AlterTableStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("AlterTypeStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("TYPE")),
    rule("AlterUserMappingStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("CallStmt", Class::Query, TransactionBlock::MaybeOutside, Repeat::Depends, Need::Computed),
    rule("CheckPointStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("ClosePortalStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Never, Need::Nothing),
    rule("ClusterStmt", Class::Maintenance, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("CommentStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("CompositeTypeStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("ConstraintsSetStmt", Class::Local, TransactionBlock::UsefulInside, Repeat::Always, Need::Nothing),
    rule("CopyStmt", Class::Copy, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("CreateAmStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreateCastStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateConversionStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateDomainStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateEnumStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateEventTrigStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreateExtensionStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateFdwStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreateForeignServerStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateForeignTableStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateFunctionStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateOpClassStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreateOpFamilyStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreatePLangStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Superuser),
    rule("CreatePolicyStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreatePublicationStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateRangeStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateRoleStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateSchemaStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateSeqStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateStatsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateSubscriptionStmt", Class::Write, TransactionBlock::Outside, Repeat::ByFlag, Need::Computed),
    rule("CreateTableAsStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("CreateTableSpaceStmt", Class::Write, TransactionBlock::Outside, Repeat::ByFlag, Need::Superuser),
    rule("CreateTransformStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateTrigStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreateUserMappingStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("CreatedbStmt", Class::Write, TransactionBlock::Outside, Repeat::Never, Need::Computed),
    rule("DeallocateStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Depends, Need::Nothing),
    rule("DeclareCursorStmt", Class::Local, TransactionBlock::Inside, Repeat::Never, Need::Computed),
    rule("DefineStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
    rule("DeleteStmt", Class::Rows, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("DiscardStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("DoStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("DropOwnedStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("DropRoleStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("DropStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("DropSubscriptionStmt", Class::Write, TransactionBlock::MaybeOutside, Repeat::ByFlag, Need::Owner("SUBSCRIPTION")),
    rule("DropTableSpaceStmt", Class::Write, TransactionBlock::Outside, Repeat::ByFlag, Need::Owner("TABLESPACE")),
    rule("DropUserMappingStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("DropdbStmt", Class::Write, TransactionBlock::Outside, Repeat::ByFlag, Need::Owner("DATABASE")),
    rule("ExecuteStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("ExplainStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("FetchStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Depends, Need::Nothing),
    rule("GrantRoleStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("GrantStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("ImportForeignSchemaStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Never, Need::Computed),
    rule("IndexStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("InsertStmt", Class::Rows, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("ListenStmt", Class::Channel, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("LoadStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("LockStmt", Class::Lock, TransactionBlock::Inside, Repeat::Always, Need::Computed),
    rule("MergeStmt", Class::Rows, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("NotifyStmt", Class::Channel, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("PLAssignStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("PrepareStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Never, Need::Nothing),
    rule("RawStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("ReassignOwnedStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("RefreshMatViewStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("ReindexStmt", Class::Maintenance, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("RenameStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Never, Need::Computed),
    rule("ReplicaIdentityStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("TABLE")),
    rule("ReturnStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("RuleStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::Computed),
    rule("SecLabelStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Owner("")),
    rule("SelectStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("SetOperationStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("TransactionStmt", Class::Transaction, TransactionBlock::Anywhere, Repeat::Never, Need::Nothing),
    rule("TruncateStmt", Class::Write, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("UnlistenStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("UpdateStmt", Class::Rows, TransactionBlock::Anywhere, Repeat::Depends, Need::Computed),
    rule("VacuumStmt", Class::Maintenance, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("VariableSetStmt", Class::Local, TransactionBlock::Anywhere, Repeat::Always, Need::Computed),
    rule("VariableShowStmt", Class::Query, TransactionBlock::Anywhere, Repeat::Always, Need::Nothing),
    rule("ViewStmt", Class::Write, TransactionBlock::Anywhere, Repeat::ByFlag, Need::CreateInSchema),
];

/// Returns the rule for a type of statement, by its C name; `None` if it is not a statement.
pub(super) fn statement_rule(name: &str) -> Option<&'static StatementRule> {
    // Most nodes are none, and need no search.
    if !name.ends_with("Stmt") {
        return None;
    }
    let index = RULES.binary_search_by_key(&name, |rule| rule.name).ok()?;
    RULES.get(index)
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

// Every statement has a rule, and every rule is for a statement.
const _: () = {
    let mut index = 0;
    while let Some(name) = statement_name(index) {
        assert!(index < RULES.len(), "a statement has no rule");
        assert!(is_same(RULES[index].name, name), "a statement has no rule");
        index += 1;
    }
    assert!(index == RULES.len(), "a rule is for no statement");
};
