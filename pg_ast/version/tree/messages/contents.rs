//! The contents of fields, for generic operations that cannot be methods of `Value`: those of serde.

use std::collections::HashMap;

use super::message::{DynMessage, Oneof, Variant};
use super::names::protobuf::{a_const, node};
use super::values::MessageTraits;

/// The form in which a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Unless it has its default value.
    UnlessDefault,
    Always,
    /// Always; the nodes of the list are `Integer`, each of them written as a number.
    Signed,
    /// The same for numbers that C has without a sign.
    Unsigned,
}

impl Form {
    /// Returns the form with a number of the macro's `FORMS`; 0 is none.
    pub(crate) const fn with_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => return None,
            1 => Self::UnlessDefault,
            2 => Self::Always,
            3 => Self::Signed,
            4 => Self::Unsigned,
            _ => panic!("no form has this number"),
        })
    }
}

/// The value of a field.
pub(crate) enum Content<'a> {
    Bool(bool),
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    F64(f64),
    Text(&'a str),
    Set(&'a [u64]),
    Message(Option<&'a DynMessage>),
    Messages(&'a dyn Messages),
    /// One of several node types, or none.
    Oneof(&'a dyn SomeNode),
    /// A value that no tree contains.
    Foreign,
}

impl Content<'_> {
    pub(crate) fn is_default(&self) -> bool {
        match self {
            Self::Bool(value) => !value,
            Self::I32(value) => *value == 0,
            Self::I64(value) => *value == 0,
            Self::U32(value) => *value == 0,
            Self::U64(value) => *value == 0,
            // Both zeroes, as in C.
            Self::F64(value) => *value == 0.0,
            Self::Text(value) => value.is_empty(),
            Self::Set(value) => value.is_empty(),
            Self::Message(value) => value.is_none(),
            Self::Messages(value) => value.count() == 0,
            Self::Oneof(value) => value.node().is_none(),
            Self::Foreign => true,
        }
    }
}

/// The destination of a field's value.
pub(crate) enum ContentMut<'a> {
    Bool(&'a mut bool),
    I32(&'a mut i32),
    I64(&'a mut i64),
    U32(&'a mut u32),
    U64(&'a mut u64),
    F64(&'a mut f64),
    Text(&'a mut String),
    Set(&'a mut Vec<u64>),
    Message(&'a mut dyn Messages),
    Messages(&'a mut dyn Messages),
    Oneof(&'a mut dyn SomeNode),
    Foreign,
}

/// A field with messages, or with one at most.
pub(crate) trait Messages {
    fn count(&self) -> usize;
    fn message(&self, index: usize) -> Option<&DynMessage>;
    /// Adds an empty message: after the others, or in place of another.
    fn add(&mut self) -> &mut DynMessage;
}

impl<M: MessageTraits> Messages for Option<M> {
    fn count(&self) -> usize {
        usize::from(self.is_some())
    }

    fn message(&self, _: usize) -> Option<&DynMessage> {
        self.as_ref().map(M::message)
    }

    fn add(&mut self) -> &mut DynMessage {
        self.insert(M::default()).message_mut()
    }
}

impl<M: MessageTraits> Messages for Vec<M> {
    fn count(&self) -> usize {
        self.len()
    }

    fn message(&self, index: usize) -> Option<&DynMessage> {
        self.get(index).map(M::message)
    }

    fn add(&mut self) -> &mut DynMessage {
        let index = self.len();
        self.push(M::default());
        self[index].message_mut()
    }
}

/// Returns the number of an `Integer` node in a list.
pub(crate) fn integer(item: &DynMessage) -> Option<i32> {
    let Content::Oneof(oneof) = item.fields().next()?.1.content() else { return None };
    let (variant, integer) = oneof.node()?;
    match integer.fields().next()?.1.content() {
        Content::I32(number) if variant.json == INTEGER => Some(number),
        _ => None,
    }
}

/// Adds such a node to a list.
pub(crate) fn add_integer(items: &mut dyn Messages, number: i32) {
    if let Some((_, value)) = items.add().field_mut(0)
        && let ContentMut::Oneof(oneof) = value.content_mut()
        && let Some(variant) = oneof.variant(INTEGER)
        && let Some(integer) = oneof.set(variant.number)
        && let Some((_, value)) = integer.field_mut(0)
        && let ContentMut::I32(place) = value.content_mut()
    {
        *place = number;
    }
}

const INTEGER: &str = "Integer";

impl DynMessage {
    /// Returns whether this is a `Node`, which only selects the type.
    pub(crate) fn is_node(&self) -> bool {
        self.table().name == "Node"
    }
}

/// A field with one of several nodes, or none.
pub(crate) trait SomeNode {
    fn node(&self) -> Option<(&'static Variant, &DynMessage)>;
    fn variants(&self) -> &'static [Variant];
    /// Returns the variant with this name in JSON.
    fn variant(&self, name: &str) -> Option<&'static Variant>;
    /// Puts an empty node of a variant there.
    fn set(&mut self, number: u32) -> Option<&mut DynMessage>;
}

impl<S: Oneof> SomeNode for Option<S> {
    fn node(&self) -> Option<(&'static Variant, &DynMessage)> {
        self.as_ref().map(S::message)
    }

    fn variants(&self) -> &'static [Variant] {
        S::VARIANTS
    }

    fn variant(&self, name: &str) -> Option<&'static Variant> {
        let found = S::BY_JSON.binary_search_by(|index| S::VARIANTS[*index].json.cmp(name));
        found.ok().map(|index| &S::VARIANTS[S::BY_JSON[index]])
    }

    fn set(&mut self, number: u32) -> Option<&mut DynMessage> {
        Some(self.insert(S::with_number(number)?).message_mut())
    }
}

/// The type of a field.
pub(crate) trait Contents {
    fn content(&self) -> Content<'_>;
    fn content_mut(&mut self) -> ContentMut<'_>;
}

macro_rules! contents {
    ($([$($generics:tt)*] $type:ty: |$value:ident| $content:expr, $place:expr;)*) => {$(
        impl<$($generics)*> Contents for $type {
            fn content(&self) -> Content<'_> {
                let $value = self;
                $content
            }

            fn content_mut(&mut self) -> ContentMut<'_> {
                let $value = self;
                $place
            }
        }
    )*};
}
contents! {
    [] bool: |value| Content::Bool(*value), ContentMut::Bool(value);
    [] i32: |value| Content::I32(*value), ContentMut::I32(value);
    [] i64: |value| Content::I64(*value), ContentMut::I64(value);
    [] u32: |value| Content::U32(*value), ContentMut::U32(value);
    [] u64: |value| Content::U64(*value), ContentMut::U64(value);
    [] f64: |value| Content::F64(*value), ContentMut::F64(value);
    [] String: |value| Content::Text(value), ContentMut::Text(value);
    [] Vec<u64>: |value| Content::Set(value), ContentMut::Set(value);
    [M: MessageTraits] Option<M>: |value| Content::Message(value.message(0)), ContentMut::Message(value);
    [M: MessageTraits] Vec<M>: |value| Content::Messages(value), ContentMut::Messages(value);
    [] Option<node::Node>: |value| Content::Oneof(value), ContentMut::Oneof(value);
    [] Option<a_const::Val>: |value| Content::Oneof(value), ContentMut::Oneof(value);
    [] Vec<String>: |_value| Content::Foreign, ContentMut::Foreign;
    [] HashMap<String, String>: |_value| Content::Foreign, ContentMut::Foreign;
}
