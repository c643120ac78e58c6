//! Rules about transactions.

use pg_ast::protobuf::{AlterTableType, Token, TransactionStmtKind};
use pg_ast::view::{DefElem, Node, PartitionCmd};
use pg_ast_effects::TransactionBlock;

use super::in_case_of;
use crate::state::State;
use crate::stmt::{Stmt, insert};
use crate::unit::Unit;
use crate::{Finding, Fix, Rule};

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

/// Finds statements that fail, or do nothing, because of where transactions begin and end.
pub(super) fn placed(
    stmt: &Stmt<'_>,
    state: &State,
    node: Node<'_>,
    block: TransactionBlock,
    found: &mut Vec<Finding>,
) {
    let is_in = stmt.is_in_transaction(state);
    let has_own_rule = match node {
        Node::TransactionStmt(stmt) => matches!(
            stmt.kind(),
            TransactionStmtKind::TransStmtCommit | TransactionStmtKind::TransStmtRollback
        ),
        // What is in it runs in its transaction, and is looked at by itself.
        Node::DoStmt(_) => true,
        Node::AlterTableStmt(alter) => alter.cmds().iter().any(is_concurrent),
        _ => is_concurrent(node),
    };
    if has_own_rule {
        return;
    }
    let (rule, help) = match block {
        TransactionBlock::Outside if is_in => {
            (Rule::NotInTransaction, "run it outside of the transaction")
        }
        TransactionBlock::Inside | TransactionBlock::UsefulInside if !is_in => {
            (Rule::NeedsTransaction, "run it between BEGIN and COMMIT")
        }
        _ => return,
    };
    found.push(Finding::of(rule, stmt.place(node)).help(help));
}

/// Makes the finding for a transaction that begins with a statement, and has no end.
pub(crate) fn left_open(script: &str, units: &[Unit], number: usize) -> Finding {
    let begin = units[number].range.clone();
    let last = units.last().map_or(script.len(), |unit| unit.range.end);
    let behind = script.get(last..).unwrap_or_default();
    let is_ended = behind.trim_start().starts_with(';');
    let commit = in_case_of(script.get(begin.clone()).unwrap_or_default(), "commit");
    let changes = if is_ended {
        vec![insert(script.len(), format!("\n{commit};\n"))]
    } else {
        vec![insert(last, format!(";\n{commit};"))]
    };
    let fix = Fix::new("Add COMMIT", changes).guess();
    Finding::of(Rule::TransactionLeftOpen, begin)
        .help("end it by COMMIT or ROLLBACK")
        .fix(Some(fix))
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
pub(super) fn is_off(option: DefElem<'_>) -> bool {
    match option.arg() {
        Some(Node::String(word)) => {
            ["false", "off", "no", "0"].iter().any(|off| word.sval().eq_ignore_ascii_case(off))
        }
        Some(Node::Integer(number)) => number.ival() == 0,
        _ => false,
    }
}
