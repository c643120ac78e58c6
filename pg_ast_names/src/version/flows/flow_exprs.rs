//! Expressions: what their values are made of.

use std::collections::HashMap;

use super::VERSION;
use super::flow_builder::{FlowBuilder, FlowKey};
use super::pg::protobuf::SubLinkType;
use super::pg::seam::{address, list_field, node_field};
use super::pg::view::{FuncCall, List, Node, SubLink, WindowDef};
use crate::builtin_names::{is_builtin_aggregate, returns_rows};
use crate::lineage::LineageFlow;
use crate::lineage_graph::FlowId;
use crate::resolution::ColumnMeaning;

/// Returns whether a call is one of an aggregate for certain: what only these have says it, or the name of one of PostgreSQL's own.
fn is_aggregate(call: FuncCall<'_>) -> bool {
    let has_part = call.agg_star()
        || call.agg_distinct()
        || call.agg_within_group()
        || call.agg_filter().is_some()
        || !call.agg_order().is_empty();
    has_part || is_builtin_aggregate(VERSION, &call.funcname().qualified_name())
}

/// The parts of an expression that are to be read, each with the value that it is for.
type FlowParts<'a> = Vec<(Node<'a>, LineageFlow, FlowId)>;

fn push_all<'a>(
    parts: &mut FlowParts<'a>,
    nodes: impl IntoIterator<Item = Node<'a>>,
    flow: LineageFlow,
    to: FlowId,
) {
    parts.extend(nodes.into_iter().map(|node| (node, flow, to)));
}

