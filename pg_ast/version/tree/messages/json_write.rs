//! Messages as serde writes them, over the table of their fields. Per format, only this file is compiled, not
//! every message.

use core::iter;

use serde::ser::{Error as _, SerializeMap as _};
use serde::{Serialize, Serializer};

use super::contents::{Content, Form, Messages, integer};
use super::message::{DynMessage, Oneof as _};
use super::message_table::MessageField;
use super::names::NodeEnum;
use super::values::DynValue;
use crate::foundation::limits::DEEPEST_SHOWN;
use crate::foundation::stack::{Level, with_stack};

pub(crate) fn serialize<S: Serializer>(
    message: &DynMessage,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    WrittenMessage { message, in_constant: false }.serialize(serializer)
}

/// Written like a [`Node`](super::super::super::Node): an object around the node, which has one key, the node's type.
impl Serialize for NodeEnum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (variant, message) = self.message();
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(variant.json, &WrittenMessage { message, in_constant: false })?;
        map.end()
    }
}

/// A message, as the value of a field.
struct WrittenMessage<'a> {
    message: &'a DynMessage,
    /// True in the value of a constant, where `false` is left out.
    in_constant: bool,
}

impl<'a> WrittenMessage<'a> {
    /// Returns which fields are written: a bit for each, the lowest for the first.
    fn written(&self) -> u128 {
        let is_written = |field: &MessageField, content: Content<'_>| match field.form() {
            Some(form) => {
                let is_left_out = form == Form::UnlessDefault
                    || (self.in_constant && matches!(content, Content::Bool(_)));
                !(is_left_out && content.is_default())
            }
            None => !content.is_default(),
        };
        let bit = |(index, (field, value)): (usize, (&MessageField, &DynValue))| {
            u128::from(is_written(field, value.content())) << index
        };
        self.message.fields().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
    }

    /// Returns the fields of these bits, with their names.
    fn entries(&self, mut bits: u128) -> impl Iterator<Item = (&'static str, Entry<'a>)> {
        let message = self.message;
        let is_node = message.is_node();
        iter::from_fn(move || {
            let index = bits.trailing_zeros();
            // Without the lowest one.
            bits &= bits.checked_sub(1)?;
            let (field, value) = message.field(index as usize)?;
            Some(match (field.json, value.content()) {
                (Some((name, form)), content) => (name, Entry::Field(field, form, content)),
                (None, Content::Oneof(oneof)) => {
                    let (variant, message) = oneof.node()?;
                    (
                        variant.json,
                        Entry::Variant(WrittenMessage { message, in_constant: !is_node }),
                    )
                }
                (None, _) => return None,
            })
        })
    }
}

impl Serialize for WrittenMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(_level) = Level::enter(1) else {
            return Err(S::Error::custom(format_args!("more than {DEEPEST_SHOWN} levels")));
        };
        with_stack(|| {
            let written = self.written();
            // Not a struct: formats may leave out its field names.
            let mut map = serializer.serialize_map(Some(written.count_ones() as usize))?;
            for (name, entry) in self.entries(written) {
                map.serialize_entry(name, &entry)?;
            }
            map.end()
        })
    }
}

enum Entry<'a> {
    Field(&'static MessageField, Form, Content<'a>),
    /// The node in an enum of nodes.
    Variant(WrittenMessage<'a>),
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (field, form, content) = match self {
            Entry::Field(field, form, content) => (field, form, content),
            Entry::Variant(node) => return node.serialize(serializer),
        };
        match content {
            Content::Bool(value) => serializer.serialize_bool(*value),
            Content::I32(number) => {
                match field.constants().and_then(|constants| constants.name(*number)) {
                    Some(name) => serializer.serialize_str(name),
                    None => serializer.serialize_i32(*number),
                }
            }
            Content::I64(number) => serializer.serialize_i64(*number),
            Content::U32(number) => serializer.serialize_u32(*number),
            Content::U64(number) => serializer.serialize_u64(*number),
            Content::F64(number) => serializer.serialize_f64(*number),
            Content::Text(text) => serializer.serialize_str(text),
            Content::Set(members) => members.serialize(serializer),
            Content::Message(Some(message)) => serialize(*message, serializer),
            Content::Messages(messages) => match form {
                Form::Signed => serializer.collect_seq(numbers(*messages)?),
                Form::Unsigned => {
                    serializer.collect_seq(numbers(*messages)?.into_iter().map(i32::cast_unsigned))
                }
                Form::UnlessDefault | Form::Always => {
                    let messages =
                        (0..messages.count()).filter_map(|index| messages.message(index));
                    serializer.collect_seq(
                        messages.map(|message| WrittenMessage { message, in_constant: false }),
                    )
                }
            },
            Content::Message(None) | Content::Oneof(_) | Content::Foreign => {
                serializer.serialize_none()
            }
        }
    }
}

/// Returns the items of a list of numbers, which are `Integer` nodes in Rust.
fn numbers<E: serde::ser::Error>(items: &dyn Messages) -> Result<Vec<i32>, E> {
    let numbers = (0..items.count()).map(|index| integer(items.message(index)?));
    let numbers = numbers.collect::<Option<_>>();
    numbers.ok_or_else(|| E::custom("a list of numbers with something else in it"))
}
