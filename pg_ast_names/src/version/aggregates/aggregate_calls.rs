//! Calls in expressions: which query an aggregate belongs to, and whether it, a window function or a set can be there; see
//! `check_agg_arguments` and its callers in PostgreSQL's `parse_agg.c`.

use std::collections::HashMap;
use std::sync::Arc;

use super::aggregate_places::{ExprPlace, RefusedCall};
use super::call_frames::{
    CallFrame, CallFrameKind, CheckedLevel, ExprStep, GroupedUse, MOST_LEVELS, up_to,
};
use super::pg::seam::{address, list_field, node_field, number_field};
use super::pg::view::{AIndirection, FuncCall, List, Node, WindowDef};
use super::resolver::NameResolver;
use crate::catalog_routines::CallKind;
use crate::name_mistakes::MistakeKind;
use crate::resolution::ColumnMeaning;

/// The second reading of a statement.
pub(super) struct AggregateCheck<'r, 'a> {
    pub(super) names: &'r mut NameResolver<'a>,
    /// The uses of columns, and the queries, by the addresses of their nodes.
    pub(super) columns: HashMap<*const u8, usize>,
    queries: HashMap<*const u8, usize>,
    /// How deep each open query is.
    depths: HashMap<usize, usize>,
    pub(super) levels: Vec<CheckedLevel<'a>>,
    frames: Vec<CallFrame<'a>>,
    /// The expressions around that can have no sets in them, with their queries.
    without_sets: Vec<(&'static str, usize)>,
    /// Whether there are too many levels.
    pub(super) gave_up: bool,
}

impl<'r, 'a> AggregateCheck<'r, 'a> {
    pub(super) fn new(names: &'r mut NameResolver<'a>, columns: HashMap<*const u8, usize>) -> Self {
        let queries = names.for_aggregates.queries.iter().copied().collect();
        Self {
            names,
            columns,
            queries,
            depths: HashMap::new(),
            levels: vec![CheckedLevel::default()],
            frames: Vec::new(),
            without_sets: Vec::new(),
            gave_up: false,
        }
    }

    /// Opens the query that a node is; returns false if that is one too many.
    pub(super) fn open(&mut self, query: Node<'a>) -> bool {
        if self.levels.len() >= MOST_LEVELS {
            self.gave_up = true;
            return false;
        }
        if let Some(scope) = self.queries.get(&address(query)) {
            self.depths.insert(*scope, self.levels.len());
        }
        self.levels.push(CheckedLevel::default());
        true
    }

    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    fn place(&self) -> ExprPlace {
        self.levels[self.depth()].place
    }

    pub(super) fn set_place(&mut self, place: ExprPlace) -> ExprPlace {
        let depth = self.depth();
        core::mem::replace(&mut self.levels[depth].place, place)
    }

    pub(super) fn mistake(
        &mut self,
        node: Node<'a>,
        location: i32,
        kind: MistakeKind,
        message: impl Into<String>,
    ) {
        self.names.mistake(node, location, 0, kind, message.into(), None);
    }

    pub(super) fn meaning(&self, node: Node<'a>) -> Option<&ColumnMeaning> {
        let column = self.names.found.columns.get(*self.columns.get(&address(node))?)?;
        Some(&column.meaning)
    }

    pub(super) fn exprs(&mut self, exprs: impl IntoIterator<Item = Node<'a>>, place: ExprPlace) {
        for expr in exprs {
            self.expr(expr, place);
        }
    }

