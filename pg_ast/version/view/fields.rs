//! The fields of a node as the schema has them, by the table of the structs.

use super::memory::{ContentInC, FieldInC, FieldsInOrder, StructInC};
use super::names::views::CONSTANTS;
use super::{Bitmapset, List, Node};
use crate::convert::c_tree::field_type::text;
use crate::convert::c_tree::table::Field;

/// The content of a field: a value, or nodes.
pub(crate) enum FieldValue<'a> {
    /// A number as its bits; compared fields have the same kind.
    Number(u64),
    Text(&'a str),
    Set(Bitmapset<'a>),
    Node(Node<'a>),
    List(List<'a>),
    Nothing,
}

/// Returns a field's entry in the table, and its value.
#[inline]
fn value(field: FieldInC<'_>) -> (&'static Field, FieldValue<'_>) {
    let value = match field.content() {
        ContentInC::Nothing | ContentInC::SharedNode(_) | ContentInC::SharedList(_) => {
            FieldValue::Nothing
        }
        ContentInC::Bool(value) => FieldValue::Number(value.into()),
        ContentInC::I16(value) => FieldValue::Number(i64::from(value).cast_unsigned()),
        ContentInC::I32(value) => FieldValue::Number(i64::from(value).cast_unsigned()),
        ContentInC::I64(value) => FieldValue::Number(value.cast_unsigned()),
        ContentInC::U32(value) | ContentInC::Enumeration(_, value) => {
            FieldValue::Number(value.into())
        }
        ContentInC::U64(value) => FieldValue::Number(value),
        ContentInC::F64(value) => FieldValue::Number(value.to_bits()),
        ContentInC::Char(char) => FieldValue::Text(text(char.bytes())),
        ContentInC::Text(string) => FieldValue::Text(text(string.bytes().unwrap_or_default())),
        ContentInC::Set(set) => FieldValue::Set(Bitmapset::of(set)),
        ContentInC::List(list) => FieldValue::List(List::of(list)),
        ContentInC::Node(node) | ContentInC::Child(node) | ContentInC::Constant(node) => {
            FieldValue::Node(node.map_or(Node::Null, Node::of))
        }
        ContentInC::Embedded(part) => FieldValue::Node(Node::of_part(part)),
    };
    (field.table(), value)
}

/// The fields of a node, each with its value.
#[derive(Clone)]
pub(super) struct Values<'a>(FieldsInOrder<'a>);

impl<'a> Iterator for Values<'a> {
    type Item = (&'static Field, FieldValue<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(value)
    }
}

impl DoubleEndedIterator for Values<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(value)
    }
}

/// Returns the fields of a node; a list has none.
pub(super) fn values(node: Node<'_>) -> Values<'_> {
    Values(node.structure().map(StructInC::in_order).unwrap_or_default())
}

/// Returns the number and the name of the field that has a constant's value.
pub(super) fn of_constant(value: Node<'_>) -> Option<(u32, &'static str)> {
    let tag = value.structure()?.table().tag;
    let constant = CONSTANTS.iter().find(|(of, ..)| *of == tag)?;
    Some((constant.1, constant.2))
}

/// Returns the length of all strings of a node; or the first one that is not UTF-8.
pub(super) fn text_bytes(node: Node<'_>) -> Result<usize, &[u8]> {
    let Some(structure) = node.structure() else { return Ok(0) };
    let texts = structure.in_order().filter_map(|field| match field.content() {
        ContentInC::Text(string) => string.bytes(),
        _ => None,
    });
    texts.map(|bytes| core::str::from_utf8(bytes).map(str::len).map_err(|_| bytes)).sum()
}

/// Returns a field by its C name, with its value.
pub(crate) fn field<'a>(node: Node<'a>, c_name: &str) -> Option<(&'static Field, FieldValue<'a>)> {
    node.structure()?.field(c_name).map(value)
}

/// Returns the items of a node that is a list.
pub(super) fn items(node: Node<'_>) -> Option<List<'_>> {
    match node {
        Node::List(list) | Node::IntList(list) | Node::OidList(list) => Some(list),
        _ => None,
    }
}
