//! The types of statements, by PostgreSQL's names.

use super::NodeRef;

/// Writes a function over the variants that count as statements. Most have the same name in Rust as in C.
macro_rules! types {
    ($($variant:ident)* $(, $renamed:ident $name:literal)*) => {
        /// Returns the C name of a statement; `None` for other nodes, and for the few statements that pg_query omits.
        pub(super) fn name(stmt: NodeRef<'_>) -> Option<&'static str> {
            match stmt {
                $(NodeRef::$variant(..) => Some(stringify!($variant)),)*
                $(NodeRef::$renamed(..) => Some($name),)*
                _ => None,
            }
        }
    };
}
types! {
    AlterCollationStmt AlterDatabaseSetStmt AlterDatabaseStmt AlterDefaultPrivilegesStmt
    AlterDomainStmt AlterEnumStmt AlterEventTrigStmt AlterExtensionContentsStmt
    AlterExtensionStmt AlterFdwStmt AlterForeignServerStmt AlterFunctionStmt
    AlterObjectDependsStmt AlterObjectSchemaStmt AlterOpFamilyStmt AlterOperatorStmt
    AlterOwnerStmt AlterPolicyStmt AlterPublicationStmt AlterRoleSetStmt AlterRoleStmt
    AlterSeqStmt AlterStatsStmt AlterSubscriptionStmt AlterSystemStmt AlterTableCmd
    AlterTableMoveAllStmt AlterTableSpaceOptionsStmt AlterTableStmt AlterTypeStmt
    AlterUserMappingStmt CallStmt CheckPointStmt ClosePortalStmt ClusterStmt CommentStmt
    CompositeTypeStmt ConstraintsSetStmt CopyStmt CreateAmStmt CreateCastStmt
    CreateConversionStmt CreateDomainStmt CreateEnumStmt CreateEventTrigStmt CreateExtensionStmt
    CreateFdwStmt CreateForeignServerStmt CreateForeignTableStmt CreateFunctionStmt
    CreateOpClassStmt CreateOpFamilyStmt CreatePolicyStmt CreatePublicationStmt CreateRangeStmt
    CreateRoleStmt CreateSchemaStmt CreateSeqStmt CreateStatsStmt CreateStmt
    CreateSubscriptionStmt CreateTableAsStmt CreateTableSpaceStmt CreateTransformStmt
    CreateTrigStmt CreateUserMappingStmt CreatedbStmt DeallocateStmt DeclareCursorStmt
    DefineStmt DeleteStmt DiscardStmt DoStmt DropOwnedStmt DropRoleStmt DropStmt
    DropSubscriptionStmt DropTableSpaceStmt DropUserMappingStmt DropdbStmt ExecuteStmt
    ExplainStmt FetchStmt GrantRoleStmt GrantStmt ImportForeignSchemaStmt IndexStmt InsertStmt
    ListenStmt LoadStmt LockStmt MergeStmt NotifyStmt PrepareStmt ReassignOwnedStmt
    RefreshMatViewStmt ReindexStmt RenameStmt ReplicaIdentityStmt RuleStmt SecLabelStmt
    SelectStmt SetOperationStmt TransactionStmt TruncateStmt UnlistenStmt UpdateStmt VacuumStmt
    VariableSetStmt VariableShowStmt ViewStmt,
    CreatePlangStmt "CreatePLangStmt",
    AlterTsdictionaryStmt "AlterTSDictionaryStmt",
    AlterTsconfigurationStmt "AlterTSConfigurationStmt"
}
