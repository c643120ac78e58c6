//! Cuts SQL to a length, like pg_query's Rust code.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::{mem, ptr};

use super::protobuf::{
    self, ColumnRef, InsertStmt, LimitOption, List, Node, OverridingKind, RangeVar, RawStmt,
    ResTarget, SelectStmt, SetOperation, UpdateStmt,
};
use super::{Error, NodeEnum, NodeMut, Result, deparse_tree};

/// The placeholder for an omitted part, until the SQL is printed.
const MARKER: &str = "…";

/// A part of a node that can be left out.
#[derive(Clone, Copy)]
enum Part {
    Targets,
    Where,
    Values,
    CteQuery,
    Columns,
}

struct Cut {
    part: Part,
    node: NodeMut,
    depth: i32,
    /// The bytes of the part.
    length: usize,
}

/// Prints the tree as SQL of at most `max_length` bytes: the deepest and longest parts that can be cut are replaced by
/// `...`, one after the other. If that is not enough, the rest is cut off.
pub fn truncate(protobuf: &protobuf::ParseResult, max_length: usize) -> Result<String> {
    let mut output = deparse_tree(protobuf)?;
    if output.len() <= max_length {
        return Ok(output);
    }
    let mut tree = protobuf.clone();
    let mut cuts = Vec::new();
    // SAFETY: the pointers are used one at a time, and no node is changed.
    for (node, depth, _) in unsafe { tree.nodes_mut() } {
        // SAFETY: as above.
        for (part, length) in unsafe { parts(node) }? {
            let depth = if let Part::CteQuery = part { depth + 1 } else { depth };
            cuts.push(Cut { part, node, depth, length });
        }
    }
    // Parts of equal depth and length keep their order.
    cuts.sort_by_key(|cut| Reverse((cut.depth, cut.length)));

    let mut cuts = VecDeque::from(cuts);
    while let Some(cut) = cuts.pop_front() {
        // A cut before may have used other pointers, so this one only tells the node.
        // SAFETY: the pointers are used one at a time, and none after a change.
        let mut nodes = unsafe { tree.nodes_mut() }.into_iter().map(|(node, ..)| node);
        let Some(node) = nodes.find(|node| is_same(*node, cut.node)) else { continue };
        // SAFETY: the pointer is into the tree, which nothing else has touched since it was made.
        if let Some(NodeEnum::SelectStmt(mut query)) = unsafe { apply(node, cut.part) } {
            let query = query.to_mut();
            cuts.retain(|cut| !is_same(query, cut.node));
        }
        output = deparse_tree(&tree)?
            .replace("SELECT WHERE \"…\"", "...")
            .replace("\"…\"", "...")
            .replace("SELECT ... AS ...", "SELECT ...");
        if output.len() <= max_length {
            return Ok(output);
        }
    }
    let end = output.char_indices().nth(max_length.saturating_sub(3));
    Ok(format!("{}...", end.map_or(output.as_str(), |(end, _)| &output[..end])))
}

/// Returns whether two pointers point to the same node. A node may begin with another one, of another type.
fn is_same(a: NodeMut, b: NodeMut) -> bool {
    mem::discriminant(&a) == mem::discriminant(&b) && ptr::eq(a.address(), b.address())
}

