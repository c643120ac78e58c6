//! Fields that a node has in some versions.

use super::pg::seam::{FieldValue, field};
use super::pg::view::{List, Node};

/// Returns a list that a node has in some versions.
pub(crate) fn list_field<'a>(node: Node<'a>, c_name: &str) -> Option<List<'a>> {
    match field(node, c_name)? {
        FieldValue::List(list) => Some(list),
        _ => None,
    }
}

/// Returns a node that a node has in some versions.
pub(crate) fn node_field<'a>(node: Node<'a>, c_name: &str) -> Option<Node<'a>> {
    match field(node, c_name)? {
        FieldValue::Node(Node::Null) => None,
        FieldValue::Node(node) => Some(node),
        _ => None,
    }
}

/// Returns a string that a node has in some versions.
pub(crate) fn text_field<'a>(node: Node<'a>, c_name: &str) -> Option<&'a str> {
    match field(node, c_name)? {
        FieldValue::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns a number that a node has in some versions: of an enumeration, that in C.
pub(crate) fn number_field(node: Node<'_>, c_name: &str) -> Option<u64> {
    match field(node, c_name)? {
        FieldValue::Number(number) => Some(number),
        _ => None,
    }
}
