//! The operations that all messages of the tree share, as loops over their fields, compiled once.
//!
//! For each message, `message!` (convert/message_impls.rs) makes a [`MessageTable`] of its fields and their places, and for each enum
//! of nodes the way to the node in it. The rest is here: comparison, `Debug`, the size on the heap; `wire.rs` has Protobuf,
//! `json_write.rs` and `json_read.rs` JSON, and `walk.rs` the nodes in the fields. The type of a field implements
//! [`Value`]; one that does not fails to compile, so that no field can be forgotten.

use core::any::Any;
use core::fmt::{self, Debug};
use core::ptr;

pub(crate) use ::prost::bytes::{Buf, BufMut};
pub(crate) use ::prost::encoding::{DecodeContext, WireType};
pub(crate) use ::prost::{DecodeError, Message as ProstMessage};
#[cfg(feature = "serde")]
pub(crate) use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use super::copy::{Detach, cloned, detach, detach_oneof, empty, empty_box};
#[cfg(feature = "serde")]
pub(crate) use super::json_read::deserialize;
#[cfg(feature = "serde")]
pub(crate) use super::json_write::serialize;
pub(crate) use super::message_table::{
    MessageTable, constant, flag, node, nodes, number, other, text,
};
use super::teardown;
pub(crate) use super::values::{ConstDefault, OwnedMessage};
pub(crate) use super::wire::{encode, encode_into, encoded_len, merge_from};
use crate::convert::enumeration::Constants;
use crate::foundation::stack::{DEEPER, Level, with_stack_dyn};
pub(crate) use crate::types::heap_size::HeapSize;

/// A message of the tree.
///
/// # Safety
///
/// The table has each field of the message once, with its type and its offset.
pub(crate) unsafe trait Message: Any + Send + Sync {
    fn table(&self) -> &'static MessageTable;
}

pub(crate) type DynMessage = dyn Message;

/// An enum of nodes, which prost calls a oneof.
pub(crate) trait Oneof: Sized {
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
    let Some(_level) = Level::enter(1) else { return f.write_str(DEEPER) };
    with_stack_dyn(&mut || {
        let table = message.table();
        let mut out = f.debug_struct(table.name);
        for (field, value) in message.fields() {
            match (field.constants(), (value as &dyn Any).downcast_ref::<i32>()) {
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

/// Swaps two messages.
///
/// # Safety
///
/// They have the same type.
pub(crate) unsafe fn swap(a: &mut DynMessage, b: &mut DynMessage) {
    let size = size_of_val(a);
    assert!(size == size_of_val(b));
    let (a, b) = (ptr::from_mut(a).cast::<u8>(), ptr::from_mut(b).cast::<u8>());
    // SAFETY: the caller guarantees that both are messages of one type. They are borrowed mutably, so that they do not
    // overlap.
    unsafe { ptr::swap_nonoverlapping(a, b, size) };
}