/// Returns the parts of a node that can be omitted, with their lengths.
///
/// # Safety
///
/// The pointer is valid for reads.
unsafe fn parts(node: NodeMut) -> Result<Vec<(Part, usize)>> {
    macro_rules! node {
        ($node:ident) => {
            // SAFETY: the caller guarantees it.
            unsafe { $node.as_ref() }.ok_or(Error::InvalidPointer)?
        };
    }
    let mut parts = Vec::new();
    let mut add = |part, length: Result<usize>| length.map(|length| parts.push((part, length)));
    match node {
        NodeMut::SelectStmt(s) => {
            let s = node!(s);
            if !s.target_list.is_empty() {
                add(
                    Part::Targets,
                    length(
                        select(|select| select.target_list.clone_from(&s.target_list)),
                        "SELECT ",
                    ),
                )?;
            }
            if let Some(clause) = &s.where_clause {
                add(Part::Where, where_length(clause))?;
            }
            if !s.values_lists.is_empty() {
                add(
                    Part::Values,
                    length(
                        select(|select| select.values_lists.clone_from(&s.values_lists)),
                        "SELECT ",
                    ),
                )?;
            }
        }
        NodeMut::UpdateStmt(s) => {
            let s = node!(s);
            if !s.target_list.is_empty() {
                add(Part::Targets, set_length(&s.target_list))?;
            }
            if let Some(clause) = &s.where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::OnConflictClause(s) => {
            let s = node!(s);
            if !s.target_list.is_empty() {
                add(Part::Targets, set_length(&s.target_list))?;
            }
            if let Some(clause) = &s.where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::InsertStmt(s) => {
            let s = node!(s);
            if !s.cols.is_empty() {
                add(Part::Columns, length(insert(&s.cols), "INSERT INTO x () DEFAULT VALUES"))?;
            }
        }
        NodeMut::CommonTableExpr(s) => {
            if let Some(query) = node!(s).ctequery.as_ref().and_then(|query| query.node.clone()) {
                add(Part::CteQuery, length(query, ""))?;
            }
        }
        NodeMut::DeleteStmt(s) => {
            if let Some(clause) = &node!(s).where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::CopyStmt(s) => {
            if let Some(clause) = &node!(s).where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::IndexStmt(s) => {
            if let Some(clause) = &node!(s).where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::RuleStmt(s) => {
            if let Some(clause) = &node!(s).where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        NodeMut::InferClause(s) => {
            if let Some(clause) = &node!(s).where_clause {
                add(Part::Where, where_length(clause))?;
            }
        }
        _ => {}
    }
    Ok(parts)
}

/// Omits a part of a node. For a common table expression, the omitted part is returned.
///
/// # Safety
///
/// The pointer is valid for reads and writes.
unsafe fn apply(node: NodeMut, part: Part) -> Option<NodeEnum> {
    macro_rules! node {
        ($node:ident) => {
            // SAFETY: the caller guarantees it.
            unsafe { $node.as_mut() }?
        };
    }
    match (node, part) {
        (NodeMut::SelectStmt(s), Part::Targets) => node!(s).target_list = vec![target()],
        (NodeMut::SelectStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::SelectStmt(s), Part::Values) => {
            let row = NodeEnum::List(List { items: vec![*column()] });
            node!(s).values_lists = vec![Node { node: Some(row) }];
        }
        (NodeMut::UpdateStmt(s), Part::Targets) => node!(s).target_list = vec![target()],
        (NodeMut::UpdateStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::OnConflictClause(s), Part::Targets) => node!(s).target_list = vec![target()],
        (NodeMut::OnConflictClause(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::InsertStmt(s), Part::Columns) => node!(s).cols = vec![target()],
        (NodeMut::DeleteStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::CopyStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::IndexStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::RuleStmt(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::InferClause(s), Part::Where) => node!(s).where_clause = Some(column()),
        (NodeMut::CommonTableExpr(s), Part::CteQuery) => {
            let query = select(|select| select.where_clause = Some(column()));
            let old = node!(s).ctequery.replace(Box::new(Node { node: Some(query) }));
            return old?.node;
        }
        _ => {}
    }
    None
}

fn where_length(clause: &Node) -> Result<usize> {
    length(select(|select| select.where_clause = Some(Box::new(clause.clone()))), "SELECT WHERE ")
}

fn set_length(targets: &[Node]) -> Result<usize> {
    let stmt = UpdateStmt {
        relation: Some(table()),
        target_list: targets.to_vec(),
        ..UpdateStmt::default()
    };
    length(NodeEnum::UpdateStmt(Box::new(stmt)), "UPDATE x SET ")
}

/// Returns the length of a statement as SQL, without that of `around`.
fn length(stmt: NodeEnum, around: &str) -> Result<usize> {
    let stmt = RawStmt { stmt: Some(Box::new(Node { node: Some(stmt) })), ..RawStmt::default() };
    let sql = deparse_tree(&protobuf::ParseResult { version: 0, stmts: vec![stmt] })?;
    Ok(sql.len().saturating_sub(around.len()))
}

fn column() -> Box<Node> {
    let name = NodeEnum::String(protobuf::String { sval: MARKER.to_owned() });
    let column = ColumnRef { fields: vec![Node { node: Some(name) }], location: 0 };
    Box::new(Node { node: Some(NodeEnum::ColumnRef(column)) })
}

fn target() -> Node {
    let target = ResTarget { name: MARKER.to_owned(), val: Some(column()), ..ResTarget::default() };
    Node { node: Some(NodeEnum::ResTarget(Box::new(target))) }
}

fn select(fill: impl FnOnce(&mut SelectStmt)) -> NodeEnum {
    let mut select = SelectStmt {
        limit_option: LimitOption::Default.into(),
        op: SetOperation::SetopNone.into(),
        ..SelectStmt::default()
    };
    fill(&mut select);
    NodeEnum::SelectStmt(Box::new(select))
}

fn insert(columns: &[Node]) -> NodeEnum {
    NodeEnum::InsertStmt(Box::new(InsertStmt {
        relation: Some(table()),
        cols: columns.to_vec(),
        r#override: OverridingKind::OverridingNotSet.into(),
        ..InsertStmt::default()
    }))
}

fn table() -> RangeVar {
    RangeVar {
        relname: "x".to_owned(),
        inh: true,
        relpersistence: "p".to_owned(),
        ..RangeVar::default()
    }
}
