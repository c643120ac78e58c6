//! What statements change in the session and in the transaction, and which cannot be in a transaction block.

use super::finder::{EffectsFinder, boolean, is_on, is_temporary};
use super::function_calls::is_true;
use super::pg::protobuf::{
    AlterSubscriptionType, AlterTableType, DiscardMode, ReindexObjectType, TransactionStmtKind,
    VariableSetKind,
};
use super::pg::view::{
    CallStmt, IntoClause, List, Node, PartitionCmd, RangeVar, TransactionStmt, VariableSetStmt,
};
use crate::{Answer, SessionEffect, TransactionBlock, TransactionEffect, UnknownSql};

/// `CURSOR_OPT_HOLD` of PostgreSQL's `src/include/nodes/parsenodes.h`.
const CURSOR_HOLD: i32 = 0x0020;

/// Parameters that are those of the transaction, and reset with it.
const OF_TRANSACTION: [&str; 3] =
    ["transaction_deferrable", "transaction_isolation", "transaction_read_only"];

/// Returns whether a statement about a transaction ends it in a way that a standby has none of.
pub(super) fn is_two_phase(kind: TransactionStmtKind) -> bool {
    matches!(
        kind,
        TransactionStmtKind::TransStmtPrepare
            | TransactionStmtKind::TransStmtCommitPrepared
            | TransactionStmtKind::TransStmtRollbackPrepared
    )
}

impl<'a> EffectsFinder<'a> {
    /// Finds what a utility statement changes in the session and in the transaction.
    pub(super) fn session(&mut self, node: Node<'a>) {
        let effect = match node {
            Node::VariableSetStmt(set) => return self.setting(set),
            Node::TransactionStmt(stmt) => return self.transaction(stmt),
            Node::ConstraintsSetStmt(_) => {
                return self.effects.transaction.push(TransactionEffect::Constraints);
            }
            Node::NotifyStmt(_) => return self.effects.transaction.push(TransactionEffect::Notify),
            Node::DeclareCursorStmt(cursor) => {
                let name = cursor.portalname().to_owned();
                if cursor.options() & CURSOR_HOLD == 0 {
                    return self.effects.transaction.push(TransactionEffect::Cursor(name));
                }
                self.effects.block = TransactionBlock::Anywhere;
                SessionEffect::Cursor(name)
            }
            Node::ClosePortalStmt(close) => {
                SessionEffect::CloseCursor(close.portalname().to_owned())
            }
            Node::ListenStmt(listen) => SessionEffect::Listen(listen.conditionname().to_owned()),
            Node::UnlistenStmt(listen) => {
                SessionEffect::Unlisten(listen.conditionname().to_owned())
            }
            Node::PrepareStmt(prepare) => SessionEffect::Prepare(prepare.name().to_owned()),
            Node::DeallocateStmt(stmt) => SessionEffect::Deallocate(stmt.name().to_owned()),
            Node::LoadStmt(load) => SessionEffect::Load(load.filename().to_owned()),
            Node::DiscardStmt(discard) => {
                if discard.target() == DiscardMode::DiscardAll {
                    self.outside(TransactionBlock::Outside);
                    self.effects.session.extend([
                        SessionEffect::AllSettings,
                        SessionEffect::Unlisten(String::new()),
                        SessionEffect::Deallocate(String::new()),
                        SessionEffect::CloseCursor(String::new()),
                        SessionEffect::AdvisoryLock,
                    ]);
                }
                SessionEffect::Discard
            }
            Node::CreateStmt(create) => return self.creates(create.relation()),
            Node::CreateTableAsStmt(create) => {
                return self.creates(create.into().and_then(IntoClause::rel));
            }
            Node::ViewStmt(create) => return self.creates(create.view()),
            Node::CreateSeqStmt(create) => return self.creates(create.sequence()),
            _ => return,
        };
        self.effects.session.push(effect);
    }

    /// Notes a relation that is created: a temporary one belongs to the session.
    pub(super) fn creates(&mut self, relation: Option<RangeVar<'a>>) {
        if let Some(relation) = relation.filter(|relation| is_temporary(*relation)) {
            self.effects.session.push(SessionEffect::Temporary(relation.relname().to_owned()));
        }
    }

