//! Messages as serde reads them, field by field, into the places that the table of their fields gives. Per format, only
//! this file is compiled, not every message.

use core::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::contents;
use super::contents::{Content, ContentMut, Form, Messages, SomeNode};
use super::message::{DynMessage, OwnedMessage, Variant};
use super::message_table::MessageField;
use super::names::{Node, NodeEnum};
use super::teardown;
use crate::convert::enumeration::Constants;
use crate::formats::json::JsonDepth;
use crate::foundation::stack::with_stack;

pub(crate) fn deserialize<'de, M: OwnedMessage + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<M, D::Error> {
    let mut value = M::default();
    let message = value.message_mut();
    match (MessageSeed { message: &mut *message, depth: JsonDepth::of_thread() })
        .deserialize(deserializer)
    {
        Ok(()) => Ok(value),
        Err(error) => {
            // The value that has been read may be deep.
            teardown::prune(message);
            Err(error)
        }
    }
}

/// As a [`Node`].
impl<'de> Deserialize<'de> for NodeEnum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Node::deserialize(deserializer)?.node.ok_or_else(|| Error::custom("the node has no type"))
    }
}

/// A message, whose fields have their default values so far.
struct MessageSeed<'m> {
    message: &'m mut DynMessage,
    depth: JsonDepth,
}

impl<'de> DeserializeSeed<'de> for MessageSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        with_stack(|| deserializer.deserialize_map(self))
    }
}

impl<'de> Visitor<'de> for MessageSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.message.is_node() {
            f.write_str("a node")
        } else {
            write!(f, "the fields of {}", self.message.table().name)
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { message, depth } = self;
        let is_node = message.is_node();
        // Fields usually come in the order in which they are written.
        let (mut next, mut seen) = (0, 0_u128);
        while let Some(key) = map.next_key_seed(Key { message: &*message, next })? {
            let Some((field, value)) = message.field_mut(key.index) else { break };
            let bit = 1 << key.index;
            if seen & bit != 0 {
                return Err(match field.json {
                    Some((name, _)) => Error::duplicate_field(name),
                    None if is_node => Error::custom("a node with two types"),
                    None => Error::custom("a constant with two values"),
                });
            }
            seen |= bit;
            next = key.index + 1;
            // A `Node` is not a level; the value of a constant is.
            let is_level = key.variant.is_some() && !is_node;
            let depth = if is_level { depth.deeper()? } else { depth };
            let place = value.content_mut();
            map.next_value_seed(FieldSeed { field, place, variant: key.variant, depth })?;
        }
        Ok(())
    }
}

/// The key of an entry.
struct Key<'m> {
    message: &'m DynMessage,
    /// The index of the expected field.
    next: usize,
}

struct FoundField {
    /// The index of the field in the table.
    index: usize,
    /// The variant that the key names, if the field is an enum of nodes.
    variant: Option<&'static Variant>,
}

impl Key<'_> {
    fn find(&self, name: &str) -> Option<FoundField> {
        let table = self.message.table();
        let fields = &table.fields;
        let is = |index: &usize| {
            let field = fields.get(*index).and_then(|field| field.json);
            field.is_some_and(|(known, _)| known == name)
        };
        let index = Some(self.next).filter(is).or_else(|| (0..fields.len()).find(is));
        let plain = index.map(|index| FoundField { index, variant: None });
        plain.or_else(|| {
            let (index, oneof) = self.oneof()?;
            Some(FoundField { index, variant: Some(oneof.variant(name)?) })
        })
    }

    /// Returns the field that is an enum of nodes.
    fn oneof(&self) -> Option<(usize, &dyn SomeNode)> {
        let mut fields = self.message.fields().enumerate();
        fields.find_map(|(index, (_, value))| match value.content() {
            Content::Oneof(oneof) => Some((index, oneof)),
            _ => None,
        })
    }

    fn unknown<E: Error>(&self, name: &str) -> E {
        let variants = self.oneof().map(|(_, oneof)| oneof.variants()).unwrap_or_default();
        let variants = variants.iter().map(|variant| variant.json);
        let table = self.message.table();
        let fields = table.fields.iter().filter_map(|field| field.json);
        let names: Vec<_> = variants.chain(fields.map(|(name, _)| name)).collect();
        let what = if self.message.is_node() { "variant" } else { "field" };
        let expected = match names.as_slice() {
            [] => "there are no fields".to_owned(),
            [name] => format!("expected `{name}`"),
            [one, other] => format!("expected `{one}` or `{other}`"),
            names => format!("expected one of `{}`", names.join("`, `")),
        };
        E::custom(format_args!("unknown {what} `{name}`, {expected}"))
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = FoundField;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FoundField, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = FoundField;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.message.is_node() {
            "the type of a node"
        } else {
            "the name of a field"
        })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<FoundField, E> {
        self.find(name).ok_or_else(|| self.unknown(name))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<FoundField, E> {
        let name = str::from_utf8(name);
        name.map_or_else(
            |_| Err(E::custom("a name that is not UTF-8")),
            |name| self.visit_str(name),
        )
    }
}

