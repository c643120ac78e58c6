//! What is known about columns, and how that spreads: a graph, of which each node is visited once.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use pg_ast::QualifiedName;

use crate::column_values::ColumnValue;

/// How many values are copied in all where several lists become one: queries that name each other could multiply them.
const MOST_COPIED: usize = 1 << 20;

pub(crate) type NodeId = usize;

/// What can have known values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ValueNode {
    /// A column of a source, by its name there.
    Column(usize, Arc<str>),
    /// A column that a `SELECT` or `VALUES` returns, by its address and its place.
    Output(*const u8, usize),
    /// The same with the type of another one.
    Cast(*const u8, usize),
    /// The same of a query, which can be several of them with `UNION` in between.
    Query(*const u8, usize),
    /// The rows of a table that a statement writes, by the source.
    Written(usize),
}

/// What is known of a node.
#[derive(Clone)]
pub(crate) struct KnownValues {
    /// In all rows that count, the node has one of these values, or is NULL.
    pub(crate) values: Arc<[ColumnValue]>,
    /// The type of the column that the statement compares them with, if it is known.
    pub(crate) read_as: Option<Rc<QualifiedName>>,
    /// Whether they come from a node that may have another type.
    pub(crate) is_of_another: bool,
}

struct NodeState {
    node: ValueNode,
    known: Option<KnownValues>,
    /// Nodes that have no other values than this one, and whether they may have another type.
    same: Vec<(NodeId, bool)>,
    /// Nodes that have the values of this one and of others.
    wholes: Vec<NodeId>,
    /// What this one has the values of.
    parts: Vec<NodeId>,
    /// How many of these are not known.
    missing: usize,
}

/// The nodes, and how one's values restrict another's.
#[derive(Default)]
pub(crate) struct ValueGraph {
    ids: HashMap<ValueNode, NodeId>,
    nodes: Vec<NodeState>,
    /// Nodes that have been added, and not yet taken.
    added: Vec<(ValueNode, NodeId)>,
}

impl ValueGraph {
    pub(crate) fn node(&mut self, node: ValueNode) -> NodeId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.len();
        self.nodes.push(NodeState {
            node: node.clone(),
            known: None,
            same: Vec::new(),
            wholes: Vec::new(),
            parts: Vec::new(),
            missing: 0,
        });
        self.ids.insert(node.clone(), id);
        self.added.push((node, id));
        id
    }

    /// Returns a node if it has been added.
    pub(crate) fn find(&self, node: &ValueNode) -> Option<NodeId> {
        self.ids.get(node).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns what a node is.
    pub(crate) fn key(&self, id: NodeId) -> Option<&ValueNode> {
        Some(&self.nodes.get(id)?.node)
    }

    /// Takes a node that has been added.
    pub(crate) fn take_added(&mut self) -> Option<(ValueNode, NodeId)> {
        self.added.pop()
    }

    /// Says that a node has one of these values; of several such lists, the shortest counts.
    pub(crate) fn restrict(
        &mut self,
        node: NodeId,
        values: Vec<ColumnValue>,
        read_as: Option<Rc<QualifiedName>>,
        is_of_another: bool,
    ) {
        let known = &mut self.nodes[node].known;
        if known.as_ref().is_none_or(|known| known.values.len() > values.len()) {
            *known = Some(KnownValues { values: values.into(), read_as, is_of_another });
        }
    }

    /// Says that a node has no other values than another one, which may have another type.
    pub(crate) fn pass_on(&mut self, from: NodeId, to: NodeId, is_of_another: bool) {
        if from != to {
            self.nodes[from].same.push((to, is_of_another));
        }
    }

    /// Says that a node has the values of all these; `None` is one that is not known.
    pub(crate) fn consists_of(
        &mut self,
        whole: NodeId,
        parts: impl IntoIterator<Item = Option<NodeId>>,
    ) {
        for part in parts {
            self.nodes[whole].missing += 1;
            if let Some(part) = part {
                self.nodes[whole].parts.push(part);
                self.nodes[part].wholes.push(whole);
            }
        }
    }

    /// Spreads what is known.
    pub(crate) fn spread(&mut self) {
        let mut may_copy = MOST_COPIED;
        let known = |(id, state): (NodeId, &NodeState)| state.known.is_some().then_some(id);
        let mut queue: VecDeque<_> = self.nodes.iter().enumerate().filter_map(known).collect();
        while let Some(id) = queue.pop_front() {
            let Some(known) = self.nodes[id].known.clone() else { continue };
            for (to, is_of_another) in core::mem::take(&mut self.nodes[id].same) {
                if self.nodes[to].known.is_none() {
                    let is_of_another = known.is_of_another || is_of_another;
                    self.nodes[to].known = Some(KnownValues { is_of_another, ..known.clone() });
                    queue.push_back(to);
                }
            }
            for whole in core::mem::take(&mut self.nodes[id].wholes) {
                let state = &mut self.nodes[whole];
                state.missing = state.missing.saturating_sub(1);
                if state.missing == 0 && state.known.is_none() {
                    let parts = core::mem::take(&mut state.parts);
                    self.nodes[whole].known = self.joined(&parts, &mut may_copy);
                    queue.push_back(whole);
                }
            }
        }
    }

    /// Returns what is known of several nodes together.
    fn joined(&self, parts: &[NodeId], may_copy: &mut usize) -> Option<KnownValues> {
        let parts: Vec<_> = parts.iter().filter_map(|part| self.known(*part)).collect();
        let (first, others) = parts.split_first()?;
        if others.is_empty() {
            return Some((*first).clone());
        }
        let count = parts.iter().map(|part| part.values.len()).sum();
        *may_copy = may_copy.checked_sub(count)?;
        let mut seen = HashSet::with_capacity(count);
        let values = parts.iter().flat_map(|part| part.values.iter());
        let values = values.filter(|value| seen.insert(*value)).cloned().collect();
        let is_same = others.iter().all(|part| part.read_as == first.read_as);
        let read_as = first.read_as.clone().filter(|_| is_same);
        let is_of_another = parts.iter().any(|part| part.is_of_another);
        Some(KnownValues { values, read_as, is_of_another })
    }

    /// Returns what is known of a node.
    pub(crate) fn known(&self, node: NodeId) -> Option<&KnownValues> {
        self.nodes.get(node)?.known.as_ref()
    }
}
