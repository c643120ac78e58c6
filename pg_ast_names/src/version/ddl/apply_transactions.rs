//! Applies statements in the order in which a server runs them, with their transactions.

use super::apply_changes::drop_object;
use super::apply_ddl::apply;
use super::pg::protobuf::{DiscardMode, TransactionStmtKind};
use super::pg::view::{DiscardStmt, Node, TransactionStmt};
use crate::ddl_catalog::{DdlCatalog, default_path};

/// Applies the next statement of a session.
pub(crate) fn apply_next(catalog: &mut DdlCatalog, stmt: Node<'_>) {
    match stmt {
        Node::TransactionStmt(stmt) => apply_transaction(catalog, stmt),
        _ if catalog.has_failed() => {}
        Node::DiscardStmt(discard) => apply_discard(catalog, discard),
        _ => apply(catalog, stmt),
    }
}

fn apply_transaction(catalog: &mut DdlCatalog, stmt: TransactionStmt<'_>) {
    let name = stmt.savepoint_name();
    let mut end = |commits| {
        for table in catalog.end(commits, stmt.chain()) {
            drop_object(catalog, table);
        }
    };
    match stmt.kind() {
        TransactionStmtKind::TransStmtBegin | TransactionStmtKind::TransStmtStart => {
            catalog.begin();
        }
        // That of a prepared one is not followed: most are committed.
        TransactionStmtKind::TransStmtCommit | TransactionStmtKind::TransStmtPrepare => end(true),
        TransactionStmtKind::TransStmtRollback => end(false),
        TransactionStmtKind::TransStmtSavepoint => catalog.savepoint(name),
        TransactionStmtKind::TransStmtRelease => catalog.release(name),
        TransactionStmtKind::TransStmtRollbackTo => catalog.roll_back_to(name),
        _ => {}
    }
}

/// `DISCARD ALL` is not possible in a transaction.
fn apply_discard(catalog: &mut DdlCatalog, discard: DiscardStmt<'_>) {
    match discard.target() {
        DiscardMode::DiscardTemp => catalog.clear_schema("pg_temp"),
        DiscardMode::DiscardAll if catalog.is_in_transaction() => catalog.fail(),
        DiscardMode::DiscardAll => {
            catalog.clear_schema("pg_temp");
            catalog.search_path = default_path();
        }
        _ => {}
    }
}
