//! Statements that write: what the columns get, and what `RETURNING` sees of it.

use std::collections::HashMap;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::flow_builder::{FlowBuilder, FlowKey};
use super::flow_returning::RowRole;
use super::pg::protobuf::{CmdType, OnConflictAction, SubLinkType};
use super::pg::seam::address;
use super::pg::view::{InsertStmt, List, MergeStmt, Node, OnConflictClause};
use crate::lineage::{LineageColumn, LineageFlow, LineageKind, LineageResult};
use crate::lineage_graph::FlowId;
use crate::resolution::SourceKind;

/// The rows of a table that a statement writes.
#[derive(Default)]
pub(super) struct WrittenRow {
    /// The columns that get a value.
    pub(super) columns: HashMap<Arc<str>, WrittenColumn>,
    /// What an `INSERT` would add: `excluded`.
    pub(super) inserted: HashMap<Arc<str>, FlowId>,
    /// How many clauses of the statement change rows that there are, or delete them, and how many add rows.
    pub(super) changes: usize,
    pub(super) inserts: usize,
}

/// A column that gets a value.
pub(super) struct WrittenColumn {
    pub(super) node: FlowId,
    /// How many of the clauses give it a value.
    pub(super) changes: usize,
    pub(super) inserts: usize,
}

/// The columns that one clause writes, in their order; without a name those of which it is not known.
type Assigned = Vec<(Option<Arc<str>>, FlowId)>;

