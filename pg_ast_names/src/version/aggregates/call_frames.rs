//! What is kept while a statement is read for its calls: the queries around a place, and the calls.

use std::sync::Arc;

use super::aggregate_places::{ExprPlace, RefusedCall};
use super::pg::view::Node;

/// The most queries within each other of which aggregates are looked at: each is a bit.
pub(super) const MOST_LEVELS: usize = 64;

/// A column of a query's own sources, where it counts what is grouped.
#[derive(Clone, Debug)]
pub(super) struct GroupedUse<'a> {
    /// The number of the query, counted from the outermost one.
    pub(super) depth: usize,
    pub(super) source: usize,
    /// The name of the column, `*` for the row.
    pub(super) name: Arc<str>,
    pub(super) node: Node<'a>,
    pub(super) location: i32,
    /// Whether it is all that there is at its place.
    pub(super) is_alone: bool,
    pub(super) is_in_subquery: bool,
}

/// A query that is being read, or the statement around all of them.
#[derive(Default)]
pub(super) struct CheckedLevel<'a> {
    pub(super) place: ExprPlace,
    /// Whether what is there is among what the query returns of its groups.
    pub(super) is_of_groups: bool,
    pub(super) has_aggregates: bool,
    pub(super) columns: Vec<GroupedUse<'a>>,
    /// The columns that are arguments of `GROUPING`.
    pub(super) groupings: Vec<GroupedUse<'a>>,
}

/// What a call is for those in its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallFrameKind {
    Aggregate(RefusedCall),
    Window,
    /// It may be an aggregate.
    Unknown,
}

/// A call whose arguments are being read.
pub(super) struct CallFrame<'a> {
    pub(super) kind: CallFrameKind,
    /// The nearest one of those around it in its query that is known.
    pub(super) around: Option<CallFrameKind>,
    pub(super) node: Node<'a>,
    pub(super) location: i32,
    /// The query in which it is.
    pub(super) depth: usize,
    /// The queries, as bits, that columns and aggregates in it belong to: its own one, and those around.
    pub(super) columns: u64,
    pub(super) aggregates: u64,
    /// The first aggregate of each query.
    pub(super) places: Vec<(usize, i32)>,
    /// Whether something in it has no known meaning.
    pub(super) is_unknown: bool,
    pub(super) grouped: Vec<GroupedUse<'a>>,
    /// Those in its direct arguments, which are not aggregated.
    pub(super) direct: Vec<GroupedUse<'a>>,
}

/// What is to be done next in an expression.
pub(super) enum ExprStep<'a> {
    Visit(Node<'a>, bool),
    Place(ExprPlace),
    EndDirect,
    EndCall,
    EndWithoutSets,
}

/// Returns the bits of a query and those around it.
pub(super) fn up_to(depth: usize) -> u64 {
    u64::MAX >> (MOST_LEVELS - 1 - depth)
}
