//! Rules about transactions.

use pg_ast::protobuf::{AlterTableType, Token, TransactionStmtKind};
use pg_ast::view::{Node, PartitionCmd};

use crate::stmt::{State, Stmt};
use crate::{Finding, Rule};

pub(super) fn check(stmt: &Stmt<'_>, state: &State, node: Node<'_>, found: &mut Vec<Finding>) {
    if let Node::TransactionStmt(transaction) = node {
        let (nested, help) = match transaction.kind() {
            TransactionStmtKind::TransStmtBegin | TransactionStmtKind::TransStmtStart => {
                (state.in_transaction, "use a savepoint, or end the transaction before")
            }
            TransactionStmtKind::TransStmtCommit | TransactionStmtKind::TransStmtRollback => {
                (!state.in_transaction, "there is no transaction to end")
            }
            _ => return,
        };
        if nested {
            found.push(Finding::of(Rule::TransactionNesting, stmt.place(node)).help(help));
        }
    } else if state.in_transaction && is_concurrent(node) {
        let range = stmt.place(node);
        let word = stmt.token(&range, Token::Concurrently).unwrap_or(range);
        let finding = Finding::of(Rule::ConcurrentlyInTransaction, word);
        found.push(finding.help("run it outside of the transaction"));
    }
}

fn is_concurrent(node: Node<'_>) -> bool {
    match node {
        Node::IndexStmt(index) => index.concurrent(),
        Node::DropStmt(drop) => drop.concurrent(),
        Node::ReindexStmt(reindex) => {
            let mut params = reindex.params().iter().filter_map(Node::as_def_elem);
            params.any(|param| param.defname() == "concurrently")
        }
        Node::AlterTableCmd(cmd) => {
            let partition = cmd.def().and_then(Node::as_partition_cmd);
            cmd.subtype() == AlterTableType::AtDetachPartition
                && partition.is_some_and(PartitionCmd::concurrent)
        }
        _ => false,
    }
}
