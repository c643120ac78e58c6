//! `FROM`: what decides which rows are joined.

use super::flow_builder::{FlowBuilder, FlowKey};
use super::lookup::visible_names::Meant;
use super::pg::protobuf::JoinType;
use super::pg::seam::{address, with_stack};
use super::pg::view::{JoinExpr, Node, RangeFunction, RangeVar};
use crate::lineage::{LineageFlow, UnknownOrigin};
use crate::lineage_graph::FlowId;
use crate::resolution::SourceKind;

impl<'a> FlowBuilder<'_, 'a> {
    /// Connects the rows of a query with those of an item.
    pub(super) fn item(&mut self, rows: FlowId, item: Node<'a>) {
        match item {
            Node::RangeVar(table) => self.table_rows(rows, table),
            Node::RangeSubselect(item) => {
                if let Some(query) = item.subquery() {
                    self.query(query);
                    let inner = self.node(FlowKey::Rows(address(query)));
                    self.connect(rows, LineageFlow::Identity, inner);
                }
            }
            Node::RangeFunction(function) => self.range_function(rows, function),
            Node::RangeTableSample(sample) => {
                if let Some(relation) = sample.relation() {
                    self.item(rows, relation);
                }
                for arg in sample.args().iter().chain(sample.repeatable()) {
                    self.value(rows, LineageFlow::Filter, arg);
                }
            }
            Node::JoinExpr(join) => with_stack(|| self.join(rows, join)),
            // `XMLTABLE` and `JSON_TABLE`.
            _ => {
                let Some(source) = self.source_of(item) else {
                    return self.value(rows, LineageFlow::Join, item);
                };
                let call = self.node(FlowKey::Call(source, 0));
                self.value(call, LineageFlow::Transformation, item);
                self.connect(rows, LineageFlow::Join, call);
            }
        }
    }

    /// Connects rows with what decides about those of a table, if it is a view, or the query of a `WITH`.
    pub(super) fn table_rows(&mut self, rows: FlowId, table: RangeVar<'a>) {
        let Some(source) = self.source_of(table.into()) else { return };
        if let Some(of) = self.recorded.query_of(source) {
            let inner = self.node(FlowKey::Rows(address(of.query)));
            self.connect(rows, LineageFlow::Identity, inner);
        } else if let SourceKind::Table(name) = &self.resolver.found.sources[source].kind
            && let Some(view) = self.rows_of_view(name)
        {
            self.connect(rows, LineageFlow::Identity, view);
        }
    }

    /// The arguments of a function decide about the number of its rows as well.
    fn range_function(&mut self, rows: FlowId, item: RangeFunction<'a>) {
        let Some(source) = self.source_of(item.into()) else { return };
        let mut place = 0;
        for function in item.functions() {
            let Node::List(pair) = function else { continue };
            let Some(call) = pair.first() else { continue };
            let args = match call {
                Node::FuncCall(of) if of.names().eq(["unnest"]) && of.args().len() > 1 => {
                    of.args().iter().collect()
                }
                call => vec![call],
            };
            for arg in args {
                let call = self.node(FlowKey::Call(source, place));
                self.value(call, LineageFlow::Transformation, arg);
                self.connect(rows, LineageFlow::Join, call);
                place += 1;
            }
        }
    }

    fn join(&mut self, rows: FlowId, join: JoinExpr<'a>) {
        let first = self.visible_arms.len();
        for arm in join.larg().into_iter().chain(join.rarg()) {
            self.item(rows, arm);
        }
        let recorded = self.recorded;
        let is_full = join.jointype() == JoinType::JoinFull;
        for column in recorded.merged_in(join) {
            let mut both = Vec::with_capacity(2);
            for arm in column.arms {
                let from = match arm.and_then(|meant| self.of_meant(meant)) {
                    Some(from) => from,
                    None => self.unknown(UnknownOrigin::Name(column.name.to_string())),
                };
                self.connect(rows, LineageFlow::Join, from);
                both.push(from);
            }
            if is_full
                && let Some(Meant::Column { source, index }) =
                    column.kept.map(|meant| self.resolver.base(meant))
            {
                let merged = self.new_node();
                for from in both {
                    self.connect(merged, LineageFlow::Identity, from);
                }
                self.merged.insert((source, index), merged);
                self.visible_arms.push(source);
            }
        }
        if let Some(condition) = join.quals() {
            self.value(rows, LineageFlow::Join, condition);
        }
        if join.alias().is_some() {
            self.hidden.extend(self.visible_arms.drain(first..));
        }
    }

    /// Returns the node of a column as it is seen at the end of a join.
    fn of_meant(&mut self, meant: Meant) -> Option<FlowId> {
        let Meant::Column { source, index } = self.resolver.base(meant) else { return None };
        let merged = self.merged.get(&(source, index)).copied();
        Some(merged.unwrap_or_else(|| self.column_at(source, index)))
    }
}
