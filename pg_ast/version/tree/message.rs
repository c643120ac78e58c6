//! What is alike for all messages of the tree: the verbs over their fields, compiled once.
//!
//! `#[derive(Message)]` writes for each message a [`Table`] of its fields and where they are, and for each sum of nodes the way to the node in it. The rest is here: comparison, `Debug`, the size on the
//! heap; in `wire.rs` Protobuf, and in `walk.rs` the nodes in the fields. The type of a field answers by [`Value`]; one
//! that has no answer does not compile, so that no field can be forgotten.

use core::any::Any;
use core::fmt::{self, Debug};
use core::ptr;
use std::collections::HashMap;

pub(crate) use ::prost;
#[cfg(feature = "serde")]
pub(crate) use ::serde;
use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, string};

#[cfg(feature = "serde")]
pub(crate) use super::contents::{Contents, Form};
#[cfg(feature = "serde")]
pub(crate) use super::json_read::deserialize;
#[cfg(feature = "serde")]
pub(crate) use super::json_write::serialize;
use super::teardown;
use super::walk::{HoldsNodes, Walk};
pub(crate) use super::wire::{encode, encoded_len, merge_from};
use super::wire::{encode_message, merge_message};
use crate::runtime::enumeration::Named;
pub(crate) use crate::runtime::heap_size::HeapSize;
use crate::runtime::reversed::Reversed;
pub(crate) use crate::runtime::stack::with_stack;
use crate::runtime::stack::with_stack_dyn;

/// A message of the tree.
///
/// # Safety
///
/// The table has each field of the message once, with its type and its offset.
pub(crate) unsafe trait Message: Send + Sync {
    fn table(&self) -> &'static Table;
}

pub(crate) type DynMessage = dyn Message;

pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// In the order of their numbers.
    pub(crate) fields: &'static [MessageField],
}

pub(crate) struct MessageField {
    pub(crate) name: &'static str,
    /// The number in Protobuf; several for a sum of nodes, ascending.
    pub(super) numbers: &'static [u32],
    pub(crate) holds: Holds,
    /// The enumeration of which the number is a constant.
    pub(super) constants: Option<Constants>,
    /// Where in the message it is, in bytes.
    offset: usize,
    /// What is at that place.
    value: fn(*mut u8) -> *mut DynValue,
    /// How it is written with serde; nothing for a sum of nodes, whose variants have names of their own.
    #[cfg(feature = "serde")]
    pub(super) json: Option<(&'static str, Form)>,
}

/// Whether there are nodes in the fields of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Nothing,
    Node,
    List,
}

impl Table {
    pub(crate) const fn new(name: &'static str, fields: &'static [MessageField]) -> Self {
        // JSON is read and written with a bit for each.
        assert!(fields.len() <= 128);
        Self { name, fields }
    }
}

impl MessageField {
    pub(crate) const fn new<T: HoldsNodes + Value>(
        name: &'static str,
        numbers: &'static [u32],
        constants: Option<Constants>,
        offset: usize,
    ) -> Self {
        Self {
            name,
            numbers,
            holds: T::HOLDS,
            constants,
            offset,
            value: value::<T>,
            #[cfg(feature = "serde")]
            json: None,
        }
    }

    #[cfg(feature = "serde")]
    pub(crate) const fn in_json(mut self, name: &'static str, form: Form) -> Self {
        self.json = Some((name, form));
        self
    }
}

fn value<T: Value>(place: *mut u8) -> *mut DynValue {
    place.cast::<T>()
}

// A table and not a method for each message: that would be the same code some thousand times.
impl DynMessage {
    /// The fields in the order of their numbers.
    pub(crate) fn fields(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        self.fields_from(0)
    }

