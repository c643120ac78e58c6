//! The parts of a tree that can be cut.

use core::ops::ControlFlow;

use super::super::protobuf::{
    self, ColumnRef, InsertStmt, LimitOption, Node, OverridingKind, RangeVar, RawStmt, ResTarget,
    SelectStmt, SetOperation, UpdateStmt,
};
use super::super::tree::walk::Slot;
use super::super::{NodeEnum, NodeMut, NodeRef};
use super::marker::Marker;
use crate::runtime::stack::with_stack;

/// What a part is of its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `SELECT <a, b>`
    Targets,
    /// `UPDATE x SET <a = 1, b = 2>`
    Assignments,
    /// `WHERE <a = 1>`
    Condition,
    /// `VALUES <(1, 2), (3, 4)>`
    Rows,
    /// `INSERT INTO x (<a, b>)`
    Columns,
    /// `WITH x AS (<SELECT 1>)`
    Query,
}

pub(super) struct Part {
    pub(super) kind: Kind,
    /// As libpg_query counts: a list is a level by itself.
    pub(super) depth: usize,
}

/// Takes all parts out of the tree. It has placeholders then, and behind its own statements one
/// for each part; before each of these, one that says so.
pub(super) fn take(tree: &mut protobuf::ParseResult, marker: &Marker) -> Vec<Part> {
    let mut taking = Taking { marker, parts: Vec::new(), taken: Vec::new() };
    for stmt in &mut tree.stmts {
        if let Some(stmt) = stmt.stmt.as_mut().and_then(|stmt| stmt.to_mut()) {
            taking.visit(stmt, 1);
        }
    }
    let mut taken = taking.taken;
    taken.sort_unstable_by_key(|(part, _)| *part);
    for (_, stmt) in taken {
        tree.stmts.push(statement(separator(marker)));
        tree.stmts.push(statement(stmt));
    }
    taking.parts
}

struct Taking<'a> {
    marker: &'a Marker,
    /// In the order in which libpg_query meets them.
    parts: Vec<Part>,
    /// Each with a statement that has nothing but the part.
    taken: Vec<(usize, Node)>,
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
        // Those of the children that are no item of a list.
        let mut singles = Vec::new();
        let parent = node.to_ref();
        let _ = parent.message().singles(&mut |child| {
            singles.push(child.address());
            ControlFlow::Continue(())
        });
        let mut singles = singles.into_iter().peekable();
        let in_list = match parent {
            NodeRef::List(_) => depth + 1,
            // libpg_query looks through a CaseWhen.
            NodeRef::CaseExpr(_) => depth,
            _ => depth + 2,
        };
        let _ = node.message().children_mut(&mut |slot| {
            let child = match slot {
                Slot::Node(node) => node.to_mut(),
                Slot::Message(node) => Some(node),
            };
            if let Some(child) = child {
                let single = singles.next_if_eq(&child.to_ref().address()).is_some();
                self.visit(child, if single { depth + 1 } else { in_list });
            }
            ControlFlow::Continue(())
        });
    }

    /// Notes the parts of a node.
    fn note(&mut self, node: NodeRef<'_>, depth: usize) {
        let mut add = |kind, there| {
            if there {
                self.parts.push(Part { kind, depth });
            }
        };
        // `WHERE CURRENT OF c` can be printed in its statement only, and is short.
        let is_condition = |node: &Option<Box<Node>>| {
            let node = node.as_ref().and_then(|node| node.node.as_ref());
            node.is_some_and(|node| !matches!(node, NodeEnum::CurrentOfExpr(_)))
        };
        match node {
            NodeRef::SelectStmt(stmt) => {
                add(Kind::Targets, !stmt.target_list.is_empty());
                add(Kind::Condition, is_condition(&stmt.where_clause));
                add(Kind::Rows, !stmt.values_lists.is_empty());
            }
            NodeRef::InsertStmt(stmt) => add(Kind::Columns, !stmt.cols.is_empty()),
            NodeRef::UpdateStmt(stmt) => {
                add(Kind::Assignments, !stmt.target_list.is_empty());
                add(Kind::Condition, is_condition(&stmt.where_clause));
            }
            NodeRef::OnConflictClause(clause) => {
                add(Kind::Assignments, !clause.target_list.is_empty());
                add(Kind::Condition, is_condition(&clause.where_clause));
            }
            NodeRef::CommonTableExpr(cte) => add(Kind::Query, cte.ctequery.is_some()),
            NodeRef::DeleteStmt(stmt) => add(Kind::Condition, is_condition(&stmt.where_clause)),
            NodeRef::CopyStmt(stmt) => add(Kind::Condition, is_condition(&stmt.where_clause)),
            NodeRef::IndexStmt(stmt) => add(Kind::Condition, is_condition(&stmt.where_clause)),
            NodeRef::RuleStmt(stmt) => add(Kind::Condition, is_condition(&stmt.where_clause)),
            NodeRef::InferClause(clause) => {
                add(Kind::Condition, is_condition(&clause.where_clause));
            }
            _ => {}
        }
    }

    /// Puts a placeholder where a part is, and the part into a statement of its own.
    fn take(&mut self, node: &mut NodeMut<'_>, part: usize) {
        let name = self.marker.name(part);
        let kind = self.parts[part].kind;
        let stmt = match (kind, node) {
            (Kind::Targets, NodeMut::SelectStmt(stmt)) => {
                let list = core::mem::replace(&mut stmt.target_list, vec![target(&name)]);
                select(SelectStmt { target_list: list, ..SelectStmt::default() })
            }
            (Kind::Rows, NodeMut::SelectStmt(stmt)) => {
                let row = of(protobuf::List { items: vec![column(&name)] });
                let rows = core::mem::replace(&mut stmt.values_lists, vec![row]);
                select(SelectStmt { values_lists: rows, ..SelectStmt::default() })
            }
            (Kind::Assignments, NodeMut::UpdateStmt(stmt)) => {
                update(core::mem::replace(&mut stmt.target_list, vec![target(&name)]))
            }
            (Kind::Assignments, NodeMut::OnConflictClause(clause)) => {
                update(core::mem::replace(&mut clause.target_list, vec![target(&name)]))
            }
            (Kind::Columns, NodeMut::InsertStmt(stmt)) => {
                insert(core::mem::replace(&mut stmt.cols, vec![target(&name)]))
            }
            (Kind::Query, NodeMut::CommonTableExpr(cte)) => {
                let query = cte.ctequery.replace(Box::new(condition(Box::new(column(&name)))));
                query.map(|query| *query).unwrap_or_default()
            }
            (Kind::Condition, node) => {
                let Some(place) = condition_of(node) else { return };
                let Some(taken) = place.replace(Box::new(column(&name))) else { return };
                condition(taken)
            }
            _ => return,
        };
        self.taken.push((part, stmt));
    }
}

