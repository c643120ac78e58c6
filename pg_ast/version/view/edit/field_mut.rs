//! The fields of a node in a tree that is edited, by their numbers.

use core::ffi::c_char;

use super::super::memory::changes::{At, FieldPlaceInC, Text};
use super::super::names::protobuf::Node;
use super::{ListMut, Slot};

/// A field to be changed.
pub(crate) enum FieldMut<'m, 't> {
    Text(TextMut<'m, 't>),
    List(ListMut<'m, 't>),
    Node(Slot<'m, 't>),
}

/// A text to be changed.
pub(crate) struct TextMut<'m, 't>(At<'m, 't, *mut c_char>);

impl TextMut<'_, '_> {
    pub(crate) fn set(self, text: &str) {
        Text::set(self.0, text, false);
    }
}

impl<'t> Slot<'_, 't, Node> {
    /// Returns the field with this number in Protobuf, of the node in this place, if it has text or nodes.
    pub(crate) fn field(&mut self, number: u16) -> Option<FieldMut<'_, 't>> {
        let (place, fit) = self.parts();
        // SAFETY: a slot has a whole node, or a part with the tag that it knows.
        Some(match unsafe { place.field(fit, number) }? {
            FieldPlaceInC::Text(text) => FieldMut::Text(TextMut(text)),
            FieldPlaceInC::List(list) => FieldMut::List(ListMut::new(list)),
            // SAFETY: the place has nodes that fit.
            FieldPlaceInC::Node(node, fit) => FieldMut::Node(unsafe { Slot::wrap(node, fit) }),
        })
    }
}
