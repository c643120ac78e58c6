//! Whether the columns of queries can be NULL.

use std::rc::Rc;

use super::null_walk::{NullColumns, NullWalk};
use super::pg::protobuf::{JoinType, SetOperation};
use super::pg::seam::{address, list_field, node_field, with_stack};
use super::pg::view::{JoinExpr, List, Node, RangeFunction, SelectStmt, WithClause};
use super::target_lists::target_values;
use crate::nullability::NotNullReason;
use crate::nullability::Nullability::{self, NotNull};

impl<'a> NullWalk<'_, 'a> {
    /// Returns the columns of a query.
    pub(super) fn query(&mut self, query: Node<'a>) -> Rc<NullColumns> {
        let key = address(query);
        if let Some(columns) = self.queries.get(&key) {
            return columns.clone();
        }
        // Of a recursive query, nothing is known while it is read.
        if !self.begun.insert(key) {
            return Rc::default();
        }
        let outer = (self.has_grouping_sets, self.has_groups);
        (self.has_grouping_sets, self.has_groups) = (false, false);
        let columns = with_stack(|| match query {
            Node::SelectStmt(select) => self.select(select),
            Node::InsertStmt(_) | Node::UpdateStmt(_) | Node::DeleteStmt(_) => self.written(query),
            _ => NullColumns::default(),
        });
        (self.has_grouping_sets, self.has_groups) = outer;
        self.begun.remove(&key);
        let columns = Rc::new(columns);
        self.queries.insert(key, columns.clone());
        columns
    }

    fn with(&mut self, with: Option<WithClause<'a>>) {
        for cte in with.into_iter().flat_map(WithClause::ctes) {
            if let Node::CommonTableExpr(cte) = cte
                && let Some(query) = cte.ctequery()
            {
                self.query(query);
            }
        }
    }

    fn select(&mut self, select: SelectStmt<'a>) -> NullColumns {
        self.with(select.with_clause());
        if select.op() != SetOperation::SetopNone {
            return self.set_operation(select);
        }
        if !select.values_lists().is_empty() {
            return self.values(select);
        }
        self.read_from(select.from_clause().iter());
        if let Some(condition) = select.where_clause() {
            self.holds(condition, &self.names.sources_of(select.into()));
        }
        let groups = select.group_clause();
        self.has_groups = !groups.is_empty();
        self.has_grouping_sets = groups.iter().any(|group| matches!(group, Node::GroupingSet(_)));
        self.targets(select.target_list())
    }

    fn targets(&mut self, targets: List<'a>) -> NullColumns {
        let mut columns = NullColumns::default();
        for value in target_values(targets) {
            self.item(value, &mut columns);
        }
        columns
    }

    fn item(&mut self, item: Node<'a>, columns: &mut NullColumns) {
        match item {
            Node::ColumnRef(column) if column.is_star() => self.star(item, columns),
            // How many columns it has, the types tell.
            Node::AIndirection(of) if matches!(of.indirection().last(), Some(Node::AStar(_))) => {
                columns.open_here();
            }
            item => {
                let value = self.expr(item);
                columns.columns.push(value);
            }
        }
    }

    fn values(&mut self, select: SelectStmt<'a>) -> NullColumns {
        let mut all: Option<NullColumns> = None;
        for row in select.rows() {
            let mut columns = NullColumns::default();
            for value in row {
                self.item(value, &mut columns);
            }
            all = Some(match all {
                Some(others) => both(&others, &columns),
                None => columns,
            });
        }
        all.unwrap_or_default()
    }

    fn set_operation(&mut self, select: SelectStmt<'a>) -> NullColumns {
        let (Some(left), Some(right)) = (select.larg(), select.rarg()) else {
            return NullColumns::default();
        };
        let left = self.query(left.into());
        let right = self.query(right.into());
        match select.op() {
            SetOperation::SetopExcept => (*left).clone(),
            _ => both(&left, &right),
        }
    }

    /// Reads the items of a `FROM`.
    fn read_from(&mut self, items: impl Iterator<Item = Node<'a>>) {
        for item in items {
            self.item_of_from(item);
        }
    }

    fn item_of_from(&mut self, item: Node<'a>) {
        match item {
            Node::JoinExpr(join) => with_stack(|| self.join(join)),
            Node::RangeSubselect(select) => {
                if let Some(query) = select.subquery() {
                    self.query(query);
                }
            }
            Node::RangeTableSample(sample) => {
                if let Some(relation) = sample.relation() {
                    self.item_of_from(relation);
                }
            }
            Node::RangeFunction(function) => self.range_function(function),
            _ => {}
        }
    }

    fn join(&mut self, join: JoinExpr<'a>) {
        for arm in join.larg().into_iter().chain(join.rarg()) {
            self.item_of_from(arm);
        }
        let [left, right] = self.names.arms_of(join);
        let kind = join.jointype();
        let merged = self.names.merged_in(join);
        if kind == JoinType::JoinInner {
            if let Some(condition) = join.quals() {
                self.holds(condition, &(left.start..right.end));
            }
            for arm in merged.into_iter().flat_map(|column| column.arms).flatten() {
                self.is_there(arm);
            }
            return;
        }
        let full: Vec<_> = merged
            .into_iter()
            .filter(|_| kind == JoinType::JoinFull)
            .map(|column| {
                let both = column
                    .arms
                    .map(|arm| arm.map_or(Nullability::default(), |arm| self.column(arm, false)));
                let is_not_null = both.iter().all(|one| one.is_not_null());
                (column.kept, if is_not_null { both[0] } else { Nullability::default() })
            })
            .collect();
        self.joins += 1;
        if matches!(kind, JoinType::JoinLeft | JoinType::JoinFull) {
            self.missing.push((self.joins, right));
        }
        if matches!(kind, JoinType::JoinRight | JoinType::JoinFull) {
            self.missing.push((self.joins, left));
        }
        for (kept, both) in full {
            if let Some(kept) = kept {
                self.either.insert(kept, (self.joins, both));
            }
        }
    }

    fn range_function(&mut self, item: RangeFunction<'a>) {
        let Some(source) = self.names.sources_at(item.into()).first().copied() else { return };
        let functions = item.functions();
        let mut columns = NullColumns::default();
        if let (1, Some(Node::List(pair))) = (functions.len(), functions.first())
            && let Some(call @ Node::FuncCall(of)) = pair.first()
            && item.coldeflist().is_empty()
            && let Some(facts) = self.facts(call)
        {
            // Others return rows, or several columns.
            let is_value = self.names.columns_of(source).names().len() == 1;
            if is_value && (facts.keeps_not_null || facts.is_never_null) {
                let args = of.args();
                let is_not_null = args.iter().all(|arg| self.expr(arg).is_not_null());
                let is_not_null = is_not_null || facts.is_never_null;
                columns.columns.push(if is_not_null {
                    NotNull(NotNullReason::Function)
                } else {
                    Nullability::default()
                });
            }
        }
        self.of_sources.insert(source, Rc::new(columns));
    }

    /// Returns the columns of the `RETURNING` of a statement that writes one table.
    fn written(&mut self, stmt: Node<'a>) -> NullColumns {
        match stmt {
            Node::InsertStmt(insert) => self.with(insert.with_clause()),
            Node::UpdateStmt(update) => {
                self.with(update.with_clause());
                self.read_from(update.from_clause().iter());
                // What is returned is the row after the change: the condition was one before it.
            }
            Node::DeleteStmt(delete) => {
                self.with(delete.with_clause());
                self.read_from(delete.using_clause().iter());
                if let Some(condition) = delete.where_clause() {
                    self.holds(condition, &self.names.sources_of(stmt));
                }
            }
            _ => {}
        }
        let targets = match node_field(stmt, "returningClause") {
            Some(clause) => list_field(clause, "exprs"),
            None => list_field(stmt, "returningList"),
        };
        self.targets(targets.unwrap_or_default())
    }
}

/// Columns that are not NULL if both are not.
fn both(left: &NullColumns, right: &NullColumns) -> NullColumns {
    let columns = left.columns.iter().enumerate().map(|(index, one)| {
        let other = right.get(index);
        match (one.is_not_null(), other.is_not_null()) {
            (true, true) if one == &other => *one,
            (true, true) => NotNull(NotNullReason::Arms),
            (true, false) => other,
            (false, _) => *one,
        }
    });
    NullColumns { columns: columns.collect(), open_at: left.open_at }
}
