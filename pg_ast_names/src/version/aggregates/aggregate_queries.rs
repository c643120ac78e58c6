//! The clauses of queries and of statements that write, each with what can be in it.

use super::aggregate_calls::{AggregateCheck, items};
use super::aggregate_places::ExprPlace;
use super::pg::protobuf::SetOperation;
use super::pg::seam::{list_field, node_field, with_stack};
use super::pg::view::{
    InsertStmt, List, MergeStmt, Node, OnConflictClause, SelectStmt, WithClause,
};

impl<'a> AggregateCheck<'_, 'a> {
    /// Reads a query, or a statement that writes.
    pub(super) fn query(&mut self, query: Node<'a>) {
        with_stack(|| match query {
            Node::SelectStmt(select) if select.op() != SetOperation::SetopNone => {
                if self.open(query) {
                    self.set_operation(select);
                    self.levels.pop();
                }
            }
            Node::SelectStmt(select) => self.select(select),
            _ => self.writing(query),
        });
    }

    fn with_clause(&mut self, with: Option<WithClause<'a>>) {
        for cte in with.map(WithClause::ctes).unwrap_or_default() {
            if let Node::CommonTableExpr(cte) = cte
                && let Some(query) = cte.ctequery()
            {
                self.query(query);
            }
        }
    }

    /// Reads both arms, and those of the arms: nothing belongs to the operations themselves.
    fn set_operation(&mut self, select: SelectStmt<'a>) {
        let mut arms = vec![select];
        while let Some(arm) = arms.pop() {
            if arm.op() == SetOperation::SetopNone {
                self.query(arm.into());
                continue;
            }
            self.with_clause(arm.with_clause());
            self.limits(arm);
            arms.extend(arm.rarg());
            arms.extend(arm.larg());
        }
    }

    fn limits(&mut self, select: SelectStmt<'a>) {
        self.exprs(select.limit_count(), ExprPlace::Limit);
        self.exprs(select.limit_offset(), ExprPlace::Offset);
    }

    fn sort(&mut self, sorts: List<'a>) {
        for sort in sorts {
            let value = match sort {
                Node::SortBy(sort) => sort.node(),
                other => Some(other),
            };
            self.exprs(value, ExprPlace::OrderBy);
        }
    }

    fn select(&mut self, select: SelectStmt<'a>) {
        if !self.open(select.into()) {
            return;
        }
        self.with_clause(select.with_clause());
        self.from(select.from_clause());
        let place = if select.values_lists().is_empty() {
            ExprPlace::SelectTarget
        } else {
            ExprPlace::Values
        };
        for row in select.rows() {
            self.exprs(row, place);
        }
        for target in select.targets() {
            let is_star = matches!(target.val(), Some(Node::ColumnRef(column)) if column.is_star());
            self.exprs(target.val().filter(|_| !is_star), place);
        }
        self.exprs(select.where_clause(), ExprPlace::Where);
        self.exprs(select.having_clause(), ExprPlace::Having);
        self.sort(select.sort_clause());
        for item in self.group_items(select) {
            self.expr(item, ExprPlace::GroupBy);
        }
        self.exprs(select.distinct_clause(), ExprPlace::DistinctOn);
        self.limits(select);
        for window in select.window_clause() {
            let Node::WindowDef(window) = window else { continue };
            for (part, place) in Self::window_parts(window) {
                self.expr(part, place);
            }
        }
        let level = self.levels.pop().unwrap_or_default();
        let is_grouped = level.has_aggregates
            || !select.group_clause().is_empty()
            || select.having_clause().is_some();
        if is_grouped && !self.gave_up {
            self.check_grouped(select, level);
        }
    }

    pub(super) fn from(&mut self, from: impl IntoIterator<Item = Node<'a>>) {
        let mut items: Vec<_> = from.into_iter().collect();
        items.reverse();
        while let Some(item) = items.pop() {
            match item {
                Node::RangeSubselect(query) => {
                    let before = self.set_place(ExprPlace::FromSubselect);
                    if let Some(query) = query.subquery() {
                        self.query(query);
                    }
                    self.set_place(before);
                }
                Node::RangeFunction(function) => {
                    for call in function.functions() {
                        self.exprs(self::items(call).first(), ExprPlace::FromFunction);
                    }
                }
                Node::RangeTableSample(sample) => {
                    items.extend(sample.relation());
                    self.exprs(sample.args(), ExprPlace::FromTable);
                    self.exprs(sample.repeatable(), ExprPlace::FromTable);
                }
                Node::JoinExpr(join) => {
                    self.exprs(join.quals(), ExprPlace::JoinOn);
                    items.extend(join.rarg());
                    items.extend(join.larg());
                }
                Node::RangeVar(_) => {}
                other => {
                    let mut children = Vec::new();
                    other.children(|child| children.push(child));
                    self.exprs(children, ExprPlace::FromTable);
                }
            }
        }
    }

    fn writing(&mut self, stmt: Node<'a>) {
        if !self.open(stmt) {
            return;
        }
        match stmt {
            Node::InsertStmt(insert) => self.insert(insert),
            Node::UpdateStmt(update) => {
                self.with_clause(update.with_clause());
                self.from(update.from_clause());
                self.assigned(update.target_list());
                self.exprs(update.where_clause(), ExprPlace::Where);
            }
            Node::DeleteStmt(delete) => {
                self.with_clause(delete.with_clause());
                self.from(delete.using_clause());
                self.exprs(delete.where_clause(), ExprPlace::Where);
            }
            Node::MergeStmt(merge) => self.merge(merge),
            other => self.expr(other, ExprPlace::Other),
        }
        let clause = node_field(stmt, "returningClause");
        let returned = match clause {
            Some(clause) => list_field(clause, "exprs"),
            None => list_field(stmt, "returningList"),
        };
        for target in returned.unwrap_or_default() {
            if let Node::ResTarget(target) = target {
                self.exprs(target.val(), ExprPlace::Returning);
            }
        }
        self.levels.pop();
    }

    /// Reads the values that are assigned to columns.
    fn assigned(&mut self, targets: List<'a>) {
        for target in targets {
            let Node::ResTarget(target) = target else { continue };
            self.exprs(target.indirection(), ExprPlace::Update);
            self.exprs(target.val(), ExprPlace::Update);
        }
    }

    fn insert(&mut self, insert: InsertStmt<'a>) {
        self.with_clause(insert.with_clause());
        for target in insert.cols() {
            if let Node::ResTarget(target) = target {
                self.exprs(target.indirection(), ExprPlace::InsertTarget);
            }
        }
        match insert.select_stmt() {
            Some(Node::SelectStmt(select)) if is_row_alone(select) => {
                for row in select.rows() {
                    self.exprs(row, ExprPlace::SingleRow);
                }
            }
            Some(query) => self.query(query),
            None => {}
        }
        if let Some(conflict) = insert.on_conflict_clause() {
            self.on_conflict(conflict);
        }
    }

    fn on_conflict(&mut self, conflict: OnConflictClause<'a>) {
        if let Some(infer) = conflict.infer() {
            for element in infer.index_elems() {
                if let Node::IndexElem(element) = element {
                    self.exprs(element.expr(), ExprPlace::IndexExpression);
                }
            }
            self.exprs(infer.where_clause(), ExprPlace::IndexPredicate);
        }
        self.assigned(conflict.target_list());
        self.exprs(conflict.where_clause(), ExprPlace::Where);
    }

    fn merge(&mut self, merge: MergeStmt<'a>) {
        self.with_clause(merge.with_clause());
        self.from(merge.source_relation());
        self.exprs(merge.join_condition(), ExprPlace::JoinOn);
        for clause in merge.merge_when_clauses() {
            let Node::MergeWhenClause(when) = clause else { continue };
            self.exprs(when.condition(), ExprPlace::MergeWhen);
            self.assigned(when.target_list());
            self.exprs(when.values(), ExprPlace::SingleRow);
        }
    }
}

/// Returns whether a query is one row and nothing else, whose values an `INSERT` computes itself.
fn is_row_alone(select: SelectStmt<'_>) -> bool {
    select.values_lists().len() == 1
        && select.sort_clause().is_empty()
        && select.limit_count().is_none()
        && select.limit_offset().is_none()
        && select.locking_clause().is_empty()
        && select.with_clause().is_none()
}
