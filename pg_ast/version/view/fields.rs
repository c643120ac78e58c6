//! Reads the fields of a node, by the table of the structs.

use core::ffi::c_char;
use core::marker::PhantomData;

use super::names::raw;
use super::names::views::CONSTANTS;
use super::{Bitmapset, List, Node};
use crate::convert::c_tree::in_c::InC;
use crate::convert::c_tree::shape::Shape as _;
use crate::convert::c_tree::table::{Field, InOrder, Kind};

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

/// Returns the value of a field.
///
/// # Safety
///
/// `at` points to the struct that has the field, as returned by [`Node::structure`].
pub(super) unsafe fn value<'a>(at: *const u8, field: &Field) -> FieldValue<'a> {
    macro_rules! read {
        ($type:ty) => {
            InC::<$type>::new(field.at(at).cast()).view()
        };
    }
    // SAFETY: the caller guarantees the struct, which has a field there, of a type that determines
    // its kind (`Field::new`).
    unsafe {
        match field.kind {
            Kind::Nothing | Kind::SharedNode | Kind::SharedList => FieldValue::Nothing,
            Kind::Bool => FieldValue::Number(read!(bool).into()),
            Kind::I16 => FieldValue::Number(i64::from(read!(i16)).cast_unsigned()),
            Kind::I32 => FieldValue::Number(i64::from(read!(i32)).cast_unsigned()),
            Kind::I64 => FieldValue::Number(read!(i64).cast_unsigned()),
            Kind::U32 | Kind::Enumeration(_) => FieldValue::Number(read!(u32).into()),
            Kind::U64 => FieldValue::Number(read!(u64)),
            Kind::F64 => FieldValue::Number(read!(f64).to_bits()),
            Kind::Char => FieldValue::Text(read!(c_char)),
            Kind::Text => FieldValue::Text(read!(*const c_char)),
            Kind::Set => FieldValue::Set(read!(*mut raw::Bitmapset)),
            Kind::List => FieldValue::List(read!(*mut raw::List)),
            Kind::Node | Kind::Child(_) => {
                FieldValue::Node(read!(*mut raw::Node).unwrap_or(Node::Null))
            }
            Kind::Embedded(_) | Kind::Constant => {
                FieldValue::Node(Node::of_part(field.at(at), field.kind))
            }
        }
    }
}

/// The fields of a node, each with its value.
#[derive(Clone)]
pub(super) struct Values<'a> {
    fields: InOrder,
    /// The struct that has the fields, a part of a tree.
    at: *const u8,
    tree: PhantomData<&'a ()>,
}

impl<'a> Iterator for Values<'a> {
    type Item = (&'static Field, FieldValue<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.fields.next()?;
        // SAFETY: the fields are those of the struct.
        Some((field, unsafe { value(self.at, field) }))
    }
}

impl DoubleEndedIterator for Values<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let field = self.fields.next_back()?;
        // SAFETY: the fields are those of the struct.
        Some((field, unsafe { value(self.at, field) }))
    }
}

/// Returns the fields of a node; a list has none.
pub(super) fn values(node: Node<'_>) -> Values<'_> {
    let (fields, at) = match node.structure() {
        Some((structure, at)) => (structure.in_order(), at),
        None => (InOrder::default(), core::ptr::null()),
    };
    Values { fields, at, tree: PhantomData }
}

/// Returns the number and the name of the field that has a constant's value.
pub(super) fn of_constant(value: Node<'_>) -> Option<(u32, &'static str)> {
    let (structure, _) = value.structure()?;
    let constant = CONSTANTS.iter().find(|(tag, ..)| *tag == structure.tag)?;
    Some((constant.1, constant.2))
}

/// Returns the length of all strings of a node; or the first one that is not UTF-8.
pub(super) fn text_bytes(node: Node<'_>) -> Result<usize, &[u8]> {
    let Some((structure, at)) = node.structure() else { return Ok(0) };
    let texts = structure.in_order().filter(|field| matches!(field.kind, Kind::Text));
    // SAFETY: the struct has a pointer to a string there.
    let texts =
        texts.filter_map(|field| unsafe { InC::<*const c_char>::new(field.at(at).cast()).bytes() });
    texts.map(|bytes| core::str::from_utf8(bytes).map(str::len).map_err(|_| bytes)).sum()
}

/// Returns a field by its C name, with its value.
pub(crate) fn field<'a>(node: Node<'a>, c_name: &str) -> Option<(&'static Field, FieldValue<'a>)> {
    let (structure, at) = node.structure()?;
    let field = structure.fields.iter().find(|field| field.name.as_str() == c_name)?;
    // SAFETY: the field is one of the struct's.
    Some((field, unsafe { value(at, field) }))
}

/// Returns the items of a node that is a list.
pub(super) fn items(node: Node<'_>) -> Option<List<'_>> {
    match node {
        Node::List(list) | Node::IntList(list) | Node::OidList(list) => Some(list),
        _ => None,
    }
}