impl<'a> FlowBuilder<'_, 'a> {
    /// Connects a value with what an expression is made of.
    pub(super) fn value(&mut self, to: FlowId, flow: LineageFlow, expr: Node<'a>) {
        let mut parts = vec![(expr, flow, to)];
        while let Some((node, flow, to)) = parts.pop() {
            match node {
                Node::Null
                | Node::AConst(_)
                | Node::ParamRef(_)
                | Node::TypeName(_)
                | Node::SetToDefault(_) => {}
                Node::ColumnRef(_) => self.used(to, flow, node),
                Node::FuncCall(call) => self.call(to, flow, call, &mut parts),
                Node::SubLink(link) => {
                    let is_scalar = link.sub_link_type() == SubLinkType::ExprSublink;
                    let inner =
                        if is_scalar { LineageFlow::Identity } else { LineageFlow::Transformation };
                    push_all(&mut parts, link.testexpr(), flow.of(inner), to);
                    self.sub_link(to, flow, link);
                }
                Node::CaseExpr(case) => {
                    let (condition, value) =
                        (flow.of(LineageFlow::Conditional), flow.of(LineageFlow::Transformation));
                    push_all(&mut parts, case.arg(), condition, to);
                    for when in case.args() {
                        let Node::CaseWhen(when) = when else { continue };
                        push_all(&mut parts, when.expr(), condition, to);
                        push_all(&mut parts, when.result(), value, to);
                    }
                    push_all(&mut parts, case.defresult(), value, to);
                }
                // The value is the same.
                Node::CollateClause(collate) => push_all(&mut parts, collate.arg(), flow, to),
                Node::NamedArgExpr(arg) => push_all(&mut parts, arg.arg(), flow, to),
                Node::GroupingFunc(grouping) => {
                    push_all(&mut parts, grouping.args(), flow.of(LineageFlow::GroupBy), to);
                }
                Node::AIndirection(indirection) => {
                    let columns = self.uses_at(node).into_iter().filter(|used| {
                        matches!(used.meaning, ColumnMeaning::Column(_) | ColumnMeaning::All(_))
                    });
                    let inner = flow.of(LineageFlow::Transformation);
                    if columns.count() == 0 {
                        push_all(&mut parts, indirection.arg(), inner, to);
                    } else {
                        let is_column = indirection.indirection().len() == 1;
                        self.used(to, if is_column { flow } else { inner }, node);
                    }
                    let subscripts = indirection.indirection();
                    let subscripts = subscripts.iter().filter(|it| !matches!(it, Node::String(_)));
                    push_all(&mut parts, subscripts, inner, to);
                }
                Node::SelectStmt(_)
                | Node::InsertStmt(_)
                | Node::UpdateStmt(_)
                | Node::DeleteStmt(_)
                | Node::MergeStmt(_) => {
                    self.query(node);
                    self.all_outputs(to, flow.of(LineageFlow::Transformation), node);
                }
                Node::WindowDef(window) => {
                    self.window(to, flow.of(LineageFlow::Window), window, false);
                }
                _ if matches!(node.name(), "JsonObjectAgg" | "JsonArrayAgg") => {
                    self.json_aggregate(to, flow, node, &mut parts);
                }
                _ => {
                    let inner = flow.of(LineageFlow::Transformation);
                    node.children(|child| parts.push((child, inner, to)));
                }
            }
        }
    }

    fn call(
        &mut self,
        to: FlowId,
        flow: LineageFlow,
        call: FuncCall<'a>,
        parts: &mut FlowParts<'a>,
    ) {
        // `a(t)` can be `t.a`.
        let node = Node::FuncCall(call);
        if !self.uses_at(node).is_empty() {
            return self.used(to, flow, node);
        }
        let inner =
            if is_aggregate(call) { LineageFlow::Aggregation } else { LineageFlow::Transformation };
        let name = call.funcname().qualified_name();
        if returns_rows(VERSION, &name)
            && let Some((query, _)) = self.open.last()
        {
            // It decides how many rows there are as well.
            let rows = self.node(FlowKey::Rows(*query));
            let args = self.new_node();
            self.connect(to, flow.of(inner), args);
            self.connect(rows, LineageFlow::Join, args);
            return push_all(parts, call.args(), LineageFlow::Transformation, args);
        }
        push_all(parts, call.args(), flow.of(inner), to);
        let order = if call.agg_within_group() { inner } else { LineageFlow::Sort };
        push_all(parts, call.agg_order(), flow.of(order), to);
        push_all(parts, call.agg_filter(), flow.of(LineageFlow::Filter), to);
        if let Some(window) = call.over() {
            self.window(to, flow.of(LineageFlow::Window), window, false);
        }
    }

    /// `JSON_ARRAYAGG` and `JSON_OBJECTAGG`, which versions before 16 do not have.
    fn json_aggregate(
        &mut self,
        to: FlowId,
        flow: LineageFlow,
        node: Node<'a>,
        parts: &mut FlowParts<'a>,
    ) {
        push_all(parts, node_field(node, "arg"), flow.of(LineageFlow::Aggregation), to);
        let Some(constructor) = node_field(node, "constructor") else { return };
        push_all(parts, node_field(constructor, "agg_filter"), flow.of(LineageFlow::Filter), to);
        push_all(
            parts,
            list_field(constructor, "agg_order").unwrap_or_default(),
            flow.of(LineageFlow::Sort),
            to,
        );
        if let Some(Node::WindowDef(window)) = node_field(constructor, "over") {
            self.window(to, flow.of(LineageFlow::Window), window, false);
        }
    }

    fn sub_link(&mut self, to: FlowId, flow: LineageFlow, link: SubLink<'a>) {
        let Some(query) = link.subselect() else { return };
        self.query(query);
        let rows = self.node(FlowKey::Rows(address(query)));
        self.connect(to, flow, rows);
        match link.sub_link_type() {
            SubLinkType::ExistsSublink => {}
            SubLinkType::ExprSublink => self.all_outputs(to, flow, query),
            SubLinkType::ArraySublink => {
                self.all_outputs(to, flow.of(LineageFlow::Aggregation), query);
            }
            _ => self.all_outputs(to, flow.of(LineageFlow::Transformation), query),
        }
    }

    /// Connects a value with all columns that a query returns.
    fn all_outputs(&mut self, to: FlowId, flow: LineageFlow, query: Node<'a>) {
        let Some(columns) = self.returned.get(&address(query)).cloned() else { return };
        for place in 0..columns.columns.len() {
            let output = self.node(FlowKey::Output(address(query), place));
            self.connect(to, flow, output);
        }
        if !columns.is_complete() {
            let others = self.node(FlowKey::Others(address(query)));
            self.connect(to, flow, others);
        }
    }

    /// Notes the windows that a query names.
    pub(super) fn name_windows(&mut self, windows: List<'a>) {
        let mut by_name = HashMap::new();
        let mut named = Vec::new();
        for window in windows {
            let Node::WindowDef(window) = window else { continue };
            let id = self.new_node();
            by_name.insert(window.name(), id);
            named.push((id, window));
        }
        if let Some((_, windows)) = self.open.last_mut() {
            *windows = by_name;
        }
        for (id, window) in named {
            self.window(id, LineageFlow::Window, window, true);
        }
    }

    /// Connects a value with what decides about a window.
    fn window(
        &mut self,
        to: FlowId,
        flow: LineageFlow,
        window: WindowDef<'a>,
        is_definition: bool,
    ) {
        let own = if is_definition { "" } else { window.name() };
        for name in [own, window.refname()].into_iter().filter(|name| !name.is_empty()) {
            let named = self.open.last().and_then(|(_, windows)| windows.get(name)).copied();
            if let Some(named) = named {
                self.connect(to, flow, named);
            }
        }
        let parts = window.partition_clause().iter().chain(window.order_clause());
        for part in parts.chain(window.start_offset()).chain(window.end_offset()) {
            // A window can have queries, and they windows.
            super::pg::seam::with_stack(|| self.value(to, flow, part));
        }
    }
}