    fn setting(&mut self, set: VariableSetStmt<'a>) {
        let name = set.name();
        let session = &mut self.effects.session;
        if set.kind() == VariableSetKind::VarResetAll {
            return session.push(SessionEffect::AllSettings);
        }
        // What SET SESSION CHARACTERISTICS sets are the defaults.
        if name == "SESSION CHARACTERISTICS" {
            let options = set.args().iter().filter_map(Node::as_def_elem);
            session.extend(
                options
                    .map(|option| SessionEffect::Setting(format!("default_{}", option.defname()))),
            );
            return;
        }
        let is_of_transaction = name.starts_with("TRANSACTION") || OF_TRANSACTION.contains(&name);
        if name == "TRANSACTION" {
            self.modes(set.args());
        } else if set.is_local() || is_of_transaction {
            self.effects.transaction.push(TransactionEffect::Setting(name.to_owned()));
        }
        if set.is_local() || is_of_transaction {
            if set.is_local() || name.starts_with("TRANSACTION") {
                let snapshot = name == "TRANSACTION SNAPSHOT";
                self.effects.block = if snapshot {
                    TransactionBlock::Inside
                } else {
                    TransactionBlock::UsefulInside
                };
            }
        } else {
            self.effects.session.push(SessionEffect::Setting(name.to_owned()));
        }
        let value = set.args().first().and_then(Node::literal);
        if name == "transaction_read_only" && !value.is_some_and(|value| is_true(&value)) {
            self.read_write();
        }
    }

    /// Notes the modes of a transaction.
    fn modes(&mut self, options: List<'a>) {
        for option in options.iter().filter_map(Node::as_def_elem) {
            let name = option.defname();
            self.effects.transaction.push(TransactionEffect::Setting(name.to_owned()));
            let value = option.arg().and_then(Node::literal);
            match (name, value) {
                ("transaction_read_only", Some(pg_ast::Literal::Integer(0))) => self.read_write(),
                ("transaction_isolation", Some(pg_ast::Literal::String("serializable"))) => {
                    self.effects.on_standby = Answer::No;
                }
                _ => {}
            }
        }
    }

    /// Notes that a transaction is to write: it is too late behind its first query if it is read-only.
    fn read_write(&mut self) {
        self.writes(Answer::No, Answer::Maybe, Answer::No);
    }

    fn transaction(&mut self, stmt: TransactionStmt<'a>) {
        let (name, gid, chain) =
            (stmt.savepoint_name().to_owned(), stmt.gid().to_owned(), stmt.chain());
        // A block that AND CHAIN continues has to be there.
        let ends = if chain { TransactionBlock::Inside } else { TransactionBlock::UsefulInside };
        let kind = stmt.kind();
        let (effect, block) = match kind {
            TransactionStmtKind::TransStmtBegin | TransactionStmtKind::TransStmtStart => {
                (TransactionEffect::Begin, TransactionBlock::Anywhere)
            }
            TransactionStmtKind::TransStmtCommit => (TransactionEffect::Commit { chain }, ends),
            TransactionStmtKind::TransStmtRollback => (TransactionEffect::Rollback { chain }, ends),
            TransactionStmtKind::TransStmtSavepoint => {
                (TransactionEffect::Savepoint(name), TransactionBlock::Inside)
            }
            TransactionStmtKind::TransStmtRelease => {
                (TransactionEffect::Release(name), TransactionBlock::Inside)
            }
            TransactionStmtKind::TransStmtRollbackTo => {
                (TransactionEffect::RollbackTo(name), TransactionBlock::Inside)
            }
            TransactionStmtKind::TransStmtPrepare => {
                (TransactionEffect::Prepare(gid), TransactionBlock::UsefulInside)
            }
            TransactionStmtKind::TransStmtCommitPrepared => {
                (TransactionEffect::CommitPrepared(gid), TransactionBlock::Outside)
            }
            TransactionStmtKind::TransStmtRollbackPrepared => {
                (TransactionEffect::RollbackPrepared(gid), TransactionBlock::Outside)
            }
            TransactionStmtKind::Undefined => return,
        };
        self.effects.transaction.push(effect);
        self.effects.block = block;
        if matches!(kind, TransactionStmtKind::TransStmtBegin | TransactionStmtKind::TransStmtStart)
        {
            self.modes(stmt.options());
        }
    }