    /// Those from that index in the table on.
    fn fields_from(
        &self,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        let message = ptr::from_ref(self).cast_mut().cast::<u8>();
        let fields = self.table().fields.get(index..).unwrap_or_default();
        fields.iter().map(move |field| {
            // SAFETY: the table is the message's own, so that there is such a field in it; it is borrowed as
            // the message is.
            (field, unsafe { &*(field.value)(message.add(field.offset)) })
        })
    }

    /// As [`fields`](Self::fields), to change them.
    pub(crate) fn fields_mut(
        &mut self,
    ) -> impl Iterator<Item = (&'static MessageField, &mut DynValue)> {
        self.fields_from_mut(0)
    }

    fn fields_from_mut(
        &mut self,
        index: usize,
    ) -> impl Iterator<Item = (&'static MessageField, &mut DynValue)> {
        let fields = self.table().fields.get(index..).unwrap_or_default();
        let message = ptr::from_mut(self).cast::<u8>();
        fields.iter().map(move |field| {
            // SAFETY: as above; the table has each field once, so that none is borrowed twice.
            (field, unsafe { &mut *(field.value)(message.add(field.offset)) })
        })
    }

    /// The field of that index in the table.
    #[cfg(feature = "serde")]
    pub(crate) fn field(&self, index: usize) -> Option<(&'static MessageField, &DynValue)> {
        self.fields_from(index).next()
    }

    pub(crate) fn field_mut(
        &mut self,
        index: usize,
    ) -> Option<(&'static MessageField, &mut DynValue)> {
        self.fields_from_mut(index).next()
    }

    /// The field that says where the node's token is, if there is one.
    pub(crate) fn location(&self) -> Option<i32> {
        let is_location =
            |(field, _): &(&MessageField, _)| ["location", "stmt_location"].contains(&field.name);
        let (_, value) = self.fields().find(is_location)?;
        (value as &dyn Any).downcast_ref().copied()
    }
}

/// An enumeration, for the code that does not know which.
#[derive(Clone, Copy)]
pub(crate) struct Constants {
    debug: fn(i32, &mut fmt::Formatter<'_>) -> fmt::Result,
    #[cfg(feature = "serde")]
    pub(super) names: super::contents::Names,
}

impl Constants {
    pub(crate) const fn of<E: Named + Debug>() -> Self {
        Self {
            debug: constant::<E>,
            #[cfg(feature = "serde")]
            names: super::contents::Names::of::<E>(),
        }
    }
}

/// The constant of a number, or the number if there is none: as prost prints it.
fn constant<E: Named + Debug>(number: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match E::try_from(number) {
        Ok(constant) => constant.fmt(f),
        Err(_) => number.fmt(f),
    }
}

/// A sum of nodes: what prost calls a oneof.
pub(crate) trait Sum: Sized {
    /// In the order of their numbers.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    const VARIANTS: &'static [Variant];
    /// Their indexes, in the order of their names in JSON.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    const BY_JSON: &'static [usize];

    /// The node, and which one it is.
    fn message(&self) -> (&'static Variant, &DynMessage);
    fn message_mut(&mut self) -> &mut DynMessage;

    /// An empty node of the variant with that number.
    fn with_number(number: u32) -> Option<Self>;
}

pub(crate) struct Variant {
    pub(crate) name: &'static str,
    /// The name in JSON, which is the one in C.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) json: &'static str,
    pub(crate) number: u32,
    /// The size of the box around the node; 0 if there is none.
    pub(crate) boxed: usize,
}

/// The value of a field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a message's field",
    label = "no message has a field of this type",
    note = "see `pg_ast/version/tree/message.rs`"
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

/// Without serde nobody asks what a field holds.
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

// What follows is in messages that are no part of a tree.

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

/// What a message's type has.
pub(crate) trait Whole:
    Held + Debug + Default + PartialEq + HeapSize + Walk + 'static
{
}

impl<T: Held + Debug + Default + PartialEq + HeapSize + Walk + 'static> Whole for T {}

/// A message, or the message in a box.
pub(crate) trait Held {
    fn message(&self) -> &DynMessage;
    fn message_mut(&mut self) -> &mut DynMessage;
}

impl<M: Held> Held for Box<M> {
    fn message(&self) -> &DynMessage {
        (**self).message()
    }

