//! The values of rows that statements write.

use pg_ast::QualifiedName;

use super::constants::{constant, is_star, is_text};
use super::pg::protobuf::{CmdType, JoinType, OnConflictAction, OverridingKind, SetOperation};
use super::pg::seam::address;
use super::pg::view::{InsertStmt, List, MergeStmt, MergeWhenClause, Node, SelectStmt};
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
                infer.index_elems().iter().any(|element| {
                    matches!(element, Node::IndexElem(element) if element.name() == name
                        && element.collation().is_empty() && element.opclass().is_empty())
                })
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
            let Some((is_written, may_be_null)) = self.written(select, place) else { return };
            if may_be_null {
                self.may_be_null.insert(source);
            }
            let query = self.query_column(select, place);
            self.graph.pass_on(query, id, !is_written);
        }
    }

    /// Returns whether the values that a query writes at a place are constants that take the column's type, and whether they may be
    /// NULL without being written as such; `None` if nothing is known of them.
    fn written(&self, select: SelectStmt<'a>, place: usize) -> Option<(bool, bool)> {
        let is_plain = select.sort_clause().is_empty()
            && select.limit_count().is_none()
            && select.limit_offset().is_none()
            && select.with_clause().is_none();
        let is_one = select.op() == SetOperation::SetopNone;
        let (mut all_constant, mut may_be_null) = (true, false);
        let mut arms = vec![select];
        while let Some(select) = arms.pop() {
            if select.op() != SetOperation::SetopNone {
                arms.extend(select.rarg().into_iter().chain(select.larg()));
                continue;
            }
            if self.is_open_at(select, place) {
                return None;
            }
            for row in select.rows() {
                written_constant(row.get(place)?)?;
            }
            if !select.values_lists().is_empty() {
                continue;
            }
            let returned = self.recorded.columns_of(select)?;
            let value = returned.values.get(place).copied().flatten();
            // `ROLLUP` makes NULL of constants as well.
            let is_grouped = !select.group_clause().is_empty();
            if value.and_then(constant).is_some() {
                written_constant(value?)?;
                may_be_null |= is_grouped;
            } else {
                all_constant = false;
                let column = returned.origins.get(place)?.as_ref();
                let is_stored = column.is_some_and(|column| self.is_table(column.source));
                may_be_null |= is_grouped || !is_stored || has_outer_joins(select);
            }
        }
        Some((is_one && is_plain && all_constant, may_be_null))
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
    fn merged_row(&mut self, when: MergeWhenClause<'a>, into: usize) -> Option<NodeId> {
        if when.r#override() == OverridingKind::OverridingUserValue {
            return None;
        }
        let place = if when.target_list().is_empty() {
            self.place_in_table(into)
        } else {
            place_of(when.target_list(), self.column)
        };
        if when.values().iter().any(is_star) {
            return None;
        }
        let value = when.values().get(place?)?;
        let id = self.graph.node(ValueNode::Cast(address(Node::MergeWhenClause(when)), 0));
        if constant(value).is_some() {
            self.restrict(id, vec![written_constant(value)?]);
        } else if let [(source, column)] = self.columns_named(value).as_slice()
            && !self.is_shared(*source)
        {
            self.graph.pass_on(*column, id, true);
            self.may_be_null.insert(into);
        }
        Some(id)
    }
}

/// Returns a constant that is written: a text, which takes the column's type, only without a cast to another one.
fn written_constant(node: Node<'_>) -> Option<ColumnValue> {
    let is_cast = matches!(node, Node::TypeCast(_));
    constant(node).filter(|value| !is_cast || !is_text(value))
}

/// Returns whether a `FROM` has outer joins, which make NULL of columns.
fn has_outer_joins(select: SelectStmt<'_>) -> bool {
    let mut items: Vec<_> = select.from_clause().iter().collect();
    while let Some(item) = items.pop() {
        if let Node::JoinExpr(join) = item {
            if join.jointype() != JoinType::JoinInner {
                return true;
            }
            items.extend(join.larg().into_iter().chain(join.rarg()));
        }
    }
    false
}

/// Returns whether a value is what a column of a type has that it is written to: a number can be rounded, and `TRUE` be a text.
pub(super) fn is_stored_as_written(value: &ColumnValue, of: Option<&QualifiedName>) -> bool {
    match value {
        ColumnValue::Float(_) => false,
        ColumnValue::Boolean(_) => of.is_some_and(|of| of.name == "bool"),
        _ => true,
    }
}