impl<'a> FlowBuilder<'_, 'a> {
    /// Reads a statement that writes.
    pub(super) fn writing(&mut self, stmt: Node<'a>) {
        let rows = self.node(FlowKey::Rows(address(stmt)));
        let (with, table) = match stmt {
            Node::InsertStmt(insert) => (insert.with_clause(), insert.relation()),
            Node::UpdateStmt(update) => (update.with_clause(), update.relation()),
            Node::DeleteStmt(delete) => (delete.with_clause(), delete.relation()),
            Node::MergeStmt(merge) => (merge.with_clause(), merge.relation()),
            _ => return,
        };
        self.with_clause(with);
        let Some(table) = table else { return };
        let Some(source) = self.source_of(table.into()) else { return };
        let mut row = WrittenRow::default();
        let mut assigned = match stmt {
            Node::InsertStmt(insert) => self.inserted(insert, source, rows, &mut row),
            Node::UpdateStmt(update) => {
                self.table_rows(rows, table);
                for item in update.from_clause() {
                    self.item(rows, item);
                }
                row.changes = 1;
                self.condition(rows, update.where_clause());
                let assigned = self.assigned(source, update.target_list());
                row.add(&assigned, true);
                assigned
            }
            Node::DeleteStmt(delete) => {
                self.table_rows(rows, table);
                for item in delete.using_clause() {
                    self.item(rows, item);
                }
                row.changes = 1;
                self.condition(rows, delete.where_clause());
                Vec::new()
            }
            Node::MergeStmt(merge) => {
                self.table_rows(rows, table);
                self.merged_rows(merge, source, rows, &mut row)
            }
            _ => Vec::new(),
        };
        // One that several clauses assign is one column.
        let mut seen = std::collections::HashSet::new();
        assigned.retain(|(name, _)| name.as_ref().is_none_or(|name| seen.insert(name.clone())));
        let columns = assigned.into_iter().map(|(name, node)| {
            let of_all = name.as_ref().and_then(|name| row.columns.get(name));
            LineageColumn { node: of_all.map_or(node, |column| column.node), name }
        });
        let columns: Vec<_> = columns.collect();
        self.written.insert(source, row);
        if let Some(table) = self.table_of(source).filter(|_| !columns.is_empty()) {
            let (kind, stmt) = (LineageKind::Written(table), self.stmt);
            self.results.push(LineageResult { kind, columns, stmt, rows });
        }
        self.returning(stmt, source);
    }

    fn table_of(&self, source: usize) -> Option<QualifiedName> {
        let source = self.resolver.found.sources.get(source)?;
        match &source.kind {
            SourceKind::Table(table) | SourceKind::RowOf(table) => Some(table.clone()),
            _ => None,
        }
    }

    fn condition(&mut self, rows: FlowId, condition: Option<Node<'a>>) {
        if let Some(condition) = condition {
            self.value(rows, LineageFlow::Filter, condition);
        }
    }

    /// Returns the names of the columns that values are for, in their order: those of the list, or those of the table.
    fn names_of_targets(&self, source: usize, targets: List<'a>) -> Option<Vec<Arc<str>>> {
        if !targets.is_empty() {
            let names = targets.iter().filter_map(|target| match target {
                Node::ResTarget(target) => Some(Arc::from(target.name())),
                _ => None,
            });
            return Some(names.collect());
        }
        let relation = self.resolver.sources.get(source)?.relation.filter(|it| it.is_complete)?;
        Some(relation.columns.iter().map(|column| Arc::from(&*column.name)).collect())
    }

    fn inserted(
        &mut self,
        insert: InsertStmt<'a>,
        source: usize,
        rows: FlowId,
        row: &mut WrittenRow,
    ) -> Assigned {
        row.inserts = 1;
        let mut assigned = Vec::new();
        let names = self.names_of_targets(source, insert.cols());
        if let Some(query) = insert.select_stmt() {
            self.query(query);
            let inner = self.node(FlowKey::Rows(address(query)));
            self.connect(rows, LineageFlow::Identity, inner);
            let columns = self.returned.get(&address(query)).cloned().unwrap_or_default();
            let known = columns.open_at.unwrap_or(columns.columns.len());
            let count = match &names {
                Some(names) if !columns.is_complete() || !insert.cols().is_empty() => names.len(),
                _ => known,
            };
            for place in 0..count {
                let from = if place < known {
                    self.node(FlowKey::Output(address(query), place))
                } else {
                    self.node(FlowKey::Others(address(query)))
                };
                let name = names.as_ref().and_then(|names| names.get(place).cloned());
                let node = self.new_node();
                self.connect(node, LineageFlow::Identity, from);
                assigned.push((name, node));
            }
            if !columns.is_complete() && names.is_none() {
                let others = self.node(FlowKey::Others(address(query)));
                assigned.push((None, others));
            }
        }
        self.join_parts(&mut assigned, insert.cols());
        if insert.on_conflict_clause().is_some() {
            // `excluded` has no values that the conflict leads to.
            for (name, node) in &mut assigned {
                let whole = self.new_node();
                self.connect(whole, LineageFlow::Identity, *node);
                let node = core::mem::replace(node, whole);
                row.inserted.extend(name.clone().map(|name| (name, node)));
            }
        }
        row.add(&assigned, false);
        if let Some(conflict) = insert.on_conflict_clause() {
            let excluded = self.sources_at(conflict.into()).to_vec();
            let roles = excluded.into_iter().map(|excluded| (excluded, RowRole::Excluded(source)));
            self.roles.extend(roles);
            // `excluded` is asked for while the statement is read.
            let inserted = row.inserted.clone();
            self.written.insert(source, WrittenRow { inserted, ..WrittenRow::default() });
            let changed = self.on_conflict(conflict, source, rows);
            if conflict.action() == OnConflictAction::OnconflictUpdate {
                row.changes = 1;
                row.add(&changed, true);
                for (name, node) in &changed {
                    if let Some(column) = name.as_ref().and_then(|name| row.columns.get(name)) {
                        let (whole, node) = (column.node, *node);
                        self.connect_part(whole, node);
                    }
                }
                assigned.extend(changed);
            }
        }
        assigned
    }

    /// Connects a column that several clauses assign with what one of them does.
    fn connect_part(&mut self, whole: FlowId, part: FlowId) {
        if whole != part {
            self.connect(whole, LineageFlow::Identity, part);
        }
    }

    /// Makes one of the columns of which several parts are assigned: `INSERT INTO t (q.l, q.r)`.
    fn join_parts(&mut self, assigned: &mut Assigned, targets: List<'a>) {
        let mut first = HashMap::<Arc<str>, FlowId>::new();
        let has_parts = |target: Node<'_>| match target {
            Node::ResTarget(target) => !target.indirection().is_empty(),
            _ => false,
        };
        if !targets.iter().any(has_parts) {
            return;
        }
        let mut joined = Vec::with_capacity(assigned.len());
        for ((name, node), target) in core::mem::take(assigned).into_iter().zip(targets) {
            let Some(name) = name.clone().filter(|_| has_parts(target)) else {
                joined.push((name, node));
                continue;
            };
            let whole = match first.get(&name) {
                Some(whole) => *whole,
                None => {
                    let whole = self.new_node();
                    first.insert(name.clone(), whole);
                    joined.push((Some(name), whole));
                    whole
                }
            };
            self.connect(whole, LineageFlow::Transformation, node);
        }
        *assigned = joined;
    }

    fn on_conflict(
        &mut self,
        conflict: OnConflictClause<'a>,
        source: usize,
        rows: FlowId,
    ) -> Assigned {
        if let Some(infer) = conflict.infer() {
            for element in infer.index_elems() {
                self.used(rows, LineageFlow::Filter, element);
                if let Node::IndexElem(index) = element {
                    self.condition(rows, index.expr());
                }
            }
            self.condition(rows, infer.where_clause());
        }
        self.condition(rows, conflict.where_clause());
        self.assigned(source, conflict.target_list())
    }

    fn merged_rows(
        &mut self,
        merge: MergeStmt<'a>,
        source: usize,
        rows: FlowId,
        row: &mut WrittenRow,
    ) -> Assigned {
        if let Some(item) = merge.source_relation() {
            self.item(rows, item);
        }
        if let Some(condition) = merge.join_condition() {
            self.value(rows, LineageFlow::Join, condition);
        }
        let mut all = Vec::new();
        for clause in merge.merge_when_clauses() {
            let Node::MergeWhenClause(when) = clause else { continue };
            self.condition(rows, when.condition());
            let (assigned, is_change) = match when.command_type() {
                CmdType::CmdUpdate => (self.assigned(source, when.target_list()), true),
                CmdType::CmdDelete => (Vec::new(), true),
                CmdType::CmdInsert => {
                    let names = self.names_of_targets(source, when.target_list());
                    let mut assigned = Vec::new();
                    for (place, value) in when.values().iter().enumerate() {
                        let node = self.new_node();
                        self.value(node, LineageFlow::Identity, value);
                        let name = names.as_ref().and_then(|names| names.get(place).cloned());
                        assigned.push((name, node));
                    }
                    (assigned, false)
                }
                _ => continue,
            };
            row.changes += usize::from(is_change);
            row.inserts += usize::from(!is_change);
            row.add(&assigned, is_change);
            for (name, node) in &assigned {
                if let Some(column) = name.as_ref().and_then(|name| row.columns.get(name)) {
                    let (whole, node) = (column.node, *node);
                    self.connect_part(whole, node);
                }
            }
            all.extend(assigned);
        }
        all
    }

    /// Reads assignments: `SET a = 1, (b, c) = (2, 3)`.
    fn assigned(&mut self, source: usize, targets: List<'a>) -> Assigned {
        let mut assigned: Assigned = Vec::new();
        let mut places = HashMap::<Arc<str>, FlowId>::new();
        let mut several = None;
        for target in targets {
            let Node::ResTarget(column) = target else { continue };
            let name: Arc<str> = Arc::from(column.name());
            let is_new = !places.contains_key(&name);
            let node = *places.entry(name.clone()).or_insert_with(|| self.graph.add(None));
            if is_new {
                assigned.push((Some(name.clone()), node));
            }
            // The other parts of the column stay.
            let is_part = !column.indirection().is_empty();
            if is_part && is_new {
                let old = self.column_named(source, &name);
                self.connect(node, LineageFlow::Transformation, old);
            }
            let flow = if is_part { LineageFlow::Transformation } else { LineageFlow::Identity };
            match column.val() {
                Some(Node::MultiAssignRef(one)) => {
                    // In an owned tree, each has a copy; the first one is resolved.
                    if one.colno() == 1 {
                        several = one.source();
                    }
                    if let Some(several) = several {
                        self.one_of_several(node, flow, several, one.colno());
                    }
                }
                Some(value) => self.value(node, flow, value),
                None => {}
            }
        }
        assigned
    }

    /// Connects one of the columns of `SET (a, b) = ..` with its value.
    fn one_of_several(&mut self, to: FlowId, flow: LineageFlow, several: Node<'a>, number: i32) {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let place = place.unwrap_or(usize::MAX);
        match several {
            Node::RowExpr(row) => {
                if let Some(value) = row.args().get(place) {
                    self.value(to, flow, value);
                }
            }
            Node::SubLink(link) if link.sub_link_type() != SubLinkType::ExistsSublink => {
                let Some(query) = link.subselect() else { return };
                self.query(query);
                let columns = self.returned.get(&address(query));
                let open_at = columns.and_then(|columns| columns.open_at);
                let key = if open_at.is_some_and(|open_at| place >= open_at) {
                    FlowKey::Others(address(query))
                } else {
                    FlowKey::Output(address(query), place)
                };
                let (value, rows) = (self.node(key), self.node(FlowKey::Rows(address(query))));
                self.connect(to, flow, value);
                self.connect(to, flow, rows);
            }
            value => {
                let (all, is_new) = self.find(FlowKey::Assigned(address(value)));
                if is_new {
                    self.value(all, LineageFlow::Transformation, value);
                }
                self.connect(to, flow, all);
            }
        }
    }
}

impl WrittenRow {
    /// Adds the columns that a clause assigns.
    fn add(&mut self, assigned: &Assigned, is_change: bool) {
        for (name, node) in assigned {
            let Some(name) = name else { continue };
            let new = || WrittenColumn { node: *node, changes: 0, inserts: 0 };
            let column = self.columns.entry(name.clone()).or_insert_with(new);
            column.changes += usize::from(is_change);
            column.inserts += usize::from(!is_change);
        }
    }
}
