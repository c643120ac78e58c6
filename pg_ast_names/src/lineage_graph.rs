//! Where values come from, as a graph: its size is that of the SQL, however many columns have the same sources.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::lineage::{Flows, LineageFlow, LineageOrigin, LineageSource, UnknownOrigin};
use crate::resolution::{ColumnOrigin, ColumnUse, Resolution, SourceKind};

/// How many sources are listed of which a name may be: names in nested queries would list those around them again and again.
const MOST_CANDIDATES: usize = 32;

pub(crate) type FlowId = usize;

/// What a node is that comes from no other one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leaf {
    Column(ColumnOrigin),
    /// What decides about the rows of a view, in a graph that is kept in a catalog.
    Rows(Arc<QualifiedName>),
    /// A name of several possible meanings, in one of the resolutions.
    OneOf(usize, Box<ColumnUse>),
    Unknown(UnknownOrigin),
}

#[derive(Clone, Debug, Default, PartialEq)]
struct FlowNode {
    leaf: Option<Leaf>,
    /// The last of its edges.
    last: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
struct FlowEdge {
    flow: LineageFlow,
    from: FlowId,
    /// The one before it, of the same node.
    before: Option<usize>,
}

/// Values, and what they are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FlowGraph {
    nodes: Vec<FlowNode>,
    edges: Vec<FlowEdge>,
    /// What lists the candidates of names.
    pub(crate) resolutions: Vec<Arc<Resolution>>,
}

impl FlowGraph {
    pub(crate) fn add(&mut self, leaf: Option<Leaf>) -> FlowId {
        self.nodes.push(FlowNode { leaf, last: None });
        self.nodes.len() - 1
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn set_leaf(&mut self, id: FlowId, leaf: Leaf) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.leaf = Some(leaf);
        }
    }

    /// Notes that a value comes from another one.
    pub(crate) fn connect(&mut self, to: FlowId, flow: LineageFlow, from: FlowId) {
        let edge = self.edges.len();
        let Some(node) = self.nodes.get_mut(to) else { return };
        let before = node.last.replace(edge);
        self.edges.push(FlowEdge { flow, from, before });
    }

    /// Copies another graph, except the columns of tables and the rows of views. Returns the number to add to its nodes, and these.
    pub(crate) fn import(&mut self, other: &Self) -> (usize, Vec<(FlowId, Leaf)>) {
        let (first, first_edge) = (self.nodes.len(), self.edges.len());
        let first_resolution = self.resolutions.len();
        self.resolutions.extend(other.resolutions.iter().cloned());
        let mut leaves = Vec::new();
        for (index, node) in other.nodes.iter().enumerate() {
            let leaf = match &node.leaf {
                Some(leaf @ (Leaf::Column(_) | Leaf::Rows(_))) => {
                    leaves.push((first + index, leaf.clone()));
                    None
                }
                Some(Leaf::OneOf(at, used)) => {
                    Some(Leaf::OneOf(first_resolution + at, used.clone()))
                }
                other => other.clone(),
            };
            self.nodes.push(FlowNode { leaf, last: node.last.map(|edge| first_edge + edge) });
        }
        let edges = other.edges.iter().map(|edge| FlowEdge {
            flow: edge.flow,
            from: first + edge.from,
            before: edge.before.map(|before| first_edge + before),
        });
        self.edges.extend(edges);
        (first, leaves)
    }

    /// Changes the columns of a table, and its name. Returns false if something in the graph is not known, and so may have other names
    /// by now.
    pub(crate) fn rename(
        &mut self,
        of: &QualifiedName,
        table: Option<&Arc<QualifiedName>>,
        mut column: impl FnMut(&mut Arc<str>),
    ) -> bool {
        for node in &mut self.nodes {
            let name = match &mut node.leaf {
                Some(Leaf::Column(origin)) if *origin.table == *of => {
                    column(&mut origin.column);
                    &mut origin.table
                }
                Some(Leaf::Rows(name)) if **name == *of => name,
                Some(Leaf::OneOf(..) | Leaf::Unknown(_)) => return false,
                _ => continue,
            };
            if let Some(table) = table {
                *name = table.clone();
            }
        }
        true
    }

    /// Returns whether a column of a table is in the graph.
    pub(crate) fn has(&self, is_it: impl Fn(&ColumnOrigin) -> bool) -> bool {
        let mut leaves = self.nodes.iter().filter_map(|node| node.leaf.as_ref());
        leaves.any(|leaf| matches!(leaf, Leaf::Column(origin) if is_it(origin)))
    }

    /// Returns what a value comes from: columns in the order of their names, then what is not known.
    pub(crate) fn sources(&self, of: FlowId) -> Vec<LineageSource> {
        let mut columns = BTreeMap::new();
        let mut unknown = Vec::<LineageSource>::new();
        let (mut places, mut by_origin) = (HashMap::new(), HashMap::new());
        // Each node is visited once for each way from it to the value.
        let mut seen = HashSet::new();
        let mut stack = vec![(of, LineageFlow::Identity)];
        while let Some((id, flow)) = stack.pop() {
            if !seen.insert((id, flow)) {
                continue;
            }
            let Some(node) = self.nodes.get(id) else { continue };
            match &node.leaf {
                Some(Leaf::Column(origin)) => {
                    let key = (&*origin.table, &*origin.column);
                    let found = columns.entry(key).or_insert((origin, Flows::default()));
                    found.1.add(flow);
                }
                None | Some(Leaf::Rows(_)) => {}
                Some(other) => {
                    let place = *places.entry(id).or_insert_with(|| {
                        let origin = LineageOrigin::Unknown(self.unknown(other));
                        *by_origin.entry(origin.clone()).or_insert_with(|| {
                            unknown.push(LineageSource { origin, flows: Flows::default() });
                            unknown.len() - 1
                        })
                    });
                    unknown[place].flows.add(flow);
                }
            }
            let mut next = node.last;
            while let Some(edge) = next.and_then(|edge| self.edges.get(edge)) {
                stack.push((edge.from, flow.of(edge.flow)));
                next = edge.before;
            }
        }
        let columns = columns.into_values().map(|(origin, flows)| LineageSource {
            origin: LineageOrigin::Column(origin.clone()),
            flows,
        });
        unknown.sort_by(|one, other| one.origin.cmp(&other.origin));
        columns.chain(unknown).collect()
    }

    fn unknown(&self, leaf: &Leaf) -> UnknownOrigin {
        match leaf {
            Leaf::Unknown(unknown) => unknown.clone(),
            Leaf::OneOf(at, used) => {
                let column = used.names.last().cloned().unwrap_or_default();
                let Some(names) = self.resolutions.get(*at) else {
                    return UnknownOrigin::Name(column);
                };
                let candidates = names.candidates(used).filter_map(|source| {
                    let source = names.sources.get(source)?;
                    Some(match (&source.kind, &source.name) {
                        (SourceKind::Table(table) | SourceKind::RowOf(table), _) => table.clone(),
                        (_, name) => QualifiedName::unqualified(name.as_deref()?),
                    })
                });
                let mut candidates: Vec<_> = candidates.take(MOST_CANDIDATES).collect();
                candidates.reverse();
                UnknownOrigin::OneOf { column, candidates }
            }
            Leaf::Column(ColumnOrigin { column, .. }) => UnknownOrigin::Name(column.to_string()),
            Leaf::Rows(view) => UnknownOrigin::ColumnsOf((**view).clone()),
        }
    }
}
