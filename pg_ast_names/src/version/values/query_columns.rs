//! The columns that queries return: what those of the tables in them say about them, and the other way round.

use super::constants::{constant, is_star};
use super::pg::protobuf::SetOperation;
use super::pg::seam::address;
use super::pg::view::{Node, SelectStmt};
use super::query::recorded_queries::ReturnedAs;
use super::value_flow::ValueFlow;
use super::value_graph::{NodeId, ValueNode};

impl<'a> ValueFlow<'_, 'a> {
    /// Connects a node with what it comes from.
    pub(super) fn connect(&mut self, node: &ValueNode, id: NodeId) {
        if let ValueNode::Column(source, name) = node
            && let Some(of) = self.recorded.query_of(*source)
            && let Node::SelectStmt(select) = of.query
            && let Some(state) = self.resolver.sources.get(*source)
            && let Some(found) = self.recorded.returned_as(&state.columns, name, of)
        {
            let may_filter = self.recorded.is_only_use(of) && self.may_filter(select);
            match found {
                ReturnedAs::Place(place) => {
                    let returned = self.query_column(select, place);
                    self.graph.pass_on(returned, id, false);
                    if may_filter {
                        self.graph.pass_on(id, returned, false);
                    }
                }
                ReturnedAs::Column(inner, name) => {
                    let Some(column) = self.column_node(inner, name) else { return };
                    self.pass_between(select, (inner, column), id, may_filter);
                }
            }
        }
    }

    /// Passes what is known of a column in a query to the one that the query returns, and back if that may filter its rows.
    fn pass_between(
        &mut self,
        select: SelectStmt<'a>,
        (inner, column): (usize, NodeId),
        returned: NodeId,
        may_filter: bool,
    ) {
        if self.is_shared(inner) {
            return;
        }
        // The column of both arms of a join can have another type than that of one.
        let is_of_another = self.is_uneven(column);
        self.graph.pass_on(column, returned, is_of_another);
        if may_filter && self.recorded.sources_of(select.into()).contains(&inner) {
            self.graph.pass_on(returned, column, is_of_another);
        }
    }

    /// Returns the node of a column that a query returns.
    pub(super) fn query_column(&mut self, select: SelectStmt<'a>, place: usize) -> NodeId {
        let node = ValueNode::Query(address(select.into()), place);
        if let Some(known) = self.graph.find(&node) {
            return known;
        }
        let id = self.graph.node(node);
        let mut arms = vec![select];
        let mut parts = Vec::new();
        while let Some(select) = arms.pop() {
            if select.op() == SetOperation::SetopNone {
                parts.push(select);
            } else {
                arms.extend(select.rarg().into_iter().chain(select.larg()));
            }
        }
        let is_union = parts.len() > 1;
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            if is_union && self.is_open_at(part, place) {
                nodes.push(None);
                continue;
            }
            let part_id = self.graph.node(ValueNode::Output(address(part.into()), place));
            self.output(part, place, part_id);
            // A filter of the whole is one of each part.
            self.graph.pass_on(id, part_id, is_union);
            nodes.push(Some(if is_union { self.cast_part(part, place, part_id) } else { part_id }));
        }
        self.graph.consists_of(id, nodes);
        id
    }

    /// Returns the node of a column that a part of a `UNION` returns, with the type that all parts have.
    fn cast_part(&mut self, part: SelectStmt<'a>, place: usize, id: NodeId) -> NodeId {
        let cast = self.graph.node(ValueNode::Cast(address(part.into()), place));
        self.graph.pass_on(id, cast, true);
        cast
    }

    /// Connects the column that a part of a query returns with the expression that it is.
    fn output(&mut self, select: SelectStmt<'a>, place: usize, id: NodeId) {
        if !select.values_lists().is_empty() {
            let values = select.rows().map(|row| {
                let is_place = !row.iter().any(is_star);
                constant(row.get(place).filter(|_| is_place)?)
            });
            if let Some(values) = values.collect::<Option<Vec<_>>>() {
                self.restrict(id, values);
            }
            return;
        }
        let Some(returned) = self.recorded.columns_of(select) else { return };
        if let Some(Some(column)) = returned.origins.get(place) {
            let column = column.clone();
            let Some(node) = self.column_node(column.source, column.name) else { return };
            let may_filter = self.may_filter(select);
            self.pass_between(select, (column.source, node), id, may_filter);
        } else if let Some(Some(value)) = returned.values.get(place)
            && let Some(value) = constant(*value)
        {
            self.restrict(id, vec![value]);
        }
    }

    /// Returns whether a query returns columns that are not known before a place: then it has another one.
    pub(super) fn is_open_at(&self, select: SelectStmt<'a>, place: usize) -> bool {
        let returned = self.recorded.columns_of(select);
        let open_at = returned.and_then(|returned| returned.columns.open_at);
        open_at.is_some_and(|open_at| place >= open_at)
    }

    /// Returns whether a condition on the columns that a query returns is one on the rows that it reads: not if it counts,
    /// numbers or locks them.
    pub(super) fn may_filter(&mut self, select: SelectStmt<'a>) -> bool {
        let key = address(select.into());
        if let Some(known) = self.may_filter.get(&key) {
            return *known;
        }
        let mut arms = vec![select];
        let mut may = true;
        while may && let Some(select) = arms.pop() {
            let is_limited = select.limit_count().is_some() || select.limit_offset().is_some();
            let is_plain = select.group_clause().is_empty()
                && select.having_clause().is_none()
                && select.window_clause().is_empty()
                && select.locking_clause().is_empty()
                && select.distinct_clause().iter().next().is_none();
            may = !is_limited && is_plain && !has_windows(select);
            arms.extend(select.rarg().into_iter().chain(select.larg()));
        }
        self.may_filter.insert(key, may);
        may
    }
}

/// Returns whether a query calls window functions; aggregates need no search, since a column beside them is grouped.
fn has_windows(select: SelectStmt<'_>) -> bool {
    let mut stack: Vec<_> = select.target_list().iter().collect();
    while let Some(node) = stack.pop() {
        match node {
            Node::WindowDef(_) => return true,
            // Those within are of its own rows.
            Node::SelectStmt(_) => {}
            _ => node.children(|child| stack.push(child)),
        }
    }
    false
}
