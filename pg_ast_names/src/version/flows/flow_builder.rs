//! The nodes of the graph: columns of sources, and what names of columns mean.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use super::flow_returning::RowRole;
use super::flow_writes::WrittenRow;
use super::lookup::column_names::NamedColumns;
use super::lookup::visible_names::Meant;
use super::pg::seam::{address, with_stack};
use super::pg::view::Node;
use super::query::found_nodes::FoundAt;
use super::query::recorded_queries::{RecordedQueries, ReturnedAs};
use super::resolver::NameResolver;
use crate::lineage::{LineageFlow, LineageResult, UnknownOrigin};
use crate::lineage_graph::{FlowGraph, FlowId, Leaf};
use crate::resolution::{ColumnMeaning, ColumnUse, SourceColumn, SourceKind, StarPart};

/// What has a node. Queries are known by their addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum FlowKey {
    /// A column of a source, by its place.
    Column(usize, usize),
    /// A column that is not in the list of its source.
    Named(usize, Arc<str>),
    /// The whole row of a source.
    Row(usize),
    /// A column that a query returns, by its place.
    Output(*const u8, usize),
    /// The columns that a query returns and that are not known.
    Others(*const u8),
    /// What decides about the rows of a query.
    Rows(*const u8),
    /// The arguments of a function that a source is, by its place.
    Call(usize, usize),
    /// A column of a table.
    Base(Arc<QualifiedName>, Arc<str>),
    /// What decides about the rows of a view.
    ViewRows(QualifiedName),
    /// A column of a table as it is after a statement has written.
    Final(usize, Arc<str>),
    /// What several columns are assigned at once.
    Assigned(*const u8),
}

/// Makes the graph of resolved statements.
pub(super) struct FlowBuilder<'r, 'a> {
    pub(super) resolver: &'r NameResolver<'a>,
    pub(super) recorded: &'r RecordedQueries<'a>,
    pub(super) graph: FlowGraph,
    pub(super) results: Vec<LineageResult>,
    pub(super) stmt: usize,
    ids: HashMap<FlowKey, FlowId>,
    found: FoundAt,
    /// The columns of `FULL JOIN .. USING`, by the column of the arm that stands for both.
    pub(super) merged: HashMap<(usize, usize), FlowId>,
    /// The sources of these columns that can be named, and those that are hidden by the alias of a join around them.
    pub(super) visible_arms: Vec<usize>,
    pub(super) hidden: HashSet<usize>,
    /// The queries that are done or being read, and the columns of those that are done.
    pub(super) begun: HashSet<*const u8>,
    pub(super) returned: HashMap<*const u8, Rc<NamedColumns<'a>>>,
    /// The queries that are being read, from the outside to the inside, each with its windows.
    pub(super) open: Vec<(*const u8, HashMap<&'a str, FlowId>)>,
    /// The rows that statements write, by the source that the table is.
    pub(super) written: HashMap<usize, WrittenRow>,
    /// Sources that are other states of these rows.
    pub(super) roles: HashMap<usize, RowRole>,
    /// What is in a `RETURNING`, where the table is what has been written.
    pub(super) in_returning: HashSet<*const u8>,
    /// Whether the columns of views are followed.
    pub(super) follows_views: bool,
    /// Columns of views that are to be followed (none for the rows), and the views that are in the graph.
    pub(super) of_views: Vec<(FlowId, Arc<QualifiedName>, Option<usize>)>,
}

impl<'r, 'a> FlowBuilder<'r, 'a> {
    pub(super) fn new(
        resolver: &'r NameResolver<'a>,
        recorded: &'r RecordedQueries<'a>,
        follows_views: bool,
    ) -> Self {
        // The first one is that of the statements.
        let mut graph = FlowGraph::default();
        graph.resolutions.push(Arc::default());
        Self {
            resolver,
            recorded,
            graph,
            results: Vec::new(),
            stmt: 0,
            ids: HashMap::new(),
            found: resolver.found_at(),
            merged: HashMap::new(),
            visible_arms: Vec::new(),
            hidden: HashSet::new(),
            begun: HashSet::new(),
            returned: HashMap::new(),
            open: Vec::new(),
            written: HashMap::new(),
            roles: HashMap::new(),
            in_returning: HashSet::new(),
            follows_views,
            of_views: Vec::new(),
        }
    }

    pub(super) fn connect(&mut self, to: FlowId, flow: LineageFlow, from: FlowId) {
        self.graph.connect(to, flow, from);
    }

