//! The types of fields: how each of them implements the operations over all messages.

use core::any::Any;
use core::borrow::BorrowMut;
use core::fmt::{self, Debug};
use std::collections::HashMap;

use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, string};

#[cfg(feature = "serde")]
use super::contents::Contents;
use super::message::{DynMessage, Message, Oneof, equals, heap_size};
use super::walk::Walk;
use super::wire::{encode_message, merge_message};
use crate::foundation::reversed::Reversed;
use crate::types::heap_size::HeapSize;

/// The value of a field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a message's field",
    label = "no message has a field of this type",
    note = "see `pg_ast/version/tree/values.rs`"
)]
pub(crate) trait Value: Any + Contents + Debug + HeapSize + Walk {
    fn equals(&self, other: &DynValue) -> bool;
    /// Writes the field, unless it has its default value.
    fn encode(&self, number: u32, out: &mut Reversed);
    /// Reads a value of the field, which is added to what is there.
    fn merge(
        &mut self,
        number: u32,
        wire_type: WireType,
        bytes: &mut &[u8],
    ) -> Result<(), DecodeError>;
    fn clear(&mut self);
}

pub(crate) type DynValue = dyn Value;

/// The default value as a constant: `Default` would be a call for each field of each message.
pub(crate) trait ConstDefault {
    const DEFAULT: Self;
}

macro_rules! defaults {
    ($($type:ty = $value:expr;)*) => {$(
        impl ConstDefault for $type {
            const DEFAULT: Self = $value;
        }
    )*};
}
defaults! {
    bool = false;
    i32 = 0;
    i64 = 0;
    u32 = 0;
    u64 = 0;
    f64 = 0.0;
    String = Self::new();
}

impl<T> ConstDefault for Option<T> {
    const DEFAULT: Self = None;
}

impl<T> ConstDefault for Vec<T> {
    const DEFAULT: Self = Self::new();
}

/// Without serde, nothing asks for the contents of a field.
#[cfg(not(feature = "serde"))]
pub(crate) trait Contents {}

#[cfg(not(feature = "serde"))]
impl<T> Contents for T {}

fn same<T: PartialEq + 'static>(value: &T, other: &DynValue) -> bool {
    (other as &dyn Any).downcast_ref::<T>().is_some_and(|other| value == other)
}

macro_rules! numbers {
    ($($type:ty = $protobuf:ident, |$value:ident, $number:ident, $out:ident| $encode:expr;)*) => {$(
        impl Value for $type {
            fn equals(&self, other: &DynValue) -> bool {
                same(self, other)
            }

            fn encode(&self, $number: u32, $out: &mut Reversed) {
                let $value = self;
                $encode;
            }

            fn merge(
                &mut self,
                _: u32,
                wire_type: WireType,
                bytes: &mut &[u8],
            ) -> Result<(), DecodeError> {
                prost::encoding::$protobuf::merge(wire_type, self, bytes, DecodeContext::default())
            }

            fn clear(&mut self) {
                *self = Self::default();
            }
        }
    )*};
}
// An enumeration is prost's `i32`. A negative number is written with 64 bits.
numbers! {
    bool = bool, |value, number, out| out.varint_field(number, u64::from(*value));
    i32 = int32, |value, number, out| out.varint_field(number, i64::from(*value).cast_unsigned());
    i64 = int64, |value, number, out| out.varint_field(number, value.cast_unsigned());
    u32 = uint32, |value, number, out| out.varint_field(number, u64::from(*value));
    u64 = uint64, |value, number, out| out.varint_field(number, *value);
    f64 = double, |value, number, out| out.double_field(number, *value);
    String = string, |value, number, out| out.text_field(number, value);
}

/// The members of a `Bitmapset`.
impl Value for Vec<u64> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        if !self.is_empty() {
            let end = out.len();
            self.iter().rev().for_each(|member| out.varint(*member));
            out.length(end, number);
        }
    }

    fn merge(&mut self, _: u32, wire_type: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        prost::encoding::uint64::merge_repeated(wire_type, self, bytes, DecodeContext::default())
    }

    fn clear(&mut self) {
        self.clear();
    }
}