    /// Finds what keeps a statement out of transaction blocks, by its options.
    pub(super) fn special(&mut self, node: Node<'a>) {
        use TransactionBlock::{MaybeOutside, Outside};
        let block = match node {
            Node::IndexStmt(index) if index.concurrent() => Outside,
            Node::DropStmt(drop) if drop.concurrent() => Outside,
            Node::ReindexStmt(reindex) => match reindex.kind() {
                _ if is_on(reindex.params(), "concurrently") => Outside,
                // Each partition is indexed in a transaction of its own.
                ReindexObjectType::ReindexObjectIndex | ReindexObjectType::ReindexObjectTable => {
                    MaybeOutside
                }
                _ => Outside,
            },
            Node::VacuumStmt(vacuum) if vacuum.is_vacuumcmd() => Outside,
            Node::ClusterStmt(cluster) => {
                if cluster.relation().is_some() {
                    MaybeOutside
                } else {
                    Outside
                }
            }
            Node::AlterDatabaseStmt(alter) => {
                let mut options = alter.options().iter().filter_map(Node::as_def_elem);
                if !options.any(|option| option.defname() == "tablespace") {
                    return;
                }
                Outside
            }
            Node::CreateSubscriptionStmt(create) => {
                let connects = boolean(create.options(), "connect").unwrap_or(true);
                let creates = boolean(create.options(), "create_slot").unwrap_or(connects);
                self.effects.block = if creates { Outside } else { TransactionBlock::Anywhere };
                return;
            }
            Node::AlterSubscriptionStmt(alter) => {
                let refreshes = boolean(alter.options(), "refresh").unwrap_or(true);
                self.effects.block = match alter.kind() {
                    AlterSubscriptionType::AlterSubscriptionRefresh => Outside,
                    // Of a subscription that is disabled, it is an error of another kind.
                    AlterSubscriptionType::AlterSubscriptionSetPublication
                    | AlterSubscriptionType::AlterSubscriptionAddPublication
                    | AlterSubscriptionType::AlterSubscriptionDropPublication
                        if refreshes =>
                    {
                        MaybeOutside
                    }
                    AlterSubscriptionType::AlterSubscriptionOptions if self.server >= 17 => {
                        MaybeOutside
                    }
                    _ => TransactionBlock::Anywhere,
                };
                return;
            }
            Node::AlterTableStmt(alter) => {
                let mut cmds = alter.cmds().iter().filter_map(Node::as_alter_table_cmd);
                let is_concurrent = cmds.any(|cmd| {
                    cmd.subtype() == AlterTableType::AtDetachPartition
                        && cmd
                            .def()
                            .and_then(Node::as_partition_cmd)
                            .is_some_and(PartitionCmd::concurrent)
                });
                if !is_concurrent {
                    return;
                }
                Outside
            }
            Node::CallStmt(call) => return self.call(call),
            Node::ExecuteStmt(execute) => {
                return self.unknown(UnknownSql::Prepared(execute.name().to_owned()));
            }
            Node::FetchStmt(fetch) => {
                self.effects.unknown.push(UnknownSql::Cursor(fetch.portalname().to_owned()));
                return;
            }
            Node::RefreshMatViewStmt(refresh) if !refresh.skip_data() => {
                let name = refresh.relation().map(RangeVar::qualified_name);
                self.effects.unknown.push(UnknownSql::View(name.unwrap_or_default()));
                return;
            }
            Node::DoStmt(stmt) => return self.body(stmt),
            _ => return,
        };
        self.outside(block);
    }

    fn call(&mut self, call: CallStmt<'a>) {
        self.effects.transaction.push(TransactionEffect::MayEnd);
        // The call itself is visited as a function's; without one there is nothing.
        if call.funccall().is_none() {
            self.effects.repeatable = Answer::No;
        }
    }
}
