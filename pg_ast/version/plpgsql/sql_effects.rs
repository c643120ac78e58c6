//! What SQL changes: the database, and the state of the session.

use super::dynamic_parts::builtin;
use super::names::protobuf::{FuncCall, VariableSetStmt};
use super::names::{NodeEnum, NodeRef, ParseResult};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SqlEffects {
    pub(super) writes: bool,
    pub(super) changes_session: bool,
}

/// Statements that change nothing in the database; some do so by what they have in them.
const WITHOUT_WRITES: [&str; 25] = [
    "CallStmt",
    "CheckPointStmt",
    "ClosePortalStmt",
    "ConstraintsSetStmt",
    "CopyStmt",
    "DeallocateStmt",
    "DeclareCursorStmt",
    "DiscardStmt",
    "DoStmt",
    "ExecuteStmt",
    "ExplainStmt",
    "FetchStmt",
    "ListenStmt",
    "LoadStmt",
    "LockStmt",
    "NotifyStmt",
    "PLAssignStmt",
    "PrepareStmt",
    "RawStmt",
    "ReturnStmt",
    "SelectStmt",
    "TransactionStmt",
    "UnlistenStmt",
    "VariableSetStmt",
    "VariableShowStmt",
];

/// Functions that write: to sequences and to large objects.
const WRITERS: [&str; 9] = [
    "lo_creat",
    "lo_create",
    "lo_from_bytea",
    "lo_import",
    "lo_put",
    "lo_unlink",
    "lowrite",
    "nextval",
    "setval",
];

/// Locks that the session holds.
const SESSION_LOCKS: [&str; 7] = [
    "pg_advisory_lock",
    "pg_advisory_lock_shared",
    "pg_advisory_unlock",
    "pg_advisory_unlock_all",
    "pg_advisory_unlock_shared",
    "pg_try_advisory_lock",
    "pg_try_advisory_lock_shared",
];

impl SqlEffects {
    pub(super) fn of(tree: &ParseResult) -> Self {
        let mut effects = Self::default();
        let mut nodes = tree.nodes();
        while let Some(node) = nodes.next() {
            effects.add(node);
            if does_not_run(node) {
                nodes.skip_children();
            }
        }
        effects
    }

    fn add(&mut self, node: NodeRef<'_>) {
        match node {
            NodeRef::SelectStmt(select) => self.writes |= select.into_clause.is_some(),
            NodeRef::CopyStmt(copy) => self.writes |= copy.is_from,
            NodeRef::VariableSetStmt(set) => self.changes_session |= is_of_session(set),
            NodeRef::DiscardStmt(_)
            | NodeRef::ListenStmt(_)
            | NodeRef::UnlistenStmt(_)
            | NodeRef::PrepareStmt(_)
            | NodeRef::DeallocateStmt(_)
            | NodeRef::LoadStmt(_) => self.changes_session = true,
            // Only what is created has it.
            NodeRef::RangeVar(table) => self.changes_session |= table.relpersistence == "t",
            NodeRef::FuncCall(call) => self.call(call),
            _ => {
                let name = node.name();
                self.writes |= name.ends_with("Stmt") && !WITHOUT_WRITES.contains(&name);
            }
        }
    }

    fn call(&mut self, call: &FuncCall) {
        match builtin(call) {
            Some("set_config") => {
                let is_local = call.args.get(2).and_then(|node| node.as_a_const());
                // Whatever is no constant may be false.
                let is_local = is_local.and_then(|constant| constant.val.as_ref());
                self.changes_session |= !is_local.is_some_and(is_true);
            }
            Some(name) => {
                self.writes |= WRITERS.contains(&name);
                self.changes_session |= SESSION_LOCKS.contains(&name);
            }
            None => {}
        }
    }
}

/// Returns whether what is in a statement does not run with it: the statement that is explained or prepared, and settings for
/// later sessions.
fn does_not_run(node: NodeRef<'_>) -> bool {
    match node {
        NodeRef::ExplainStmt(explain) => !explain.options.iter().any(|option| {
            let option = option.as_def_elem().filter(|option| option.defname == "analyze");
            option.is_some_and(|option| match option.arg.as_deref().map(|arg| &arg.node) {
                Some(Some(NodeEnum::Integer(value))) => value.ival != 0,
                Some(Some(NodeEnum::String(value))) => !is_off(&value.sval),
                _ => true,
            })
        }),
        NodeRef::PrepareStmt(_)
        | NodeRef::AlterRoleSetStmt(_)
        | NodeRef::AlterDatabaseSetStmt(_)
        | NodeRef::AlterSystemStmt(_)
        | NodeRef::AlterFunctionStmt(_)
        | NodeRef::CreateFunctionStmt(_) => true,
        _ => false,
    }
}

/// `false` as `defGetBoolean` reads it.
fn is_off(value: &str) -> bool {
    ["false", "off"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_true(value: &super::names::protobuf::a_const::Val) -> bool {
    use super::names::protobuf::a_const::Val;
    match value {
        Val::Boolval(value) => value.boolval,
        Val::Sval(value) => {
            let value = value.sval.trim().to_ascii_lowercase();
            !value.is_empty()
                && (["true", "yes"].iter().any(|all| all.starts_with(&value))
                    || value == "on"
                    || value == "1")
        }
        _ => false,
    }
}

/// `SET` and `RESET`, but neither `SET LOCAL` nor `SET TRANSACTION`.
fn is_of_session(set: &VariableSetStmt) -> bool {
    !set.is_local && !set.name.starts_with("TRANSACTION")
}