// The following types are in messages that are not part of a tree.

impl Value for Vec<String> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        self.iter().rev().for_each(|text| out.text(number, text));
    }

    fn merge(&mut self, _: u32, wire_type: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        string::merge_repeated(wire_type, self, bytes, DecodeContext::default())
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl Value for HashMap<String, String> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        for (key, value) in self {
            let end = out.len();
            out.text_field(2, value);
            out.text_field(1, key);
            out.length(end, number);
        }
    }

    fn merge(&mut self, _: u32, _: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        let text = string::merge;
        prost::encoding::hash_map::merge(text, text, self, bytes, DecodeContext::default())
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// The traits of a message type.
pub(crate) trait MessageTraits:
    OwnedMessage + Debug + Default + PartialEq + HeapSize + Walk + 'static
{
}

impl<T: OwnedMessage + Debug + Default + PartialEq + HeapSize + Walk + 'static> MessageTraits
    for T
{
}

/// A message, or the message in a box.
pub(crate) trait OwnedMessage: BorrowMut<Self::Message> {
    type Message: Message;

    fn message(&self) -> &DynMessage {
        self.borrow()
    }

    fn message_mut(&mut self) -> &mut DynMessage {
        self.borrow_mut()
    }
}

impl<M: Message> OwnedMessage for Box<M> {
    type Message = M;
}

/// A field that holds a message, in a box or not, or none.
impl<M: MessageTraits> Value for Option<M> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        if let Some(message) = self {
            encode_message(message.message(), number, out);
        }
    }

    fn merge(&mut self, _: u32, wire_type: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        // Not `get_or_insert_default`, which is four times as much code for each message.
        if self.is_none() {
            *self = Some(M::default());
        }
        match self {
            Some(message) => merge_message(message.message_mut(), wire_type, bytes),
            None => Ok(()),
        }
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl<M: MessageTraits> Value for Vec<M> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        self.iter().rev().for_each(|message| encode_message(message.message(), number, out));
    }

    fn merge(&mut self, _: u32, wire_type: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        let mut message = M::default();
        merge_message(message.message_mut(), wire_type, bytes)?;
        self.push(message);
        Ok(())
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// A field that holds one of several node types, or none.
macro_rules! oneofs {
    ($($oneof:ty),*) => {$(
        impl Value for Option<$oneof> {
            fn equals(&self, other: &DynValue) -> bool {
                same(self, other)
            }

            fn encode(&self, _: u32, out: &mut Reversed) {
                if let Some(oneof) = self {
                    let (variant, message) = oneof.message();
                    encode_message(message, variant.number, out);
                }
            }

            fn merge(
                &mut self,
                number: u32,
                wire_type: WireType,
                bytes: &mut &[u8],
            ) -> Result<(), DecodeError> {
                match self {
                    // The same node once more: both are merged.
                    Some(oneof) if oneof.message().0.number == number => {
                        merge_message(oneof.message_mut(), wire_type, bytes)
                    }
                    _ => {
                        let mut oneof = <$oneof>::with_number(number);
                        if let Some(oneof) = &mut oneof {
                            merge_message(oneof.message_mut(), wire_type, bytes)?;
                        }
                        *self = oneof;
                        Ok(())
                    }
                }
            }

            fn clear(&mut self) {
                *self = None;
            }
        }

        impl PartialEq for $oneof {
            fn eq(&self, other: &Self) -> bool {
                let ((a, message), (b, other)) = (self.message(), other.message());
                a.number == b.number && equals(message, other)
            }
        }

        impl Debug for $oneof {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (variant, message) = self.message();
                f.debug_tuple(variant.name).field(&message).finish()
            }
        }

        impl HeapSize for $oneof {
            fn heap_size(&self) -> usize {
                let (variant, message) = self.message();
                variant.boxed + heap_size(message)
            }
        }
    )*};
}
oneofs!(super::names::protobuf::node::Node, super::names::protobuf::a_const::Val);
