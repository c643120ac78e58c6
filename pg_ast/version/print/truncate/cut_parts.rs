//! The parts of a tree that can be cut.

use core::any::Any;
use core::ops::ControlFlow;

use super::facts::statements::rules;
use super::marker::Marker;
use super::names::protobuf;
use super::names::protobuf::{
    ColumnRef, InsertStmt, LimitOption, Node, OverridingKind, RangeVar, RawStmt, ResTarget,
    SelectStmt, SetOperation, UpdateStmt,
};
use super::names::views::{NO_PARTS, SAME_LEVEL};
use super::names::{NodeEnum, NodeMut, NodeRef};
use super::tree::walk::NodeSlot;
use crate::convert::roles::Role;
use crate::foundation::order::sort_by_key;
use crate::foundation::stack::with_stack;

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// `SELECT <a, b>`
    Targets,
    /// `UPDATE x SET <a = 1, b = 2>`
    Assignments,
    /// `WHERE <a = 1>`
    Condition,
    /// `VALUES <(1, 2), (3, 4)>`
    Rows,
    /// `INSERT INTO x (<a, b>) SELECT x`
    Columns,
    /// `WITH x AS (<SELECT 1>)`
    Query,
}

impl PartKind {
    /// Returns the kind of a field that can be cut, by its name.
    fn of_field(name: &str, node: NodeRef<'_>) -> Option<Self> {
        Some(match name {
            "target_list" if matches!(node, NodeRef::SelectStmt(_)) => Self::Targets,
            "target_list" => Self::Assignments,
            "where_clause" => Self::Condition,
            "values_lists" => Self::Rows,
            "cols" => Self::Columns,
            "ctequery" => Self::Query,
            _ => return None,
        })
    }

    /// Returns whether a node in such a field is a part.
    fn is_part(self, node: &Node) -> bool {
        match (self, &node.node) {
            (Self::Query, _) => true,
            // `WHERE CURRENT OF c` can be printed in its statement only, and is short.
            (_, node) => !matches!(node, None | Some(NodeEnum::CurrentOfExpr(_))),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    /// The index of the field in the table of its message.
    field: usize,
    /// Counted as in libpg_query: a list is a level itself.
    pub(crate) depth: usize,
}

/// Takes all parts out of the tree. It then has placeholders, and after its own statements one
/// for each part, each preceded by a separator.
pub(crate) fn take(tree: &mut protobuf::ParseResult, marker: &Marker) -> Vec<Part> {
    let mut taking = Taking { marker, parts: Vec::new(), taken: Vec::new(), singles: Vec::new() };
    for stmt in &mut tree.stmts {
        if let Some(stmt) = stmt.stmt.as_mut().and_then(|stmt| stmt.to_mut()) {
            taking.visit(stmt, 1);
        }
    }
    let mut taken = taking.taken;
    sort_by_key(&mut taken, |(part, _)| (*part as u64, 0));
    for (_, stmt) in taken {
        tree.stmts.push(statement(separator(marker)));
        tree.stmts.push(statement(stmt));
    }
    taking.parts
}

struct Taking<'a> {
    marker: &'a Marker,
    /// In the order in which libpg_query finds them.
    parts: Vec<Part>,
    /// Each with a statement that contains only the part.
    taken: Vec<(usize, Node)>,
    /// The children of the nodes around the current one that are not items of a list, by their addresses.
    singles: Vec<*const ()>,
}

impl Taking<'_> {
    fn visit(&mut self, mut node: NodeMut<'_>, depth: usize) {
        if matches!(node, NodeMut::AConst(_) | NodeMut::ColumnRef(_) | NodeMut::ParamRef(_)) {
            return;
        }
        let first = self.parts.len();
        self.note(node.to_ref(), depth);
        let last = self.parts.len();
        if has_parts_below(node.to_ref()) {
            with_stack(|| self.children(node.reborrow(), depth));
        }
        for part in first..last {
            self.take(&mut node, part);
        }
    }

    fn children(&mut self, node: NodeMut<'_>, depth: usize) {
        let first = self.singles.len();
        let parent = node.to_ref();
        let _ = parent.message().singles(|child| {
            self.singles.push(child.address());
            ControlFlow::Continue(())
        });
        let mut next = first;
        let in_list = match parent {
            NodeRef::List(_) => depth + 1,
            _ if SAME_LEVEL.contains(&parent.name()) => depth,
            _ => depth + 2,
        };
        let _ = node.message().children_mut(|slot| {
            let child = match slot {
                NodeSlot::Node(node) => node.to_mut(),
                NodeSlot::Message(node) => Some(node),
            };
            if let Some(child) = child {
                let is_single = self.singles.get(next) == Some(&child.to_ref().address());
                next += usize::from(is_single);
                self.visit(child, if is_single { depth + 1 } else { in_list });
            }
            ControlFlow::Continue(())
        });
        self.singles.truncate(first);
    }

