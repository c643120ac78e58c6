//! Statements that write: what their columns get, and what they return.

use pg_ast_names::ColumnMeaning;

use super::pg::protobuf::SetOperation;
use super::pg::seam::{list_field, node_field};
use super::pg::view::{
    DeleteStmt, InsertStmt, List, MergeStmt, Node, OnConflictClause, RangeVar, ResTarget,
    SelectStmt, UpdateStmt,
};
use super::type_walk::TypeWalk;
use super::typed_values::{Columns, TypedValue};
use crate::rules::coercion::Coercion;

impl<'a> TypeWalk<'_, 'a> {
    /// Returns the columns of the `RETURNING` of a statement that writes.
    pub(super) fn writing(&mut self, stmt: Node<'a>) -> Columns {
        match stmt {
            Node::InsertStmt(insert) => self.insert(insert),
            Node::UpdateStmt(update) => return self.update(update),
            Node::DeleteStmt(delete) => self.delete(delete),
            Node::MergeStmt(merge) => self.merge(merge),
            _ => {}
        }
        self.returning(stmt)
    }

    fn returning(&mut self, stmt: Node<'a>) -> Columns {
        let targets = match node_field(stmt, "returningClause") {
            Some(clause) => list_field(clause, "exprs"),
            None => list_field(stmt, "returningList"),
        };
        let mut columns = self.targets(targets.unwrap_or_default());
        self.texts_if_untyped(&mut columns);
        columns
    }

    /// Returns the columns of the table that a statement writes to.
    fn written_columns(&mut self, table: Option<RangeVar<'a>>) -> Columns {
        let source = table.and_then(|table| self.names.sources_at(table.into()).first().copied());
        source.map_or(Columns::unknown(), |source| (*self.columns_of_source(source)).clone())
    }

    /// Returns the column, field or element that a target is: `transformAssignmentIndirection` of `parse_target.c`.
    fn target(&mut self, node: Node<'a>, target: ResTarget<'a>) -> TypedValue {
        let names = self.names;
        let used = names.columns_at(node).next();
        let value = match used.map(|used| &used.meaning) {
            Some(ColumnMeaning::Column(column)) => self.source_column(column, None),
            _ => TypedValue::unknown(),
        };
        self.parts(value, target.indirection())
    }

    /// Gives a value the type of what it is written to: `transformAssignedExpr` of `parse_target.c`.
    fn assign(&mut self, value: &TypedValue, to: &TypedValue) {
        let value = self.again(value);
        match to.id {
            Some(id) => drop(self.coerce(&value, id, Coercion::Assignment)),
            None => drop(self.coerce_to(&value, None)),
        }
        if let Some(index) = value.parameter {
            self.parameters[index].column.clone_from(&to.origin);
        }
    }

    fn insert(&mut self, insert: InsertStmt<'a>) {
        self.with_clause(insert.with_clause());
        let all = self.written_columns(insert.relation());
        let targets = insert.cols();
        let to: Vec<TypedValue> = if targets.is_empty() {
            let known = all.open_at.unwrap_or(all.values.len());
            all.values.into_iter().take(known).collect()
        } else {
            let columns = targets.iter().filter_map(|node| match node {
                Node::ResTarget(target) => Some(self.target(node, target)),
                _ => None,
            });
            columns.collect()
        };
        let to_at = |index: usize| to.get(index).cloned().unwrap_or(TypedValue::unknown());
        match insert.select_stmt() {
            Some(Node::SelectStmt(select)) if is_plain_values(select) => {
                for row in select.rows() {
                    let values = self.list_of_values(row);
                    let known = values.open_at.unwrap_or(values.values.len());
                    for (index, value) in values.values.iter().enumerate() {
                        let to = if index < known { to_at(index) } else { TypedValue::unknown() };
                        self.assign(value, &to);
                    }
                }
            }
            Some(query) => {
                let columns = self.query_of(query, false);
                for index in 0..columns.values.len() {
                    self.assign(&columns.get(index), &to_at(index));
                }
            }
            None => {}
        }
        if let Some(conflict) = insert.on_conflict_clause() {
            self.on_conflict(conflict);
        }
    }

    fn on_conflict(&mut self, conflict: OnConflictClause<'a>) {
        if let Some(infer) = conflict.infer() {
            for element in infer.index_elems() {
                if let Node::IndexElem(element) = element
                    && let Some(expr) = element.expr()
                {
                    self.expr(expr);
                }
            }
            if let Some(condition) = infer.where_clause() {
                let value = self.expr(condition);
                self.condition(&value);
            }
        }
        self.assignments(conflict.target_list());
        if let Some(condition) = conflict.where_clause() {
            let value = self.expr(condition);
            self.condition(&value);
        }
    }

    /// `transformUpdateTargetList` of `analyze.c`
    fn assignments(&mut self, targets: List<'a>) {
        // All values are read before the first one gets the type of its column.
        let mut values = Vec::with_capacity(targets.len());
        let mut several: Option<Columns> = None;
        for node in targets {
            let Node::ResTarget(target) = node else { continue };
            let value = match target.val() {
                Some(Node::MultiAssignRef(assign)) => {
                    let index = usize::try_from(assign.colno()).unwrap_or(1).saturating_sub(1);
                    if index == 0 {
                        several = Some(match assign.source() {
                            Some(Node::RowExpr(row)) => self.list_of_values(row.args()),
                            Some(Node::SubLink(link)) => {
                                let query = link.subselect();
                                query.map(|query| (*self.query(query)).clone()).unwrap_or_default()
                            }
                            Some(other) => {
                                self.expr(other);
                                Columns::unknown()
                            }
                            None => Columns::unknown(),
                        });
                    }
                    several.as_ref().map_or(TypedValue::unknown(), |columns| columns.get(index))
                }
                Some(value) => self.expr(value),
                None => TypedValue::unknown(),
            };
            values.push((node, target, value));
        }
        for (node, target, value) in values {
            let to = self.target(node, target);
            self.assign(&value, &to);
        }
    }

    fn update(&mut self, update: UpdateStmt<'a>) -> Columns {
        self.with_clause(update.with_clause());
        self.read_from(update.from_clause());
        if let Some(condition) = update.where_clause() {
            let value = self.expr(condition);
            self.condition(&value);
        }
        let columns = self.returning(update.into());
        self.assignments(update.target_list());
        columns
    }

    fn delete(&mut self, delete: DeleteStmt<'a>) {
        self.with_clause(delete.with_clause());
        self.read_from(delete.using_clause());
        if let Some(condition) = delete.where_clause() {
            let value = self.expr(condition);
            self.condition(&value);
        }
    }

    /// `transformMergeStmt` of `parse_merge.c`
    fn merge(&mut self, merge: MergeStmt<'a>) {
        self.with_clause(merge.with_clause());
        if let Some(source) = merge.source_relation() {
            self.item_of_from(source);
        }
        if let Some(condition) = merge.join_condition() {
            let value = self.expr(condition);
            self.condition(&value);
        }
        let all = self.written_columns(merge.relation());
        for clause in merge.merge_when_clauses() {
            let Node::MergeWhenClause(when) = clause else { continue };
            if let Some(condition) = when.condition() {
                let value = self.expr(condition);
                self.condition(&value);
            }
            if when.values().is_empty() {
                self.assignments(when.target_list());
                continue;
            }
            let values = self.list_of_values(when.values());
            let mut targets = when.target_list().iter();
            for (index, value) in values.values.iter().enumerate() {
                let to = match targets.next() {
                    Some(node @ Node::ResTarget(target)) => self.target(node, target),
                    None if when.target_list().is_empty() => all.get(index),
                    _ => TypedValue::unknown(),
                };
                self.assign(value, &to);
            }
        }
    }
}

/// Whether it is a list of rows, and nothing else: `isGeneralSelect` of `transformInsertStmt`.
fn is_plain_values(select: SelectStmt<'_>) -> bool {
    !select.values_lists().is_empty()
        && select.op() == SetOperation::SetopNone
        && select.sort_clause().is_empty()
        && select.limit_offset().is_none()
        && select.limit_count().is_none()
        && select.locking_clause().is_empty()
        && select.with_clause().is_none()
}