/// The value of a field.
struct FieldSeed<'m> {
    field: &'static MessageField,
    place: ContentMut<'m>,
    /// The variant, if the field is an enum of nodes.
    variant: Option<&'static Variant>,
    depth: JsonDepth,
}

impl<'de> DeserializeSeed<'de> for FieldSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { field, place, variant, depth } = self;
        match place {
            ContentMut::Bool(place) => *place = bool::deserialize(deserializer)?,
            ContentMut::I32(place) => {
                *place = match field.constants() {
                    Some(constants) => deserializer.deserialize_any(ConstantName(constants))?,
                    None => i32::deserialize(deserializer)?,
                }
            }
            ContentMut::I64(place) => *place = i64::deserialize(deserializer)?,
            ContentMut::U32(place) => *place = u32::deserialize(deserializer)?,
            ContentMut::U64(place) => *place = u64::deserialize(deserializer)?,
            ContentMut::F64(place) => *place = f64::deserialize(deserializer)?,
            ContentMut::Text(place) => *place = String::deserialize(deserializer)?,
            ContentMut::Set(place) => *place = Vec::deserialize(deserializer)?,
            ContentMut::Message(place) => {
                deserializer.deserialize_option(AtMostOne(place, depth.deeper()?))?;
            }
            ContentMut::Messages(place) => {
                let form = field.form().unwrap_or(Form::Always);
                deserializer.deserialize_seq(Items { place, form, depth: depth.deeper()? })?;
            }
            ContentMut::Oneof(place) => {
                if let Some(message) = variant.and_then(|variant| place.set(variant.number)) {
                    MessageSeed { message, depth }.deserialize(deserializer)?;
                }
            }
            // Not a field of a tree, so no name leads here.
            ContentMut::Foreign => {}
        }
        Ok(())
    }
}

/// The constant of an enumeration: its name; or its number, where it has no name.
struct ConstantName(&'static Constants);

impl Visitor<'_> for ConstantName {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a constant of {}", self.0.enumeration)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<i32, E> {
        self.0.number(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i32, E> {
        i32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i32, E> {
        i32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}

/// A field with one message, or none.
struct AtMostOne<'m>(&'m mut dyn Messages, JsonDepth);

impl<'de> Visitor<'de> for AtMostOne<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message, or null")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        MessageSeed { message: self.0.add(), depth: self.1 }.deserialize(deserializer)
    }
}

/// The messages of a list.
struct Items<'m> {
    place: &'m mut dyn Messages,
    form: Form,
    depth: JsonDepth,
}

impl<'de> Visitor<'de> for Items<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Item(&mut self))?.is_some() {}
        Ok(())
    }
}

/// The next one of them.
struct Item<'a, 'm>(&'a mut Items<'m>);

impl<'de> DeserializeSeed<'de> for Item<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Items { place, form, depth } = self.0;
        let number = match form {
            Form::Signed => i32::deserialize(deserializer)?,
            Form::Unsigned => u32::deserialize(deserializer)?.cast_signed(),
            Form::UnlessDefault | Form::Always => {
                let message = place.add();
                return MessageSeed { message, depth: *depth }.deserialize(deserializer);
            }
        };
        contents::add_integer(*place, number);
        Ok(())
    }
}
