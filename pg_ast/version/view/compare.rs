//! Views are compared and hashed as the owned nodes are.

use core::hash::{Hash, Hasher};
use core::mem::discriminant;
use std::collections::HashSet;

use super::fields::{FieldValue, items, values};
use super::names::raw;
use super::{List, Node};
use crate::convert::c_tree::in_c::InC;

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

/// Compares like owned nodes: with locations, and all nodes below.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (mut rest, mut compared) = (vec![(*self, *other)], Compared::default());
        while let Some((a, b)) = rest.pop() {
            if discriminant(&a) != discriminant(&b) {
                return false;
            }
            if let (Node::Unknown(a), Node::Unknown(b)) = (a, b)
                && a.tag() != b.tag()
            {
                return false;
            }
            if let (Some(a), Some(b)) = (items(a), items(b))
                && !push(&mut rest, a, b)
            {
                return false;
            }
            let again = compared.has(a, b);
            for ((_, a), (_, b)) in values(a).zip(values(b)) {
                let same = match (a, b) {
                    (FieldValue::Number(a), FieldValue::Number(b)) => a == b,
                    (FieldValue::Text(a), FieldValue::Text(b)) => a == b,
                    (FieldValue::Set(a), FieldValue::Set(b)) => a == b,
                    (FieldValue::List(a), FieldValue::List(b)) => push(&mut rest, a, b),
                    (FieldValue::Node(_), FieldValue::Node(_)) if again => true,
                    (FieldValue::Node(a), FieldValue::Node(b)) => {
                        rest.push((a, b));
                        true
                    }
                    (FieldValue::Nothing, FieldValue::Nothing) => true,
                    _ => false,
                };
                if !same {
                    return false;
                }
            }
        }
        true
    }
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
