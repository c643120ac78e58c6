//! The fields of a node as the schema has them, by the table of the structs.

use super::memory::{ContentInC, FieldInC, FieldsInOrder, StructInC};
use super::names::views::CONSTANTS;
use super::{Bitmapset, List, Node};
use crate::convert::c_tree::field_type::text;
use crate::convert::c_tree::table::Field;
use crate::convert::shared_nodes::is_shared;

/// The content of a field: a value, or nodes.
pub(crate) enum FieldValue<'a> {
    /// A number as its bits; compared fields have the same kind.
    Number(u64),
    /// A string; empty if there is none.
    Text(&'a str),
    /// A set of numbers.
    Set(Bitmapset<'a>),
    /// A node, or [`Node::Null`].
    Node(Node<'a>),
    /// A list.
    List(List<'a>),
    /// Nothing, or a copy of what is elsewhere.
    Nothing,
}

impl<'a> FieldValue<'a> {
    pub(crate) fn number(self) -> Option<u64> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    pub(crate) fn text(self) -> Option<&'a str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the node that is there.
    pub(crate) fn node(self) -> Option<Node<'a>> {
        if let Self::Node(node) = self { Some(node) } else { None }
            .filter(|node| !matches!(node, Node::Null))
    }

    pub(crate) fn list(self) -> Option<List<'a>> {
        if let Self::List(list) = self { Some(list) } else { None }
    }
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

/// Returns the value of the field with a number in Protobuf; `None` if it holds copies of what is elsewhere.
pub(crate) fn field_by_number(node: Node<'_>, number: u16) -> Option<FieldValue<'_>> {
    let mut fields = node.structure()?.in_order();
    let field = fields.find(|field| field.table().number == number)?;
    let is_copy = node.holds_copies() && is_left_out(node, field.table());
    (!is_copy).then(|| value(field).1)
}

/// Returns whether a field of a node that holds copies is the one that holds them.
#[cold]
fn is_left_out(node: Node<'_>, field: &Field) -> bool {
    is_shared(node.name(), field.name.as_str().as_bytes())
}

/// Calls `f` for each child of a node that is no list, with the number of its field: in the order of [`Node::children`].
pub(crate) fn children_by_field<'a>(node: Node<'a>, f: &mut dyn FnMut(u16, Node<'a>)) {
    let fields = node.structure().map(StructInC::in_order).unwrap_or_default();
    let items = |list, number, f: &mut dyn FnMut(u16, Node<'a>)| {
        let items = List::of(list).iter().filter(|item| !matches!(item, Node::Null));
        items.for_each(|item| f(number, item));
    };
    let has_copies = node.holds_copies();
    for field in fields {
        let number = field.table().number;
        if has_copies && is_left_out(node, field.table()) {
            continue;
        }
        match field.content() {
            ContentInC::Node(Some(child))
            | ContentInC::Child(Some(child))
            | ContentInC::Constant(Some(child)) => f(number, Node::of(child)),
            ContentInC::List(list) => items(list, number, f),
            ContentInC::Embedded(part) => f(number, Node::of_part(part)),
            _ => {}
        }
    }
}

/// Returns the items of a node that is a list.
pub(super) fn items(node: Node<'_>) -> Option<List<'_>> {
    match node {
        Node::List(list) | Node::IntList(list) | Node::OidList(list) => Some(list),
        _ => None,
    }
}
