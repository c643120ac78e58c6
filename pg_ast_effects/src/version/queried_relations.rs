//! The relations behind those that queries name: partitions and heirs, and what views read.
//!
//! The server locks what a view reads when it rewrites a query, and descendants when it plans it. Partitions that a condition
//! excludes are not locked, nor descendants in a part of the query that is left out.

use std::collections::{HashMap, HashSet};

use pg_ast::{Context, LockMode, QualifiedName};
use pg_ast_names::{ColumnDefault, RelationKind, Relationship};

use super::finder::{EffectsFinder, is_on};
use super::losses::target_names;
use super::pg::protobuf::{CmdType, OnConflictAction};
use super::pg::seam::address;
use super::pg::view::{IntoClause, List, MergeWhenClause, Node, RangeVar};
use super::row_events::{Event, RowEvent};
use super::with_catalog::{KnownCatalog, reached};
use crate::known_relations::NameClass;
use crate::{Answer, Which};

/// How far the server gets with a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Its names are looked up: it is that of a view or a function.
    Analyzed,
    /// Views are replaced by their queries: `PREPARE`.
    Rewritten,
    /// `EXPLAIN`.
    Planned,
    Run,
}

fn stage(stmt: Node<'_>) -> Stage {
    match stmt {
        Node::SelectStmt(_)
        | Node::InsertStmt(_)
        | Node::UpdateStmt(_)
        | Node::DeleteStmt(_)
        | Node::MergeStmt(_)
        | Node::DeclareCursorStmt(_)
        | Node::CopyStmt(_)
        | Node::CallStmt(_) => Stage::Run,
        Node::ExplainStmt(explain)
            if matches!(explain.query(), Some(Node::RefreshMatViewStmt(_))) =>
        {
            Stage::Analyzed
        }
        Node::ExplainStmt(explain) if is_on(explain.options(), "analyze") => Stage::Run,
        Node::ExplainStmt(_) => Stage::Planned,
        Node::CreateTableAsStmt(create) if !create.into().is_some_and(IntoClause::skip_data) => {
            Stage::Run
        }
        Node::PrepareStmt(_) => Stage::Rewritten,
        _ => Stage::Analyzed,
    }
}

/// What a statement does to the rows of a table.
struct WrittenTable {
    events: Vec<Event>,
    /// The columns that it sets, if it updates.
    columns: Option<Vec<String>>,
    /// Whether it only makes new rows, and does not read the table.
    is_insert: bool,
}

/// Returns what a statement writes, by the addresses of the nodes that name the tables.
fn written(stmt: Node<'_>) -> HashMap<*const u8, WrittenTable> {
    let mut found = HashMap::new();
    for node in stmt.nodes() {
        let (table, events, columns) = match node {
            Node::InsertStmt(insert) => {
                let conflict = insert.on_conflict_clause();
                let updates =
                    conflict.filter(|clause| clause.action() == OnConflictAction::OnconflictUpdate);
                let mut events = vec![Event::Insert];
                events.extend(updates.map(|_| Event::Update));
                (insert.relation(), events, updates.map(|it| target_names(it.target_list())))
            }
            Node::UpdateStmt(update) => {
                let columns = target_names(update.target_list());
                (update.relation(), vec![Event::Update], Some(columns))
            }
            Node::DeleteStmt(delete) => (delete.relation(), vec![Event::Delete], None),
            Node::MergeStmt(merge) => {
                let clauses = merge.merge_when_clauses().iter();
                let kinds = clauses
                    .filter_map(Node::as_merge_when_clause)
                    .map(MergeWhenClause::command_type);
                let events = kinds.filter_map(|kind| match kind {
                    CmdType::CmdInsert => Some(Event::Insert),
                    CmdType::CmdUpdate => Some(Event::Update),
                    CmdType::CmdDelete => Some(Event::Delete),
                    _ => None,
                });
                (merge.relation(), events.collect(), None)
            }
            Node::CopyStmt(copy) if copy.is_from() => (copy.relation(), vec![Event::Insert], None),
            _ => continue,
        };
        if let Some(table) = table {
            let is_insert = matches!(node, Node::InsertStmt(_) | Node::CopyStmt(_));
            found.insert(address(table.into()), WrittenTable { events, columns, is_insert });
        }
    }
    found
}

/// The tables that a statement reads whatever its conditions are, by the addresses of their nodes.
#[derive(Default)]
struct PlainTables {
    tables: HashSet<*const u8>,
    /// Whether all partitions of them are read.
    without_condition: bool,
}

fn plain_tables(stmt: Node<'_>) -> PlainTables {
    let mut query = Some(stmt);
    let mut found = PlainTables { without_condition: true, ..PlainTables::default() };
    // A statement in a statement: EXPLAIN CREATE TABLE .. AS SELECT has the most of them.
    for _ in 0..4 {
        let mut add = |table: Option<RangeVar<'_>>, from: List<'_>, condition: Option<Node<'_>>| {
            found.without_condition &= condition.is_none();
            let from = from.iter().filter_map(Node::as_range_var).chain(table);
            found.tables.extend(from.map(|table| address(table.into())));
        };
        query = match query {
            Some(Node::SelectStmt(select)) => {
                add(None, select.from_clause(), select.where_clause());
                None
            }
            Some(Node::UpdateStmt(update)) => {
                add(update.relation(), update.from_clause(), update.where_clause());
                None
            }
            Some(Node::DeleteStmt(delete)) => {
                add(delete.relation(), delete.using_clause(), delete.where_clause());
                None
            }
            Some(Node::InsertStmt(insert)) => insert.select_stmt(),
            Some(Node::ExplainStmt(explain)) => explain.query(),
            Some(Node::CreateTableAsStmt(create)) => create.query(),
            Some(Node::DeclareCursorStmt(declare)) => declare.query(),
            Some(Node::CopyStmt(copy)) => copy.query(),
            _ => None,
        };
    }
    found
}

