//! Views are compared and hashed as the owned nodes are.

use core::hash::{Hash, Hasher};
use core::mem::discriminant;
use std::collections::HashSet;

use super::fields::{FieldValue, items, values};
use super::names::raw;
use super::{List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::table::Field;

/// The sources of several columns that have been compared. Each column has the whole source, and there may be others in it.
#[derive(Default)]
struct Compared(HashSet<[Option<*const raw::Node>; 2]>);

impl Compared {
    /// Returns whether the nodes in these nodes have been compared before.
    fn has(&mut self, a: Node<'_>, b: Node<'_>) -> bool {
        let (Node::MultiAssignRef(a), Node::MultiAssignRef(b)) = (a, b) else { return false };
        let address = |source: Option<Node<'_>>| source?.as_raw().map(InC::as_ptr);
        !self.0.insert([address(a.source()), address(b.source())])
    }
}

/// Schedules the items of both for comparison; false if their numbers differ.
fn push<'a, 'b>(rest: &mut Vec<(Node<'a>, Node<'b>)>, a: List<'a>, b: List<'b>) -> bool {
    let same = a.len() == b.len();
    if same {
        rest.extend(a.iter().zip(b.iter()));
    }
    same
}

/// Returns where two trees differ: the C names of a struct and its field, or nothing behind the struct's if it has other items, or is
/// another one. Fields for which `skip` returns true are left out.
fn difference(
    first: (Node<'_>, Node<'_>),
    skip: impl Fn(Node<'_>, &Field) -> bool,
) -> Option<(&'static str, &'static str)> {
    let (mut rest, mut compared) = (vec![first], Compared::default());
    while let Some((a, b)) = rest.pop() {
        if discriminant(&a) != discriminant(&b) {
            return Some((a.name(), ""));
        }
        if let (Node::Unknown(a), Node::Unknown(b)) = (a, b)
            && a.tag() != b.tag()
        {
            return Some(("", ""));
        }
        if let (Some(list), Some(other)) = (items(a), items(b))
            && !push(&mut rest, list, other)
        {
            return Some((a.name(), ""));
        }
        for ((field, value), (_, other)) in values(a).zip(values(b)) {
            if skip(a, field) {
                continue;
            }
            let same = match (value, other) {
                (FieldValue::Number(a), FieldValue::Number(b)) => a == b,
                (FieldValue::Text(a), FieldValue::Text(b)) => a == b,
                (FieldValue::Set(a), FieldValue::Set(b)) => a == b,
                (FieldValue::List(a), FieldValue::List(b)) => push(&mut rest, a, b),
                (FieldValue::Node(_), FieldValue::Node(_)) if compared.has(a, b) => true,
                (FieldValue::Node(a), FieldValue::Node(b)) => {
                    rest.push((a, b));
                    true
                }
                (FieldValue::Nothing, FieldValue::Nothing) => true,
                _ => false,
            };
            if !same {
                return Some((a.name(), field.name.as_str()));
            }
        }
    }
    None
}

/// Compares like owned nodes: with locations, and all nodes below.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        difference((*self, *other), |_, _| false).is_none()
    }
}

/// Returns where a tree differs from the one that its SQL parses to, without what no SQL has: locations, and fields that mean
/// nothing beside the others. `docs/exact.md` lists them.
pub(crate) fn difference_of_printed(given: Node<'_>, parsed: Node<'_>) -> Option<String> {
    let no_sql = |node: Node<'_>, field: &Field| match (node, field.name.as_str()) {
        (_, name) if field.is_location() || name == "stmt_len" => true,
        (Node::SelectStmt(select), "limitOption") => {
            select.limit_count().is_none() && select.limit_offset().is_none()
        }
        (Node::SelectStmt(select), "groupDistinct") => select.group_clause().is_empty(),
        (Node::WindowDef(window), "frameOptions") => window.frame_options() == 0,
        (Node::SqlvalueFunction(function), "typmod") => function.typmod() == 0,
        (Node::MultiAssignRef(column), "source") => column.colno() > 1,
        (_, "msftype") => true,
        _ => false,
    };
    let (name, field) = difference((given, parsed), no_sql)?;
    Some(if field.is_empty() { name.to_owned() } else { format!("{name}.{field}") })
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut rest = vec![*self];
        while let Some(node) = rest.pop() {
            node.name().hash(state);
            if let Some(list) = items(node) {
                state.write_usize(list.len());
                rest.extend(list.iter());
            }
            for (_, value) in values(node) {
                match value {
                    FieldValue::Number(number) => state.write_u64(number),
                    FieldValue::Text(text) => text.hash(state),
                    FieldValue::Set(set) => set.hash(state),
                    FieldValue::Node(node) => rest.push(node),
                    FieldValue::List(list) => {
                        state.write_usize(list.len());
                        rest.extend(list.iter());
                    }
                    FieldValue::Nothing => {}
                }
            }
        }
    }
}
