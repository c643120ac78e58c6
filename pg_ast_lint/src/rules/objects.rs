//! Rules about objects that are created, renamed and dropped.

use core::ops::Range;

use pg_ast::protobuf::{ObjectType, OnCommitAction, Token};
use pg_ast::view::{DropStmt, IndexStmt, IntoClause, Node, RangeVar, RenameStmt};

use super::in_case_of;
use crate::state::State;
use crate::stmt::{Name, Stmt, cascades, insert, key_of, name_key};
use crate::stmt_facts::{Fact, Gain};
use crate::{Finding, Fix, Rule};

pub(super) fn check(
    stmt: &Stmt<'_>,
    state: &State,
    node: Node<'_>,
    ancestors: &[Node<'_>],
    found: &mut Vec<Finding>,
) {
    // Not in CREATE SCHEMA or EXPLAIN.
    let is_alone = matches!(ancestors, [] | [Node::RawStmt(_)]);
    match node {
        // ONLY is for partitioned tables, whose own index has no rows to read.
        Node::IndexStmt(index)
            if !index.concurrent()
                && !state.is_new(index.relation())
                && index.relation().is_none_or(RangeVar::inh) =>
        {
            new_index(stmt, state, index, is_alone, found);
        }
        Node::DropStmt(drop) => dropped(stmt, state, drop, found),
        Node::DropdbStmt(_) => found.push(Finding::of(Rule::DropDatabase, stmt.place(node))),
        Node::RenameStmt(rename) if !state.is_new(rename.relation()) => {
            renamed(stmt, state, rename, found);
        }
        Node::TruncateStmt(truncate) if cascades(truncate.behavior()) => {
            let range = stmt.place(truncate);
            let word = stmt.token(&range, Token::Cascade).unwrap_or(range);
            let finding = Finding::of(Rule::TruncateCascade, word);
            found.push(finding.help("name all tables that are to be emptied"));
        }
        _ => {}
    }
    // CREATE EXTENSION runs its scripts in a transaction.
    if is_alone && !stmt.is_in_transaction(state) && !stmt.overview.is_extension {
        robust(stmt, node, found);
    }
}

fn new_index(
    stmt: &Stmt<'_>,
    state: &State,
    index: IndexStmt<'_>,
    is_alone: bool,
    found: &mut Vec<Finding>,
) {
    let range = stmt.place(index);
    let finding = Finding::of(Rule::CreateIndexLocks, range.clone());
    let table = index.relation().map(key_of);
    found.push(if table.is_some_and(|table| stmt.overview.has(&Fact::Partitioned(table))) {
        let help = "create it ON ONLY the table, CONCURRENTLY on each partition, and attach those";
        finding.help(help)
    } else if stmt.is_in_transaction(state) {
        finding.help("create it CONCURRENTLY, outside of the transaction")
    } else if is_alone {
        finding.help("create it CONCURRENTLY").fix(concurrently(stmt, &range))
    } else {
        finding.help("create it CONCURRENTLY, in a statement of its own")
    });
}

/// Returns the fix that inserts `CONCURRENTLY` after `INDEX`.
fn concurrently(stmt: &Stmt<'_>, range: &Range<usize>) -> Option<Fix> {
    let word = stmt.token(range, Token::Index)?;
    let text = in_case_of(stmt.text(word.clone()), " CONCURRENTLY");
    // The server refuses it in a transaction, and for what is partitioned, which not every script shows.
    Some(Fix::new("Add CONCURRENTLY", vec![insert(word.end, text)]).not_safe())
}

fn dropped(stmt: &Stmt<'_>, state: &State, drop: DropStmt<'_>, found: &mut Vec<Finding>) {
    let range = stmt.place(drop);
    if drop.objects().iter().all(|object| state.is_name_new(drop.remove_type(), object)) {
        return;
    }
    match drop.remove_type() {
        ObjectType::ObjectTable => {
            let help = "make sure that nothing uses it, and that there is a backup";
            found.push(Finding::of(Rule::DropTable, range).help(help));
        }
        ObjectType::ObjectForeignTable => {
            let message = "programs that use the foreign table fail";
            let finding = Finding::new(Rule::DropTable, range, message);
            found.push(finding.help("first deploy programs that do not use it"));
        }
        ObjectType::ObjectIndex if !drop.concurrent() => {
            let finding = Finding::of(Rule::DropIndexLocks, range.clone());
            let alone = drop.objects().len() == 1 && !cascades(drop.behavior());
            let is_partitioned = |name| stmt.overview.has(&Fact::Partitioned(name));
            let partitioned = drop.objects().iter().filter_map(name_key).any(is_partitioned);
            found.push(match (stmt.is_in_transaction(state), alone) {
                _ if partitioned => finding.help("drop it while nobody waits for its tables"),
                (true, _) => finding.help("drop it CONCURRENTLY, outside of the transaction"),
                (false, true) => {
                    finding.help("drop it CONCURRENTLY").fix(concurrently(stmt, &range))
                }
                (false, false) => {
                    finding.help("drop each by itself, CONCURRENTLY, and without CASCADE")
                }
            });
        }
        _ => {}
    }
}

fn renamed(stmt: &Stmt<'_>, state: &State, rename: RenameStmt<'_>, found: &mut Vec<Finding>) {
    let range = stmt.place(rename);
    let table = rename.relation().map(key_of).unwrap_or_default();
    match (rename.rename_type(), rename.relation_type()) {
        (ObjectType::ObjectColumn, ObjectType::ObjectTable) => {
            // Nobody misses the old name if nobody knows it, or if another column has it then.
            let column = rename.subname();
            if state.is_column_new(rename.relation(), column)
                || stmt.gets(&Gain::Column(table, column.to_owned()))
            {
                return;
            }
            let help = "add a column, write both, and drop the old one when nobody reads it";
            found.push(Finding::of(Rule::RenameColumn, range).help(help));
        }
        (ObjectType::ObjectTable, _)
            if !stmt.gets(&Gain::Name(Name::new(ObjectType::ObjectTable, table))) =>
        {
            let help = "make a view with the old name in the same transaction";
            found.push(Finding::of(Rule::RenameTable, range).help(help));
        }
        _ => {}
    }
}

/// Objects that are dropped by a plain list of names.
const DROPPED_BY_NAME: &[ObjectType] = &[
    ObjectType::ObjectTable,
    ObjectType::ObjectIndex,
    ObjectType::ObjectView,
    ObjectType::ObjectMatview,
    ObjectType::ObjectSequence,
    ObjectType::ObjectSchema,
    ObjectType::ObjectType,
    ObjectType::ObjectDomain,
    ObjectType::ObjectExtension,
    ObjectType::ObjectForeignTable,
    ObjectType::ObjectFunction,
    ObjectType::ObjectProcedure,
    ObjectType::ObjectTrigger,
    ObjectType::ObjectPolicy,
];

/// Finds statements that fail if they are run twice, and have words to prevent that.
fn robust(stmt: &Stmt<'_>, node: Node<'_>, found: &mut Vec<Finding>) {
    let start = |table: Option<RangeVar<'_>>| Some(stmt.range_of(table?)?.start);
    // After the last of these words.
    let behind = |words: &[Token]| {
        let range = stmt.place(node);
        let tokens = stmt.tokens(&range);
        let word = tokens.iter().position(|(token, _)| words.contains(token))?;
        let mut rest = tokens[word..].iter();
        Some(rest.find(|(token, _)| !words.contains(token))?.1.start)
    };
    let create = "IF NOT EXISTS";
    let (words, place) = match node {
        // A temporary table is gone when the script is run again.
        Node::CreateStmt(it) if it.oncommit() == OnCommitAction::OncommitDrop => return,
        Node::CreateStmt(it) if !it.if_not_exists() => (create, start(it.relation())),
        Node::CreateTableAsStmt(it) if !it.if_not_exists() && !it.is_select_into() => {
            (create, start(it.into().and_then(IntoClause::rel)))
        }
        Node::CreateSeqStmt(it) if !it.if_not_exists() => (create, start(it.sequence())),
        // Its elements cannot be skipped.
        Node::CreateSchemaStmt(it) if !it.if_not_exists() && it.schema_elts().is_empty() => {
            (create, behind(&[Token::Schema]))
        }
        Node::CreateExtensionStmt(it) if !it.if_not_exists() => {
            (create, behind(&[Token::Extension]))
        }
        // Without a name, PostgreSQL makes a different one each time.
        Node::IndexStmt(it) if !it.if_not_exists() => match it.idxname() {
            "" => (create, None),
            _ => (create, behind(&[Token::Index, Token::Concurrently])),
        },
        Node::DropStmt(it) if !it.missing_ok() && DROPPED_BY_NAME.contains(&it.remove_type()) => {
            let first = it.objects().first().and_then(|object| stmt.range_of(object));
            ("IF EXISTS", first.map(|first| first.start))
        }
        Node::DropdbStmt(it) if !it.missing_ok() => ("IF EXISTS", behind(&[Token::Database])),
        _ => return,
    };
    let range = stmt.place(node);
    let fix = place.map(|place| {
        let model = stmt.text(range.start..range.start + 4);
        let words = in_case_of(model, words);
        Fix::new(format!("Add {words}"), vec![insert(place, words + " ")])
    });
    let is_nameless = matches!(node, Node::IndexStmt(index) if index.idxname().is_empty());
    found.push(if is_nameless {
        let message = "the statement makes another index each time it is run";
        Finding::new(Rule::PreferIfExists, range, message).help("name it, and add IF NOT EXISTS")
    } else {
        Finding::of(Rule::PreferIfExists, range).help(format!("add {words}")).fix(fix)
    });
}