    /// Reads an expression.
    pub(super) fn expr(&mut self, expr: Node<'a>, place: ExprPlace) {
        let depth = self.depth();
        let before = self.set_place(place);
        let was_of_groups =
            core::mem::replace(&mut self.levels[depth].is_of_groups, place.is_of_groups());
        let mut steps = vec![ExprStep::Visit(expr, true)];
        while let Some(step) = steps.pop() {
            match step {
                ExprStep::Visit(node, is_alone) => self.visit(node, is_alone, &mut steps),
                ExprStep::Place(place) => self.levels[depth].place = place,
                ExprStep::EndDirect => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.direct = core::mem::take(&mut frame.grouped);
                    }
                }
                ExprStep::EndCall => self.end_call(),
                ExprStep::EndWithoutSets => drop(self.without_sets.pop()),
            }
        }
        self.levels[depth].place = before;
        self.levels[depth].is_of_groups = was_of_groups;
    }

    fn visit(&mut self, node: Node<'a>, is_alone: bool, steps: &mut Vec<ExprStep<'a>>) {
        match node {
            Node::Null | Node::AConst(_) | Node::ParamRef(_) | Node::TypeName(_) => {}
            Node::ColumnRef(column) => self.column(node, column.location(), is_alone),
            // `a(t)` that is `t.a`.
            Node::FuncCall(_) if self.columns.contains_key(&address(node)) => self.unknown(),
            Node::AIndirection(indirection) => self.indirection(indirection, is_alone, steps),
            Node::FuncCall(call) => self.call(call, is_alone, steps),
            Node::GroupingFunc(grouping) => {
                self.open_call(
                    CallFrameKind::Aggregate(RefusedCall::Grouping),
                    node,
                    grouping.location(),
                );
                steps.push(ExprStep::EndCall);
                steps.extend(grouping.args().iter().map(|arg| ExprStep::Visit(arg, true)));
            }
            // One of a call to its own type is no more than the call.
            Node::TypeCast(cast) if self.place() == ExprPlace::FromFunction => {
                steps.extend(cast.arg().map(|arg| ExprStep::Visit(arg, is_alone)));
            }
            Node::CaseExpr(_) => self.without_sets("CASE", node, steps),
            Node::CoalesceExpr(_) => self.without_sets("COALESCE", node, steps),
            Node::SubLink(link) => {
                push_all(link.testexpr(), steps);
                if let Some(query) = link.subselect() {
                    self.query(query);
                }
            }
            Node::SelectStmt(_)
            | Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => self.query(node),
            _ if matches!(node.name(), "JsonObjectAgg" | "JsonArrayAgg") => {
                self.json_aggregate(node, steps);
            }
            node => push_children(node, steps),
        }
    }

    /// Reads a part of a value; `(t).a` is the column.
    fn indirection(
        &mut self,
        indirection: AIndirection<'a>,
        is_alone: bool,
        steps: &mut Vec<ExprStep<'a>>,
    ) {
        let node = Node::AIndirection(indirection);
        let Some(Node::ColumnRef(row)) = indirection.arg() else {
            return push_children(node, steps);
        };
        let is_row = matches!(self.meaning(row.into()), Some(ColumnMeaning::Row(_)));
        let is_column = matches!(self.meaning(node), Some(ColumnMeaning::Column(_)));
        match (is_row, is_column) {
            (false, _) => push_children(node, steps),
            (true, true) if indirection.indirection().len() == 1 => {
                self.column(node, row.location(), is_alone);
            }
            _ => {
                self.unknown();
                push_all(indirection.indirection(), steps);
            }
        }
    }

    fn without_sets(&mut self, name: &'static str, node: Node<'a>, steps: &mut Vec<ExprStep<'a>>) {
        self.without_sets.push((name, self.depth()));
        steps.push(ExprStep::EndWithoutSets);
        push_children(node, steps);
    }

    /// Notes that something has no known meaning.
    fn unknown(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.is_unknown = true;
        }
    }

    fn column(&mut self, node: Node<'a>, location: i32, is_alone: bool) {
        let (source, name) = match self.meaning(node) {
            Some(ColumnMeaning::Column(column)) => (column.source, column.name.clone()),
            Some(ColumnMeaning::Row(source)) => (*source, Arc::from("*")),
            Some(ColumnMeaning::Variable(_) | ColumnMeaning::Output(_)) => return,
            _ => return self.unknown(),
        };
        let scope = self.names.for_aggregates.of_sources.get(source);
        let depth = scope.and_then(|scope| self.depths.get(scope)).copied().unwrap_or(0);
        if let Some(frame) = self.frames.last_mut() {
            frame.columns |= (1 << depth) & up_to(frame.depth);
        }
        if self.levels.get(depth).is_some_and(|level| level.is_of_groups) {
            let is_in_subquery = self.depth() > depth;
            let column =
                GroupedUse { depth, source, name, node, location, is_alone, is_in_subquery };
            self.grouped(column);
        }
    }

    /// Adds a column to the innermost call that can be an aggregate of its query, or of one around.
    fn grouped(&mut self, column: GroupedUse<'a>) {
        match self.frames.last_mut().filter(|frame| frame.depth >= column.depth) {
            Some(frame) => frame.grouped.push(column),
            None => self.levels[column.depth].columns.push(column),
        }
    }

    fn call(&mut self, call: FuncCall<'a>, is_alone: bool, steps: &mut Vec<ExprStep<'a>>) {
        let (node, location) = (Node::FuncCall(call), call.location());
        let kind = self.names.call_kind(call);
        let frame = match (kind, call.over()) {
            (CallKind::Aggregate | CallKind::Window, Some(_)) => {
                self.place_window(node, location);
                CallFrameKind::Window
            }
            (CallKind::Aggregate, None) => CallFrameKind::Aggregate(RefusedCall::Aggregate),
            (CallKind::SetReturning, None) => {
                self.place_set(node, location, is_alone);
                return push_children(node, steps);
            }
            (CallKind::Window, None) => {
                let name = call.funcname().qualified_name().plain();
                let message = format!("window function {name} requires an OVER clause");
                self.mistake(node, location, MistakeKind::MissingOver, message);
                return push_children(node, steps);
            }
            (CallKind::Function | CallKind::Procedure, None) => {
                return push_children(node, steps);
            }
            _ => CallFrameKind::Unknown,
        };
        if let Some(window) = call.over() {
            self.window(window, steps);
        }
        self.open_call(frame, node, location);
        steps.push(ExprStep::EndCall);
        self.filter(call.agg_filter(), steps);
        if call.agg_within_group() {
            steps.push(ExprStep::Place(self.place()));
            push_all(call.agg_order(), steps);
            steps.push(ExprStep::Place(ExprPlace::OrderBy));
            steps.push(ExprStep::EndDirect);
        } else {
            push_all(call.agg_order(), steps);
        }
        push_all(call.args(), steps);
    }

    fn filter(&mut self, filter: Option<Node<'a>>, steps: &mut Vec<ExprStep<'a>>) {
        if let Some(filter) = filter {
            steps.push(ExprStep::Place(self.place()));
            steps.push(ExprStep::Visit(filter, false));
            steps.push(ExprStep::Place(ExprPlace::Filter));
        }
    }

    /// Adds the parts of a window.
    pub(super) fn window_parts(window: WindowDef<'a>) -> Vec<(Node<'a>, ExprPlace)> {
        // `FRAMEOPTION_RANGE` and others of PostgreSQL's `parsenodes.h`.
        let offset = match window.frame_options() {
            options if options & 0x2 != 0 => ExprPlace::WindowRange,
            options if options & 0x4 != 0 => ExprPlace::WindowRows,
            _ => ExprPlace::WindowGroups,
        };
        let partition = window.partition_clause().iter();
        let partition = partition.map(|part| (part, ExprPlace::WindowPartition));
        let order = window.order_clause().iter().map(|part| (part, ExprPlace::WindowOrder));
        let offsets = window.start_offset().into_iter().chain(window.end_offset());
        partition.chain(order).chain(offsets.map(|part| (part, offset))).collect()
    }

    fn window(&mut self, window: WindowDef<'a>, steps: &mut Vec<ExprStep<'a>>) {
        steps.push(ExprStep::Place(self.place()));
        for (part, place) in Self::window_parts(window) {
            steps.push(ExprStep::Visit(part, false));
            steps.push(ExprStep::Place(place));
        }
    }

    /// `JSON_ARRAYAGG` and `JSON_OBJECTAGG`, which versions before 16 do not have.
    fn json_aggregate(&mut self, node: Node<'a>, steps: &mut Vec<ExprStep<'a>>) {
        let Some(constructor) = node_field(node, "constructor") else { return };
        let location = number_field(constructor, "location");
        let location = location.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
        let kind = match node_field(constructor, "over") {
            Some(Node::WindowDef(window)) => {
                self.place_window(node, location);
                self.window(window, steps);
                CallFrameKind::Window
            }
            _ => CallFrameKind::Aggregate(RefusedCall::Aggregate),
        };
        self.open_call(kind, node, location);
        steps.push(ExprStep::EndCall);
        self.filter(node_field(constructor, "agg_filter"), steps);
        push_all(list_field(constructor, "agg_order").unwrap_or_default(), steps);
        push_all(node_field(node, "arg"), steps);
    }

    fn open_call(&mut self, kind: CallFrameKind, node: Node<'a>, location: i32) {
        let depth = self.depth();
        let around = self.frames.last().filter(|frame| frame.depth == depth);
        let around = around.and_then(|frame| match frame.kind {
            CallFrameKind::Unknown => frame.around,
            known => Some(known),
        });
        self.frames.push(CallFrame {
            kind,
            around,
            node,
            location,
            depth,
            columns: 0,
            aggregates: 0,
            places: Vec::new(),
            is_unknown: false,
            grouped: Vec::new(),
            direct: Vec::new(),
        });
    }

    /// Returns the nearest call around, in the same query, that is known to be an aggregate or a window function.
    fn around(&self) -> Option<CallFrameKind> {
        let frame = self.frames.last().filter(|frame| frame.depth == self.depth())?;
        match frame.kind {
            CallFrameKind::Unknown => frame.around,
            known => Some(known),
        }
    }

    fn place_window(&mut self, node: Node<'a>, location: i32) {
        match self.around() {
            Some(CallFrameKind::Window) => {
                let message = "window function calls cannot be nested";
                self.mistake(node, location, MistakeKind::MisplacedWindow, message);
            }
            Some(CallFrameKind::Aggregate(RefusedCall::Aggregate)) => {
                let message = "aggregate function calls cannot contain window function calls";
                self.mistake(node, location, MistakeKind::MisplacedAggregate, message);
            }
            _ => {}
        }
        if let Some(message) = self.place().refusal(RefusedCall::Window) {
            self.mistake(node, location, MistakeKind::MisplacedWindow, message);
        }
    }

    fn place_set(&mut self, node: Node<'a>, location: i32, is_alone: bool) {
        let depth = self.depth();
        let place = self.levels[depth].place;
        let around = self.around();
        let message = if let Some(message) = place.refusal(RefusedCall::Set) {
            message
        } else if let Some((name, _)) = self.without_sets.last().filter(|(_, of)| *of == depth) {
            format!("set-returning functions are not allowed in {name}")
        } else if around == Some(CallFrameKind::Aggregate(RefusedCall::Aggregate)) {
            "aggregate function calls cannot contain set-returning function calls".to_owned()
        } else if around == Some(CallFrameKind::Window) {
            "window function calls cannot contain set-returning function calls".to_owned()
        } else if place == ExprPlace::FromFunction && !is_alone {
            "set-returning functions must appear at top level of FROM".to_owned()
        } else {
            return;
        };
        self.mistake(node, location, MistakeKind::MisplacedSet, message);
    }

    fn end_call(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        match frame.kind {
            CallFrameKind::Aggregate(_) if frame.is_unknown => frame.grouped.clear(),
            CallFrameKind::Aggregate(what) => self.end_aggregate(&mut frame, what),
            CallFrameKind::Window => {}
            CallFrameKind::Unknown => {
                frame.grouped.clear();
                frame.direct.clear();
                // If it is an aggregate of columns of queries around alone, it is one of theirs.
                frame.is_unknown |= frame.columns & (1 << frame.depth) == 0;
            }
        }
        frame.grouped.append(&mut frame.direct);
        for column in frame.grouped {
            self.grouped(column);
        }
        let Some(parent) = self.frames.last_mut() else { return };
        let visible = up_to(parent.depth);
        parent.columns |= frame.columns & visible;
        parent.aggregates |= frame.aggregates & visible;
        parent.is_unknown |= frame.is_unknown;
        for (depth, location) in frame.places {
            if depth <= parent.depth && !parent.places.iter().any(|(of, _)| *of == depth) {
                parent.places.push((depth, location));
            }
        }
    }

    /// Finds the query that an aggregate belongs to: the innermost one of those whose columns it has.
    fn end_aggregate(&mut self, frame: &mut CallFrame<'a>, what: RefusedCall) {
        let all = frame.columns | frame.aggregates;
        let depth = match all {
            0 => frame.depth,
            all => MOST_LEVELS - 1 - all.leading_zeros() as usize,
        };
        if frame.aggregates & (1 << depth) != 0
            && let Some((_, location)) = frame.places.iter().find(|(of, _)| *of == depth)
        {
            let message = "aggregate function calls cannot be nested";
            self.mistake(frame.node, *location, MistakeKind::MisplacedAggregate, message);
        }
        match self.levels[depth].place.refusal(what) {
            Some(message) => {
                let (node, location) = (frame.node, frame.location);
                self.mistake(node, location, MistakeKind::MisplacedAggregate, message);
            }
            None => self.levels[depth].has_aggregates = true,
        }
        if what == RefusedCall::Grouping {
            let own = frame.grouped.extract_if(.., |it| it.depth == depth && it.is_alone);
            self.levels[depth].groupings.extend(own);
        }
        frame.grouped.retain(|column| column.depth != depth);
        frame.aggregates |= 1 << depth;
        frame.places.retain(|(of, _)| *of != depth);
        frame.places.push((depth, frame.location));
    }
}

fn push_all<'a>(nodes: impl IntoIterator<Item = Node<'a>>, steps: &mut Vec<ExprStep<'a>>) {
    let first = steps.len();
    steps.extend(nodes.into_iter().map(|node| ExprStep::Visit(node, false)));
    steps[first..].reverse();
}

fn push_children<'a>(node: Node<'a>, steps: &mut Vec<ExprStep<'a>>) {
    let first = steps.len();
    node.children(|child| steps.push(ExprStep::Visit(child, false)));
    steps[first..].reverse();
}

/// Returns the items of a list of a list.
pub(super) fn items(node: Node<'_>) -> List<'_> {
    match node {
        Node::List(list) => list,
        _ => List::default(),
    }
}
