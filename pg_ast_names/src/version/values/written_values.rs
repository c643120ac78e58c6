//! The values of rows that statements write.

use super::constants::constant;
use super::pg::protobuf::{CmdType, OnConflictAction, OverridingKind};
use super::pg::seam::address;
use super::pg::view::{InsertStmt, List, MergeStmt, MergeWhenClause, Node};
use super::stmts::stmt_scopes::MergedRows;
use super::value_flow::ValueFlow;
use super::value_graph::{NodeId, ValueNode};
use crate::column_values::ColumnValue;

/// Returns the place of a column among those that are assigned; `None` if it is not, or in part.
fn place_of(columns: List<'_>, name: &str) -> Option<usize> {
    columns.iter().position(|column| match column {
        Node::ResTarget(column) => column.name() == name && column.indirection().is_empty(),
        _ => false,
    })
}

/// Returns whether columns that are assigned have one of this name.
pub(super) fn assigns(columns: List<'_>, name: &str) -> bool {
    columns.iter().any(|column| matches!(column, Node::ResTarget(column) if column.name() == name))
}

impl<'a> ValueFlow<'_, 'a> {
    /// Reads the rows that an `INSERT` adds.
    pub(super) fn insert(&mut self, insert: InsertStmt<'a>) {
        let Some(source) = self.source_of(insert.relation()) else { return };
        let name = self.column;
        let place = if insert.cols().is_empty() {
            self.place_in_table(source)
        } else {
            place_of(insert.cols(), name)
        };
        // What is written in spite of it is the default.
        let is_used = insert.r#override() != OverridingKind::OverridingUserValue;
        let is_known_row = match insert.on_conflict_clause() {
            None => true,
            // The row that is in the way has the same value only if that is part of the key.
            Some(conflict) => conflict.infer().is_some_and(|infer| {
                infer.index_elems().iter().any(
                    |element| matches!(element, Node::IndexElem(element) if element.name() == name),
                )
            }),
        };
        if let Some(conflict) = insert.on_conflict_clause()
            && conflict.action() == OnConflictAction::OnconflictUpdate
        {
            self.changes(Some(source), conflict.target_list());
        }
        let id = self.graph.node(ValueNode::Written(source));
        if let (Some(place), true, true, Some(Node::SelectStmt(select))) =
            (place, is_used, is_known_row, insert.select_stmt())
        {
            let query = self.query_column(select, place);
            let is_constant = self.is_constant(select, place);
            self.graph.pass_on(query, id, !is_constant);
        }
    }

    /// Reads the condition of a `MERGE`, and the rows that it adds.
    pub(super) fn merge(&mut self, merge: MergeStmt<'a>) {
        let Some(source) = self.source_of(merge.relation()) else { return };
        let clauses = merge.merge_when_clauses().iter().filter_map(|clause| match clause {
            Node::MergeWhenClause(when) => Some((when, MergedRows::of(clause))),
            _ => None,
        });
        let clauses: Vec<_> = clauses.collect();
        let has = |rows| clauses.iter().any(|(_, of)| *of == rows);
        let all = self.recorded.sources_of(merge.into());
        if let Some(condition) = merge.join_condition() {
            // Rows without a partner count for the clauses that are for them.
            let target = source..source + 1;
            let others = source + 1..all.end;
            if !has(MergedRows::NotMatchedBySource) {
                self.condition(condition, &target);
            }
            if !has(MergedRows::NotMatchedByTarget) {
                self.condition(condition, &others);
            }
        }
        let mut parts = Vec::new();
        for (when, _) in &clauses {
            match when.command_type() {
                CmdType::CmdUpdate => self.changes(Some(source), when.target_list()),
                CmdType::CmdInsert => parts.push(self.merged_row(*when, source)),
                _ => {}
            }
        }
        if let Some(column) = self.column_of_table(source) {
            parts.push(Some(column));
            let id = self.graph.node(ValueNode::Written(source));
            self.graph.consists_of(id, parts);
        }
    }

    /// Returns the value of the column in a row that a `MERGE` adds.
    fn merged_row(&mut self, when: MergeWhenClause<'a>, source: usize) -> Option<NodeId> {
        if when.r#override() == OverridingKind::OverridingUserValue {
            return None;
        }
        let place = if when.target_list().is_empty() {
            self.place_in_table(source)
        } else {
            place_of(when.target_list(), self.column)
        };
        let value = when.values().get(place?)?;
        let id = self.graph.node(ValueNode::Cast(address(Node::MergeWhenClause(when)), 0));
        if let Some(value) = constant(value) {
            self.restrict(id, vec![value]);
        } else if let [(source, column)] = self.columns_named(value).as_slice()
            && !self.is_shared(*source)
        {
            self.graph.pass_on(*column, id, true);
        }
        Some(id)
    }
}

/// Returns whether a value is what a column has that it is written to: a number can be rounded.
pub(super) fn is_stored_as_written(value: &ColumnValue) -> bool {
    !matches!(value, ColumnValue::Float(_))
}
