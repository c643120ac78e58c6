//! Queries: what they return, and what decides about their rows.

use std::rc::Rc;
use std::sync::Arc;

use pg_ast::Literal;

use super::flow_builder::{FlowBuilder, FlowKey};
use super::lookup::column_names::NamedColumns;
use super::pg::protobuf::SetOperation;
use super::pg::seam::{address, with_stack};
use super::pg::view::{
    CommonTableExpr, CteCycleClause, CteSearchClause, List, Node, SelectStmt, WithClause,
};
use crate::lineage::{LineageFlow, UnknownOrigin};
use crate::lineage_graph::FlowId;
use crate::resolution::ColumnMeaning;

impl<'a> FlowBuilder<'_, 'a> {
    /// Reads a query.
    pub(super) fn query(&mut self, query: Node<'a>) {
        if !self.begun.insert(address(query)) {
            return;
        }
        with_stack(|| {
            self.open.push((address(query), std::collections::HashMap::new()));
            match query {
                Node::SelectStmt(select) => self.select(select),
                Node::InsertStmt(_)
                | Node::UpdateStmt(_)
                | Node::DeleteStmt(_)
                | Node::MergeStmt(_) => self.writing(query),
                _ => {}
            }
            self.open.pop();
        });
    }

    fn select(&mut self, select: SelectStmt<'a>) {
        self.with_clause(select.with_clause());
        let rows = self.node(FlowKey::Rows(address(select.into())));
        if select.op() != SetOperation::SetopNone {
            self.set_operation(select, rows);
        } else if select.values_lists().is_empty() {
            self.plain_select(select, rows);
        } else {
            self.values(select);
        }
        for sort in select.sort_clause() {
            let value = match sort {
                Node::SortBy(sort) => sort.node(),
                other => Some(other),
            };
            if let Some(value) = value {
                self.output_or_value(rows, LineageFlow::Sort, value);
            }
        }
        for limit in select.limit_count().into_iter().chain(select.limit_offset()) {
            self.value(rows, LineageFlow::Filter, limit);
        }
    }

    /// Reads the queries of a `WITH`.
    pub(super) fn with_clause(&mut self, with: Option<WithClause<'a>>) {
        let ctes = with.into_iter().flat_map(WithClause::ctes);
        for cte in ctes {
            let Node::CommonTableExpr(cte) = cte else { continue };
            if let Some(query) = cte.ctequery() {
                self.query(query);
                self.search_and_cycle(cte, query);
            }
        }
    }

    /// Connects the columns that `SEARCH` and `CYCLE` add.
    fn search_and_cycle(&mut self, cte: CommonTableExpr<'a>, query: Node<'a>) {
        let Some(columns) = self.returned.get(&address(query)).cloned() else { return };
        let names: Vec<&str> = cte.aliascolnames().strs().collect();
        let columns = if names.is_empty() { columns } else { Rc::new(columns.renamed(&names).0) };
        let mut place = columns.columns.len();
        let search = cte.search_clause().map(CteSearchClause::search_col_list);
        let cycle = cte.cycle_clause().map(CteCycleClause::cycle_col_list);
        // The columns come one after the other: that of `SEARCH`, and both of `CYCLE`.
        for (names, count) in [(search, 1), (cycle, 2)] {
            let Some(names) = names else { continue };
            let all = self.new_node();
            for name in names.strs() {
                let from = match columns.find(name) {
                    Some((at, _)) => self.node(FlowKey::Output(address(query), at)),
                    None => self.unknown(UnknownOrigin::Name(name.to_owned())),
                };
                self.connect(all, LineageFlow::Transformation, from);
            }
            for place in place..place + count {
                let added = self.node(FlowKey::Output(address(query), place));
                self.connect(added, LineageFlow::Transformation, all);
            }
            place += count;
            if count == 2 {
                let rows = self.node(FlowKey::Rows(address(query)));
                self.connect(rows, LineageFlow::Filter, all);
            }
        }
    }

    fn set_operation(&mut self, select: SelectStmt<'a>, rows: FlowId) {
        let (Some(left), Some(right)) = (select.larg(), select.rarg()) else { return };
        let (own, left, right) = (address(select.into()), Node::from(left), Node::from(right));
        self.query(left);
        self.query(right);
        let columns_of = |this: &Self, arm| this.returned.get(&address(arm)).cloned();
        let columns = columns_of(self, left).unwrap_or_default();
        let others = columns_of(self, right).unwrap_or_default();
        let known = |columns: &NamedColumns<'_>| columns.open_at.unwrap_or(columns.columns.len());
        let (of_left, of_right) = (known(&columns), known(&others));
        let has_right = select.op() != SetOperation::SetopExcept;
        // Where one arm has columns that are not known, it is not known which of the other one they meet.
        let behind = |this: &mut Self, first: usize| {
            let rest = this.new_node();
            for (place, (_, from)) in this.columns_returned(right).into_iter().enumerate() {
                if place >= first && has_right {
                    this.connect(rest, LineageFlow::Identity, from);
                }
            }
            rest
        };
        let others_of_right =
            if others.is_complete() { None } else { Some(behind(self, of_right)) };
        let any_of_right = if columns.is_complete() { None } else { Some(behind(self, of_left)) };
        for place in 0..columns.columns.len() {
            let output = self.node(FlowKey::Output(own, place));
            let from = self.node(FlowKey::Output(address(left), place));
            self.connect(output, LineageFlow::Identity, from);
            let from = match (any_of_right, others_of_right) {
                (Some(any), _) if place >= of_left => Some(any),
                _ if place < of_right && has_right => {
                    Some(self.node(FlowKey::Output(address(right), place)))
                }
                (_, others) => others,
            };
            if let Some(from) = from {
                self.connect(output, LineageFlow::Identity, from);
            }
        }
        if let Some(any) = any_of_right {
            let rest = self.node(FlowKey::Others(own));
            let from = self.node(FlowKey::Others(address(left)));
            self.connect(rest, LineageFlow::Identity, from);
            self.connect(rest, LineageFlow::Identity, any);
        }
        self.set_rows(select, rows, [(left, &columns), (right, &others)]);
        self.returned.insert(own, columns);
    }

    /// Connects the rows of a set operation with what decides about them.
    fn set_rows(
        &mut self,
        select: SelectStmt<'a>,
        rows: FlowId,
        arms: [(Node<'a>, &Rc<NamedColumns<'a>>); 2],
    ) {
        let flow = match select.op() {
            SetOperation::SetopUnion if select.all() => None,
            SetOperation::SetopUnion => Some(LineageFlow::GroupBy),
            _ => Some(LineageFlow::Filter),
        };
        for (arm, columns) in arms {
            let inner = self.node(FlowKey::Rows(address(arm)));
            self.connect(rows, LineageFlow::Identity, inner);
            let Some(flow) = flow else { continue };
            for place in 0..columns.columns.len() {
                let from = self.node(FlowKey::Output(address(arm), place));
                self.connect(rows, flow, from);
            }
            if !columns.is_complete() {
                let from = self.node(FlowKey::Others(address(arm)));
                self.connect(rows, flow, from);
            }
        }
    }

    fn values(&mut self, select: SelectStmt<'a>) {
        let own = address(select.into());
        let columns = self.recorded.values_of(select.into()).cloned().unwrap_or_default();
        for row in select.rows() {
            let mut place = 0;
            let mut is_open = false;
            for value in row {
                let star = match value {
                    Node::ColumnRef(column) if column.is_star() => self.all_of(value),
                    _ => None,
                };
                let Some(parts) = star else {
                    let key =
                        if is_open { FlowKey::Others(own) } else { FlowKey::Output(own, place) };
                    let output = self.node(key);
                    self.value(output, LineageFlow::Identity, value);
                    place += 1;
                    continue;
                };
                for part in parts {
                    is_open |= part.is_err();
                    let key =
                        if is_open { FlowKey::Others(own) } else { FlowKey::Output(own, place) };
                    let output = self.node(key);
                    self.connect(
                        output,
                        LineageFlow::Identity,
                        part.unwrap_or_else(|others| others),
                    );
                    place += 1;
                }
            }
        }
        self.returned.insert(own, columns);
    }

    /// Returns what a star means; `None` if it is a mistake.
    fn all_of(&mut self, star: Node<'a>) -> Option<Vec<Result<FlowId, FlowId>>> {
        let used = self.uses_at(star).into_iter().find_map(|used| match &used.meaning {
            ColumnMeaning::All(parts) => Some(parts),
            _ => None,
        });
        Some(self.star_parts(star, used?))
    }

    fn plain_select(&mut self, select: SelectStmt<'a>, rows: FlowId) {
        for item in select.from_clause() {
            self.item(rows, item);
        }
        self.name_windows(select.window_clause());
        self.targets(select.into(), select.target_list());
        if let Some(condition) = select.where_clause() {
            self.value(rows, LineageFlow::Filter, condition);
        }
        if let Some(condition) = select.having_clause() {
            self.value(rows, LineageFlow::Filter, condition);
        }
        let mut items: Vec<_> = select.group_clause().iter().collect();
        while let Some(item) = items.pop() {
            match item {
                Node::GroupingSet(set) => items.extend(set.content()),
                Node::RowExpr(row) => items.extend(row.args()),
                Node::List(list) => items.extend(list),
                item => self.output_or_value(rows, LineageFlow::GroupBy, item),
            }
        }
        for item in select.distinct_clause() {
            match item {
                // It is all columns.
                Node::Null => self.all_columns(rows, LineageFlow::GroupBy, select.into()),
                item => self.output_or_value(rows, LineageFlow::GroupBy, item),
            }
        }
    }

    fn all_columns(&mut self, rows: FlowId, flow: LineageFlow, query: Node<'a>) {
        for (_, from) in self.columns_returned(query) {
            self.connect(rows, flow, from);
        }
    }

    /// Connects rows with an expression, or with a column of the query by its place.
    fn output_or_value(&mut self, rows: FlowId, flow: LineageFlow, value: Node<'a>) {
        let Some(Literal::Integer(place)) = value.literal() else {
            return self.value(rows, flow, value);
        };
        let Some(query) = self.open.last().map(|(query, _)| *query) else { return };
        let Some(place) = usize::try_from(place).ok().and_then(|place| place.checked_sub(1)) else {
            return;
        };
        let columns = self.returned.get(&query);
        let is_open = columns.and_then(|it| it.open_at).is_some_and(|open_at| place >= open_at);
        let key = if is_open { FlowKey::Others(query) } else { FlowKey::Output(query, place) };
        let from = self.node(key);
        self.connect(rows, flow, from);
    }

    /// Reads a list of targets, and connects the columns that it returns.
    pub(super) fn targets(&mut self, query: Node<'a>, targets: List<'a>) {
        let recorded = self.recorded;
        let Some(returned) = recorded.columns_of(query) else { return };
        let own = address(query);
        let mut place = 0;
        for target in targets {
            let Node::ResTarget(target) = target else { continue };
            let Some(value) = target.val() else { continue };
            let is_star = match value {
                Node::ColumnRef(column) => column.is_star(),
                Node::AIndirection(of) => matches!(of.indirection().last(), Some(Node::AStar(_))),
                _ => false,
            };
            if !is_star {
                let output = self.node(FlowKey::Output(own, place));
                self.value(output, LineageFlow::Identity, value);
                place += 1;
                continue;
            }
            if let Some(parts) = self.all_of(value) {
                for part in parts {
                    let key = match part {
                        Ok(_) => FlowKey::Output(own, place),
                        Err(_) => FlowKey::Others(own),
                    };
                    place += usize::from(part.is_ok());
                    let output = self.node(key);
                    self.connect(
                        output,
                        LineageFlow::Identity,
                        part.unwrap_or_else(|others| others),
                    );
                }
                continue;
            }
            // The fields of a value: it has as many columns as there are before the next value.
            let mut next = returned.values.iter().skip(place);
            let is_it = |it: &Option<Node<'a>>| it.is_some_and(|it| address(it) == address(value));
            let count = match next.position(Option::is_some) {
                Some(found) if is_it(&returned.values[place + found]) => found + 1,
                _ => 0,
            };
            let fields = self.new_node();
            self.value(fields, LineageFlow::Transformation, value);
            for place in place..place + count {
                let output = self.node(FlowKey::Output(own, place));
                self.connect(output, LineageFlow::Identity, fields);
            }
            place += count;
            if !returned.columns.is_complete() {
                let others = self.node(FlowKey::Others(own));
                self.connect(others, LineageFlow::Identity, fields);
            }
        }
        self.returned.insert(own, returned.columns.clone());
    }

    /// Returns the columns that a query returns, with their names; without one, all that are not known.
    pub(super) fn columns_returned(&mut self, query: Node<'a>) -> Vec<(Option<Arc<str>>, FlowId)> {
        let Some(columns) = self.returned.get(&address(query)).cloned() else { return Vec::new() };
        let own = address(query);
        let mut list = Vec::with_capacity(columns.columns.len() + 1);
        for (place, column) in columns.columns.iter().enumerate() {
            if columns.open_at == Some(place) {
                list.push((None, self.node(FlowKey::Others(own))));
            }
            list.push((Some(column.name.clone()), self.node(FlowKey::Output(own, place))));
        }
        if columns.open_at == Some(columns.columns.len()) {
            list.push((None, self.node(FlowKey::Others(own))));
        }
        list
    }
}
