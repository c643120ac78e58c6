//! Rules about transactions.

use pg_ast::protobuf::{AlterTableType, Token, TransactionStmtKind};
use pg_ast::view::{DefElem, Node, PartitionCmd};

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
    } else if stmt.is_in_transaction(state) && is_concurrent(node) {
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
            params.any(|param| param.defname() == "concurrently" && !is_off(param))
        }
        Node::AlterTableCmd(cmd) => {
            let partition = cmd.def().and_then(Node::as_partition_cmd);
            cmd.subtype() == AlterTableType::AtDetachPartition
                && partition.is_some_and(PartitionCmd::concurrent)
        }
        _ => false,
    }
}

/// Returns whether an option has a value that turns it off: `REINDEX (CONCURRENTLY false) TABLE t`.
fn is_off(option: DefElem<'_>) -> bool {
    match option.arg() {
        Some(Node::String(word)) => {
            ["false", "off", "no", "0"].iter().any(|off| word.sval().eq_ignore_ascii_case(off))
        }
        Some(Node::Integer(number)) => number.ival() == 0,
        _ => false,
    }
}