impl<'a> EffectsFinder<'a> {
    /// Adds the relations behind those that a statement names, and what it does to rows.
    pub(super) fn queried(&mut self, stmt: Node<'a>, known: KnownCatalog<'a>) {
        if let Node::TruncateStmt(_) = stmt {
            return self.truncated(known);
        }
        let stage = stage(stmt);
        if stage == Stage::Analyzed {
            return;
        }
        let written = written(stmt);
        let plain = plain_tables(stmt);
        let mut tables = Vec::new();
        stmt.walk_tables(|table, context| {
            if matches!(context, Context::Dml | Context::Select) {
                tables.push(table);
            }
        });
        let relations = known.relations(self.server);
        let copied = match stmt {
            Node::CopyStmt(copy) => copy.relation().map(|table| address(table.into())),
            _ => None,
        };
        for table in tables {
            let Some(name) = relations.full_name(&table.qualified_name(), NameClass::Relation)
            else {
                continue;
            };
            let place = address(table.into());
            if let Some(WrittenTable { events, columns, is_insert }) = written.get(&place) {
                if stage >= Stage::Planned {
                    let certain = plain.tables.contains(&place)
                        && (plain.without_condition || !relations.is_partitioned(&name));
                    self.below_written(known, table, &name, *is_insert, certain);
                }
                for event in events {
                    let columns = columns.clone().filter(|_| *event == Event::Update);
                    let event = RowEvent { table: name.clone(), event: *event, columns };
                    self.written(known, event, stage == Stage::Run);
                }
                continue;
            }
            if copied == Some(place) {
                continue;
            }
            let lock = if self.is_row_locked(table) {
                LockMode::RowShareLock
            } else {
                LockMode::AccessShareLock
            };
            let certain = plain.tables.contains(&place)
                && (plain.without_condition || !relations.is_partitioned(&name));
            self.behind(
                known,
                &name,
                lock,
                table.inh(),
                (stage >= Stage::Planned).then_some(certain),
            );
        }
    }

    /// Adds what is behind a relation that a query reads; `certain` says whether its descendants are locked in any case, and is
    /// `None` if they are not.
    fn behind(
        &mut self,
        known: KnownCatalog<'a>,
        name: &QualifiedName,
        lock: LockMode,
        inherits: bool,
        certain: Option<bool>,
    ) {
        let relations = known.relations(self.server);
        let mut tables = vec![(name.clone(), inherits, certain)];
        if relations.is_view(name) {
            self.called_by_relation(known, name);
            for (read, view) in relations.read_by(name) {
                self.effects.tables.push(reached(
                    read.clone(),
                    Which::Read,
                    &view,
                    lock,
                    Answer::Yes,
                ));
                if relations.is_view(&read) {
                    self.called_by_relation(known, &read);
                }
                // What the view says of it is not known.
                tables.push((read, true, certain.map(|_| false)));
            }
        }
        for (table, inherits, certain) in tables {
            let Some(certain) = certain.filter(|_| inherits) else { continue };
            for child in relations.descendants(&table) {
                let locked = if certain { Answer::Yes } else { Answer::Maybe };
                let entry = reached(child, Which::Descendants, &table, lock, locked);
                self.effects.tables.push(entry);
            }
        }
    }

    /// Adds the descendants of a table whose rows a statement writes.
    fn below_written(
        &mut self,
        known: KnownCatalog<'a>,
        table: RangeVar<'a>,
        name: &QualifiedName,
        is_insert: bool,
        certain: bool,
    ) {
        let relations = known.relations(self.server);
        // A new row is that of a partition.
        let below = match is_insert {
            true => relations.partitions(name),
            false if table.inh() => relations.descendants(name),
            false => Vec::new(),
        };
        let locked = if certain && !is_insert { Answer::Yes } else { Answer::Maybe };
        for child in below {
            let lock = LockMode::RowExclusiveLock;
            self.effects.tables.push(reached(child, Which::Descendants, name, lock, locked));
        }
    }

    /// Adds the sequences of which defaults of a new row can be.
    pub(super) fn defaults(&mut self, known: KnownCatalog<'a>, table: &QualifiedName) {
        let relations = known.relations(self.server);
        let computes = relations.relation(table).is_some_and(|relation| {
            relation.kind == RelationKind::Table
                && relation.columns.iter().any(|column| {
                    matches!(column.default, ColumnDefault::Expr | ColumnDefault::Identity)
                })
        });
        if !computes {
            return;
        }
        for sequence in relations.related(table, Relationship::OwnedSequences) {
            let lock = LockMode::RowExclusiveLock;
            let entry = reached(sequence, Which::OwnedSequences, table, lock, Answer::Maybe);
            self.effects.tables.push(entry);
        }
    }
}