    /// Returns a node that has no key.
    pub(super) fn new_node(&mut self) -> FlowId {
        self.graph.add(None)
    }

    /// Returns the node of a key, and whether it is new.
    pub(super) fn find(&mut self, key: FlowKey) -> (FlowId, bool) {
        let next = self.graph.len();
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.graph.add(None);
        }
        (id, id == next)
    }

    pub(super) fn node(&mut self, key: FlowKey) -> FlowId {
        self.find(key).0
    }

    pub(super) fn unknown(&mut self, why: UnknownOrigin) -> FlowId {
        self.graph.add(Some(Leaf::Unknown(why)))
    }

    pub(super) fn sources_at(&self, node: Node<'a>) -> &[usize] {
        self.found.sources(node)
    }

    /// Returns the source that a node is.
    pub(super) fn source_of(&self, node: Node<'a>) -> Option<usize> {
        self.sources_at(node).first().copied()
    }

    /// Returns the names that a node is.
    pub(super) fn uses_at(&self, node: Node<'a>) -> Vec<&'r ColumnUse> {
        let resolver = self.resolver;
        let uses = self.found.columns(node).iter();
        uses.filter_map(|index| resolver.found.columns.get(*index)).collect()
    }

    fn columns_of(&self, source: usize) -> Option<Rc<NamedColumns<'a>>> {
        Some(self.resolver.sources.get(source)?.columns.clone())
    }

    /// Returns the node of a column of a source.
    pub(super) fn column_at(&mut self, source: usize, index: usize) -> FlowId {
        let (id, is_new) = self.find(FlowKey::Column(source, index));
        // Queries can be nested in any depth.
        if is_new && let Some(from) = with_stack(|| self.origin_at(source, index)) {
            let flow = match self.resolver.found.sources[source].kind {
                SourceKind::Function => LineageFlow::Transformation,
                _ => LineageFlow::Identity,
            };
            self.connect(id, flow, from);
        }
        id
    }

    /// Returns what a column of a source is.
    fn origin_at(&mut self, source: usize, index: usize) -> Option<FlowId> {
        let resolver = self.resolver;
        let state = resolver.sources.get(source)?;
        if let base @ Meant::Column { source: of, index: at } =
            resolver.base(Meant::Column { source, index })
            && base != (Meant::Column { source, index })
        {
            let merged = self.merged.get(&(of, at)).copied();
            return Some(merged.unwrap_or_else(|| self.column_at(of, at)));
        }
        let column = state.columns.columns.get(index)?;
        let is_listed = state.columns.open_at.is_none_or(|open_at| index < open_at);
        if let Some(role) = self.roles.get(&source).copied() {
            return Some(self.column_of_role(role, index, &column.name));
        }
        match &resolver.found.sources.get(source)?.kind {
            SourceKind::Table(table) | SourceKind::RowOf(table) => {
                let is_renamed =
                    state.relation.is_none() && is_listed && self.recorded.has_names(source);
                let found = resolver.source_column(source, index);
                match found.and_then(|column| column.origin).filter(|_| !is_renamed) {
                    Some(origin) => Some(self.column_of_table(&origin)),
                    None => {
                        let (table, column) = (table.clone(), column.name.to_string());
                        Some(self.unknown(UnknownOrigin::Renamed { table, column }))
                    }
                }
            }
            SourceKind::Cte(_) | SourceKind::Subquery if is_listed => {
                let of = self.recorded.query_of(source)?;
                Some(self.node(FlowKey::Output(address(of.query), index)))
            }
            SourceKind::Function => self.call_of_column(source, index, is_listed),
            _ => self.origin_named(source, &column.name),
        }
    }

    fn call_of_column(&mut self, source: usize, index: usize, is_listed: bool) -> Option<FlowId> {
        let ends = self.recorded.functions_of(source);
        let place = ends.partition_point(|end| *end <= index);
        match (is_listed, place < ends.len()) {
            (true, true) => Some(self.node(FlowKey::Call(source, place))),
            // The number of a row.
            (true, false) if !ends.is_empty() => None,
            _ => Some(self.all_calls(source)),
        }
    }