/// libpg_query does not look below utility statements.
fn has_parts_below(node: NodeRef<'_>) -> bool {
    match node {
        NodeRef::SelectStmt(_)
        | NodeRef::InsertStmt(_)
        | NodeRef::UpdateStmt(_)
        | NodeRef::DeleteStmt(_)
        | NodeRef::MergeStmt(_)
        | NodeRef::PlassignStmt(_) => true,
        _ => !node.name().ends_with("Stmt"),
    }
}

fn condition_of<'a>(node: &'a mut NodeMut<'_>) -> Option<&'a mut Option<Box<Node>>> {
    Some(match node {
        NodeMut::SelectStmt(stmt) => &mut stmt.where_clause,
        NodeMut::UpdateStmt(stmt) => &mut stmt.where_clause,
        NodeMut::DeleteStmt(stmt) => &mut stmt.where_clause,
        NodeMut::CopyStmt(stmt) => &mut stmt.where_clause,
        NodeMut::IndexStmt(stmt) => &mut stmt.where_clause,
        NodeMut::RuleStmt(stmt) => &mut stmt.where_clause,
        NodeMut::OnConflictClause(clause) => &mut clause.where_clause,
        NodeMut::InferClause(clause) => &mut clause.where_clause,
        _ => return None,
    })
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

/// Prints as `SELECT ..` or `VALUES ..`, with what it has and nothing else.
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

/// `INSERT INTO x (..) DEFAULT VALUES`
fn insert(columns: Vec<Node>) -> Node {
    of(InsertStmt {
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

/// `SELECT <marker>`: what stands before the statement of each part.
fn separator(marker: &Marker) -> Node {
    let val = Some(Box::new(column(marker.text())));
    let target = of(ResTarget { val, ..ResTarget::default() });
    select(SelectStmt { target_list: vec![target], ..SelectStmt::default() })
}

fn statement(stmt: Node) -> RawStmt {
    RawStmt { stmt: Some(Box::new(stmt)), ..RawStmt::default() }
}
