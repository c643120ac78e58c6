//! Copies messages by their tables: their memory as it is, and then each field that owns more.

use core::alloc::Layout;
use core::mem::{MaybeUninit, size_of_val};
use core::ptr;
use std::alloc::{alloc, handle_alloc_error};

use super::message::{DynMessage, Message};

/// Returns a copy of a message.
// The compiler does not see uses in derived impls of `Clone`.
#[allow(dead_code)]
#[inline]
pub(crate) fn copy<M: Message>(message: &M) -> M {
    let mut copy = MaybeUninit::<M>::uninit();
    // SAFETY: there is room for the message, whose copy is there afterwards.
    unsafe {
        copy_to(message, copy.as_mut_ptr().cast());
        copy.assume_init()
    }
}

/// Returns a copy of a message in a box.
#[inline]
pub(crate) fn boxed_copy<M: Message>(message: &M) -> Box<M> {
    // SAFETY: there is an `M`, in memory that was allocated for one, or in none if it has no size.
    unsafe { Box::from_raw(allocated_copy(message).cast()) }
}

/// Returns a copy of a message in memory of its own.
#[inline(never)]
fn allocated_copy(message: &DynMessage) -> *mut u8 {
    let layout = Layout::for_value(message);
    if layout.size() == 0 {
        return ptr::without_provenance_mut(layout.align());
    }
    // SAFETY: the size is not 0. The memory has the layout of the message.
    unsafe {
        let place = alloc(layout);
        if place.is_null() {
            handle_alloc_error(layout);
        }
        copy_to(message, place);
        place
    }
}

/// Writes a copy of a message.
///
/// # Safety
///
/// `place` can be written to, and has room for the message. What was there is not dropped.
#[inline(never)]
unsafe fn copy_to(message: &DynMessage, place: *mut u8) {
    let bytes = ptr::from_ref(message).cast::<u8>();
    // SAFETY:
    // - the caller guarantees the place, which contains all fields. It is new memory, so that it does not overlap.
    // - a field that owns nothing is as good as its bytes. The others are copied by their types, over the
    //   bytes of the original, which are nobody's value.
    unsafe {
        ptr::copy_nonoverlapping(bytes, place, size_of_val(message));
        for (field, value) in message.fields().filter(|(field, _)| field.owns) {
            value.copy_to(place.add(field.offset));
        }
    }
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
