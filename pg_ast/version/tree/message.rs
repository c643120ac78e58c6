//! The operations that all messages of the tree share, as loops over their fields, compiled once.
//!
//! For each message, `#[derive(Message)]` writes a [`MessageTable`] of its fields and their places, and for each enum
//! of nodes the way to the node in it. The rest is here: comparison, `Debug`, the size on the heap; `wire.rs` has Protobuf,
//! `json_write.rs` and `json_read.rs` JSON, and `walk.rs` the nodes in the fields. The type of a field implements
//! [`Value`]; one that does not fails to compile, so that no field can be forgotten.

use core::any::Any;
use core::fmt::{self, Debug};
use core::ptr;

pub(crate) use ::prost;
#[cfg(feature = "serde")]
pub(crate) use ::serde;

#[cfg(feature = "serde")]
pub(crate) use super::contents::Form;
pub(crate) use super::copy::{Detach, cloned, detach, detach_sum, empty_box};
#[cfg(feature = "serde")]
pub(crate) use super::json_read::deserialize;
#[cfg(feature = "serde")]
pub(crate) use super::json_write::serialize;
use super::teardown;
pub(crate) use super::values::{DynValue, Held, Value};
use super::walk::HoldsNodes;
pub(crate) use super::wire::{encode, encoded_len, merge_from};
pub(crate) use crate::runtime::enumeration::{Constants, Named};
pub(crate) use crate::runtime::heap_size::HeapSize;
use crate::runtime::stack::with_stack_dyn;

/// A message of the tree.
///
/// # Safety
///
/// The table has each field of the message once, with its type and its offset.
pub(crate) unsafe trait Message: Send + Sync + 'static {
    fn table(&self) -> &'static MessageTable;
}

pub(crate) type DynMessage = dyn Message;

pub(crate) struct MessageTable {
    pub(crate) name: &'static str,
    /// In the order of their numbers.
    pub(crate) fields: &'static [MessageField],
    /// [`Detach::detach`] of the message in a place.
    pub(super) detach: unsafe fn(*mut u8),
}

pub(crate) struct MessageField {
    pub(crate) name: &'static str,
    /// The first and the last number in Protobuf: the same, except for an enum of nodes.
    pub(super) numbers: (u32, u32),
    pub(crate) holds: Holds,
    /// The enumeration that the number is a constant of.
    pub(super) constants: Option<&'static Constants>,
    /// Its offset in the message, in bytes.
    offset: usize,
    /// Converts a pointer to that place.
    value: fn(*mut u8) -> *mut DynValue,
    /// Its form in serde; `None` for an enum of nodes, since its variants have the names.
    #[cfg(feature = "serde")]
    pub(super) json: Option<(&'static str, Form)>,
}

/// A statement on whether the fields of a type hold nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Nothing,
    Node,
    List,
}

impl MessageTable {
    pub(crate) const fn new<M: Message + Detach>(
        name: &'static str,
        fields: &'static [MessageField],
    ) -> Self {
        // JSON is read and written with a bit for each.
        assert!(fields.len() <= 128);
        let mut index = 1;
        while index < fields.len() {
            assert!(fields[index - 1].numbers.1 < fields[index].numbers.0);
            index += 1;
        }
        Self { name, fields, detach: M::detach }
    }
}

impl MessageField {
    /// # Safety
    ///
    /// `field` points to a field of the message that `whole` points to.
    // Pointers, since `offset_of!` is a constant of its own to the compiler, which takes longer.
    #[allow(clippy::cast_sign_loss)]
    pub(crate) const unsafe fn new<M: Message, T: HoldsNodes + Value>(
        name: &'static str,
        numbers: (u32, u32),
        constants: Option<&'static Constants>,
        whole: *const M,
        field: *const T,
    ) -> Self {
        // SAFETY: the caller guarantees that both point into the same message.
        let offset = unsafe { field.byte_offset_from(whole) } as usize;
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

// A table, since a method for each message would repeat the same code about a thousand times.
impl DynMessage {
    /// Returns the fields in the order of their numbers.
    pub(crate) fn fields(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        self.fields_from(0)
    }

    /// Returns the fields from an index in the table on.
    fn fields_from(
        &self,
        index: usize,
    ) -> impl DoubleEndedIterator<Item = (&'static MessageField, &DynValue)> {
        let message = ptr::from_ref(self).cast_mut().cast::<u8>();
        let fields = self.table().fields.get(index..).unwrap_or_default();
        fields.iter().map(move |field| {
            // SAFETY: the table is the message's own, so the message has such a field, which is borrowed like
            // the message.
            (field, unsafe { &*(field.value)(message.add(field.offset)) })
        })
    }

    /// Like [`fields`](Self::fields), but mutable.
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

    /// Returns the field at an index in the table.
    #[cfg(feature = "serde")]
    pub(crate) fn field(&self, index: usize) -> Option<(&'static MessageField, &DynValue)> {
        self.fields_from(index).next()
    }

    /// Like [`field`](Self::field), but mutable.
    pub(crate) fn field_mut(
        &mut self,
        index: usize,
    ) -> Option<(&'static MessageField, &mut DynValue)> {
        self.fields_from_mut(index).next()
    }

    /// Returns the field with the location of the node's token, if there is one.
    pub(crate) fn location(&self) -> Option<i32> {
        let is_location =
            |(field, _): &(&MessageField, _)| ["location", "stmt_location"].contains(&field.name);
        let (_, value) = self.fields().find(is_location)?;
        (value as &dyn Any).downcast_ref().copied()
    }
}

/// An enum of nodes, which prost calls a oneof.
pub(crate) trait Sum: Sized {
    /// In the order of their numbers.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    const VARIANTS: &'static [Variant];
    /// Their indexes, in the order of their names in JSON.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    const BY_JSON: &'static [usize];

    /// Returns the node and its variant.
    fn message(&self) -> (&'static Variant, &DynMessage);
    fn message_mut(&mut self) -> &mut DynMessage;

    /// Returns the place of what the variant holds: the node, or the box.
    fn content(&mut self) -> *mut u8;

    /// Returns an empty node of the variant with this number.
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

// The following functions are called for each message, and should not be compiled for each.

/// Returns whether two messages of one type are equal.
#[inline(never)]
pub(crate) fn equals(a: &DynMessage, b: &DynMessage) -> bool {
    with_stack_dyn(&mut || a.fields().zip(b.fields()).all(|((_, a), (_, b))| a.equals(b)))
}

/// The number of an enumeration, printed by name.
struct InWords(&'static Constants, i32);

impl Debug for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(self.1, f)
    }
}

/// Prints like a derived `Debug`, with the names of constants.
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

/// Clears a message on any stack, however deep it is.
#[inline(never)]
pub(crate) fn clear(message: &mut DynMessage) {
    teardown::prune(message);
    message.fields_mut().for_each(|(_, value)| value.clear());
}

/// Swaps two messages of one type.
///
/// # Panics
///
/// Their types differ.
pub(crate) fn swap(a: &mut DynMessage, b: &mut DynMessage) {
    assert!(ptr::eq(a.table(), b.table()));
    let size = size_of_val(a);
    let (a, b) = (ptr::from_mut(a).cast::<u8>(), ptr::from_mut(b).cast::<u8>());
    // SAFETY: both are messages of the same type, since each has its own table; and borrowed mutably, so that they do
    // not overlap.
    unsafe { ptr::swap_nonoverlapping(a, b, size) };
}