    /// Records the parts of a node: fields that are not empty.
    fn note(&mut self, node: NodeRef<'_>, depth: usize) {
        if NO_PARTS.contains(&node.name()) {
            return;
        }
        for (index, (field, value)) in node.message().fields().enumerate() {
            if !field.holds_nodes() {
                continue;
            }
            let Some(kind) = PartKind::of_field(field.name, node) else { continue };
            let value: &dyn Any = value;
            let is_there = if let Some(list) = value.downcast_ref::<Vec<Node>>() {
                !list.is_empty()
            } else {
                let node = value.downcast_ref::<Option<Box<Node>>>().and_then(Option::as_ref);
                node.is_some_and(|node| kind.is_part(node))
            };
            if is_there {
                self.parts.push(Part { kind, depth, field: index });
            }
        }
    }

    /// Replaces a part by a placeholder, and puts the part into its own statement.
    fn take(&mut self, node: &mut NodeMut<'_>, part: usize) {
        let name = self.marker.name(part);
        let Part { kind, field, .. } = self.parts[part];
        let Some((_, value)) = node.reborrow().message().field_mut(field) else { return };
        let value: &mut dyn Any = value;
        let stmt = if let Some(list) = value.downcast_mut::<Vec<Node>>() {
            let placeholder = match kind {
                PartKind::Rows => of(protobuf::List { items: vec![column(&name)] }),
                PartKind::Columns => of(ResTarget { name: name.clone(), ..ResTarget::default() }),
                _ => target(&name),
            };
            let list = core::mem::replace(list, vec![placeholder]);
            match kind {
                PartKind::Rows => {
                    select(SelectStmt { values_lists: list, ..SelectStmt::default() })
                }
                PartKind::Columns => insert(list),
                PartKind::Assignments => update(list),
                _ => select(SelectStmt { target_list: list, ..SelectStmt::default() }),
            }
        } else if let Some(node) = value.downcast_mut::<Option<Box<Node>>>() {
            let placeholder = match kind {
                PartKind::Query => condition(Box::new(column(&name))),
                _ => column(&name),
            };
            let Some(taken) = node.replace(Box::new(placeholder)) else { return };
            match kind {
                PartKind::Query => *taken,
                _ => condition(taken),
            }
        } else {
            return;
        };
        self.taken.push((part, stmt));
    }
}

/// Returns whether there may be parts below a node: libpg_query does not look below utility statements.
fn has_parts_below(node: NodeRef<'_>) -> bool {
    rules(node.name()).is_none_or(|rules| rules.has(Role::With) || rules.has(Role::Select))
}

fn of(node: impl Into<NodeEnum>) -> Node {
    Node { node: Some(node.into()) }
}

fn column(name: &str) -> Node {
    let fields = vec![of(protobuf::String { sval: name.to_owned() })];
    of(ColumnRef { fields, location: 0 })
}

fn target(name: &str) -> Node {
    let val = Some(Box::new(column(name)));
    of(ResTarget { name: name.to_owned(), val, ..ResTarget::default() })
}

/// Prints as `SELECT ..` or `VALUES ..`, with only the clauses that it has.
fn select(stmt: SelectStmt) -> Node {
    of(SelectStmt {
        limit_option: LimitOption::Default as i32,
        op: SetOperation::SetopNone as i32,
        ..stmt
    })
}

/// `SELECT WHERE ..`
fn condition(condition: Box<Node>) -> Node {
    select(SelectStmt { where_clause: Some(condition), ..SelectStmt::default() })
}

/// `UPDATE x SET ..`
fn update(assignments: Vec<Node>) -> Node {
    let relation = Some(table());
    of(UpdateStmt { relation, target_list: assignments, ..UpdateStmt::default() })
}

/// `INSERT INTO x (..) SELECT x`
fn insert(columns: Vec<Node>) -> Node {
    let target = of(ResTarget { val: Some(Box::new(column("x"))), ..ResTarget::default() });
    let source = select(SelectStmt { target_list: vec![target], ..SelectStmt::default() });
    of(InsertStmt {
        select_stmt: Some(Box::new(source)),
        relation: Some(table()),
        cols: columns,
        r#override: OverridingKind::OverridingNotSet as i32,
        ..InsertStmt::default()
    })
}

fn table() -> RangeVar {
    RangeVar {
        relname: "x".to_owned(),
        inh: true,
        relpersistence: "p".to_owned(),
        ..RangeVar::default()
    }
}

/// `SELECT <marker>`: the separator before the statement of each part.
fn separator(marker: &Marker) -> Node {
    let val = Some(Box::new(column(marker.text())));
    let target = of(ResTarget { val, ..ResTarget::default() });
    select(SelectStmt { target_list: vec![target], ..SelectStmt::default() })
}

fn statement(stmt: Node) -> RawStmt {
    RawStmt { stmt: Some(Box::new(stmt)), ..RawStmt::default() }
}