    /// Returns the node of the arguments of all functions that a source is.
    fn all_calls(&mut self, source: usize) -> FlowId {
        let count = self.recorded.functions_of(source).len();
        if count < 2 {
            return self.node(FlowKey::Call(source, 0));
        }
        let (id, is_new) = self.find(FlowKey::Call(source, usize::MAX));
        for place in (0..count).filter(|_| is_new) {
            let call = self.node(FlowKey::Call(source, place));
            self.connect(id, LineageFlow::Transformation, call);
        }
        id
    }

    /// Returns the node of a column of a source, by its name.
    pub(super) fn column_named(&mut self, source: usize, name: &Arc<str>) -> FlowId {
        match self.columns_of(source).and_then(|columns| columns.find(name)) {
            Some((index, false)) => return self.column_at(source, index),
            Some((_, true)) => return self.unknown(UnknownOrigin::Name(name.to_string())),
            None => {}
        }
        let (id, is_new) = self.find(FlowKey::Named(source, name.clone()));
        if is_new {
            let role = self.roles.get(&source).copied();
            // Queries can be nested in any depth.
            let origin = with_stack(|| match role {
                Some(role) => Some(self.column_named_of_role(role, name)),
                None => self.origin_named(source, name),
            });
            let flow = match self.resolver.found.sources.get(source).map(|of| &of.kind) {
                Some(SourceKind::Function) => LineageFlow::Transformation,
                _ => LineageFlow::Identity,
            };
            let from =
                origin.unwrap_or_else(|| self.unknown(UnknownOrigin::Name(name.to_string())));
            self.connect(id, flow, from);
        }
        id
    }

    /// Returns what a column is that is not among the listed ones of its source.
    fn origin_named(&mut self, source: usize, name: &Arc<str>) -> Option<FlowId> {
        let resolver = self.resolver;
        match &resolver.found.sources.get(source)?.kind {
            SourceKind::Table(_) | SourceKind::RowOf(_) => {
                let origin = resolver.unlisted(source, name).origin?;
                Some(self.column_of_table(&origin))
            }
            SourceKind::Cte(_) | SourceKind::Subquery => {
                let of = self.recorded.query_of(source)?;
                let columns = &resolver.sources.get(source)?.columns;
                Some(match self.recorded.returned_as(columns, name, of) {
                    Some(ReturnedAs::Place(place)) => {
                        self.node(FlowKey::Output(address(of.query), place))
                    }
                    Some(ReturnedAs::Column(inner, name)) => self.column_named(inner, &name),
                    None => self.node(FlowKey::Others(address(of.query))),
                })
            }
            SourceKind::Function => Some(self.all_calls(source)),
            SourceKind::Join => None,
        }
    }

    /// Returns the node of the columns of a source that are not known.
    pub(super) fn others_of(&mut self, source: usize) -> FlowId {
        let kind = self.resolver.found.sources.get(source).map(|source| source.kind.clone());
        match kind {
            Some(SourceKind::Table(table) | SourceKind::RowOf(table)) => {
                self.unknown(UnknownOrigin::ColumnsOf(table))
            }
            Some(SourceKind::Cte(_) | SourceKind::Subquery)
                if let Some(of) = self.recorded.query_of(source) =>
            {
                self.node(FlowKey::Others(address(of.query)))
            }
            Some(SourceKind::Function) => {
                let id = self.new_node();
                let calls = self.all_calls(source);
                self.connect(id, LineageFlow::Transformation, calls);
                id
            }
            _ => self.unknown(UnknownOrigin::Name("*".to_owned())),
        }
    }

    /// Returns the node of the whole row of a source.
    pub(super) fn row_of(&mut self, source: usize) -> FlowId {
        let (id, is_new) = self.find(FlowKey::Row(source));
        let Some(columns) = self.columns_of(source).filter(|_| is_new) else { return id };
        for index in 0..columns.columns.len().saturating_sub(columns.not_in_star) {
            let column = self.column_at(source, index);
            self.connect(id, LineageFlow::Transformation, column);
        }
        if !columns.is_complete() {
            let others = self.others_of(source);
            self.connect(id, LineageFlow::Transformation, others);
        }
        id
    }

    /// Connects a value with what a name in it means.
    pub(super) fn used(&mut self, to: FlowId, flow: LineageFlow, node: Node<'a>) {
        for used in self.uses_at(node) {
            self.meant(to, flow, node, used);
        }
    }