    fn message_mut(&mut self) -> &mut DynMessage {
        (**self).message_mut()
    }
}

/// A field that holds a message, in a box or not, or none.
impl<M: Whole> Value for Option<M> {
    fn equals(&self, other: &DynValue) -> bool {
        same(self, other)
    }

    fn encode(&self, number: u32, out: &mut Reversed) {
        if let Some(message) = self {
            encode_message(message.message(), number, out);
        }
    }

    fn merge(&mut self, _: u32, wire_type: WireType, bytes: &mut &[u8]) -> Result<(), DecodeError> {
        merge_message(self.get_or_insert_default().message_mut(), wire_type, bytes)
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl<M: Whole> Value for Vec<M> {
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

/// A field that holds one of several nodes, or none.
macro_rules! sums {
    ($($sum:ty),*) => {$(
        impl Value for Option<$sum> {
            fn equals(&self, other: &DynValue) -> bool {
                same(self, other)
            }

            fn encode(&self, _: u32, out: &mut Reversed) {
                if let Some(sum) = self {
                    let (variant, message) = sum.message();
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
                    // The same node once more: both are one.
                    Some(sum) if sum.message().0.number == number => {
                        merge_message(sum.message_mut(), wire_type, bytes)
                    }
                    _ => {
                        let mut sum = <$sum>::with_number(number);
                        if let Some(sum) = &mut sum {
                            merge_message(sum.message_mut(), wire_type, bytes)?;
                        }
                        *self = sum;
                        Ok(())
                    }
                }
            }

            fn clear(&mut self) {
                *self = None;
            }
        }

        impl PartialEq for $sum {
            fn eq(&self, other: &Self) -> bool {
                let ((a, message), (b, other)) = (self.message(), other.message());
                a.number == b.number && equals(message, other)
            }
        }

        impl Debug for $sum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (variant, message) = self.message();
                f.debug_tuple(variant.name).field(&message).finish()
            }
        }

        impl HeapSize for $sum {
            fn heap_size(&self) -> usize {
                let (variant, message) = self.message();
                variant.boxed + heap_size(message)
            }
        }
    )*};
}
sums!(super::protobuf::node::Node, super::protobuf::a_const::Val);

// What follows is called for each message, and not to be compiled for each.

/// Whether two messages of one type are equal.
#[inline(never)]
pub(crate) fn equals(a: &DynMessage, b: &DynMessage) -> bool {
    with_stack_dyn(&mut || a.fields().zip(b.fields()).all(|((_, a), (_, b))| a.equals(b)))
}

/// An enumeration's number, with how its name is written.
struct InWords(Constants, i32);

impl Debug for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0.debug)(self.1, f)
    }
}

/// As the standard library derives it, with the names of constants.
#[inline(never)]
pub(crate) fn debug(message: &DynMessage, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    with_stack_dyn(&mut || {
        let mut out = f.debug_struct(message.table().name);
        for (field, value) in message.fields() {
            match (field.constants, (value as &dyn Any).downcast_ref::<i32>()) {
                (Some(constants), Some(number)) => {
                    out.field(field.name, &InWords(constants, *number));
                }
                _ => {
                    out.field(field.name, &value);
                }
            }
        }
        out.finish()
    })
}

impl Debug for DynMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(self, f)
    }
}

#[inline(never)]
pub(crate) fn heap_size(message: &DynMessage) -> usize {
    with_stack_dyn(&mut || message.fields().map(|(_, value)| value.heap_size()).sum())
}

/// On any stack, however deep the message is.
#[inline(never)]
pub(crate) fn clear(message: &mut DynMessage) {
    teardown::prune(message);
    message.fields_mut().for_each(|(_, value)| value.clear());
}