    fn meant(&mut self, to: FlowId, flow: LineageFlow, node: Node<'a>, used: &'r ColumnUse) {
        match &used.meaning {
            ColumnMeaning::Column(column) => {
                let from = self.used_column(node, column);
                self.connect(to, flow, from);
            }
            ColumnMeaning::Both(columns) => {
                for column in columns {
                    let from = self.column_named(column.source, &column.name);
                    self.connect(to, flow, from);
                }
            }
            ColumnMeaning::Row(source) if self.is_written(node, *source) => {
                let from = self.written_row(*source);
                self.connect(to, flow.of(LineageFlow::Transformation), from);
            }
            ColumnMeaning::Row(source) => {
                let from = self.row_of(*source);
                self.connect(to, flow.of(LineageFlow::Transformation), from);
            }
            ColumnMeaning::All(parts) => {
                for from in self.star_parts(node, parts) {
                    let from = from.unwrap_or_else(|others| others);
                    self.connect(to, flow.of(LineageFlow::Transformation), from);
                }
            }
            ColumnMeaning::Output(place) => {
                if let Some((query, _)) = self.open.last() {
                    let from = self.node(FlowKey::Output(*query, *place));
                    self.connect(to, flow, from);
                }
            }
            ColumnMeaning::OneOf(_) => {
                let from = self.graph.add(Some(Leaf::OneOf(0, Box::new(used.clone()))));
                self.connect(to, flow, from);
            }
            ColumnMeaning::Unknown => {
                let name = used.names.last().cloned().unwrap_or_default();
                let from = self.unknown(UnknownOrigin::Name(name));
                self.connect(to, flow, from);
            }
            // What is around it is the value that the field is of.
            ColumnMeaning::Field(..) | ColumnMeaning::Variable(_) => {}
        }
    }

    /// Returns the node of the column that a name means.
    fn used_column(&mut self, node: Node<'a>, column: &SourceColumn) -> FlowId {
        if self.is_written(node, column.source) {
            return self.final_column(column.source, &column.name);
        }
        if let Some(merged) = self.merged_column(node, column) {
            return merged;
        }
        self.column_named(column.source, &column.name)
    }

    /// Returns the node of a column of `FULL JOIN .. USING`, if the name is that of both arms.
    fn merged_column(&self, node: Node<'a>, column: &SourceColumn) -> Option<FlowId> {
        let state = self.resolver.sources.get(column.source)?;
        let (index, _) = state.columns.find(&column.name)?;
        let merged = *self.merged.get(&(column.source, index))?;
        let own = self.resolver.found.sources[column.source].name.as_deref();
        let is_of_arm = qualifier(node).is_some_and(|qualifier| Some(qualifier) == own);
        (!is_of_arm || self.hidden.contains(&column.source)).then_some(merged)
    }

    /// Returns the nodes of what a star stands for; an error for columns that are not known.
    pub(super) fn star_parts(
        &mut self,
        node: Node<'a>,
        parts: &[StarPart],
    ) -> Vec<Result<FlowId, FlowId>> {
        let mut nodes = Vec::with_capacity(parts.len());
        // Columns of one name are in their order.
        let mut next = (usize::MAX, 0);
        for part in parts {
            let column = match part {
                StarPart::Column(column) => column,
                StarPart::AllOf(source) => {
                    nodes.push(Err(self.others_of(*source)));
                    continue;
                }
            };
            let columns = self.columns_of(column.source);
            let is_several =
                |it: &Rc<NamedColumns<'_>>| it.find(&column.name).is_some_and(|it| it.1);
            let from = match columns.filter(is_several) {
                Some(columns) => {
                    let first = if next.0 == column.source { next.1 } else { 0 };
                    let names = columns.columns.iter().skip(first);
                    let found = names.map(|it| &it.name).position(|name| *name == column.name);
                    let index = first + found.unwrap_or_default();
                    next = (column.source, index + 1);
                    self.column_at(column.source, index)
                }
                None => self.used_column(node, column),
            };
            nodes.push(Ok(from));
        }
        nodes
    }
}

/// Returns the name of the source that a name is qualified with.
fn qualifier(node: Node<'_>) -> Option<&str> {
    match node {
        Node::ColumnRef(column) => column.names().rev().nth(1),
        Node::FuncCall(call) => match call.args().first()? {
            Node::ColumnRef(row) => row.names().find(|name| *name != "*"),
            _ => None,
        },
        Node::AIndirection(indirection) => match indirection.arg()? {
            Node::ColumnRef(row) => row.names().rev().find(|name| *name != "*"),
            _ => None,
        },
        _ => None,
    }
}
