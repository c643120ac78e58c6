//! `Clone` of messages: their bytes are copied at once, and then whatever of them is on the heap.
//!
//! Most fields own nothing. Code that copies each field by itself would be three times as much, for each message, and
//! no faster.
//!
//! A tree is deep through boxes and lists, so that these check the stack.

// The places of values are passed as bytes; each is aligned as its type is.
#![allow(clippy::cast_ptr_alignment)]

use core::alloc::Layout;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};
use std::collections::HashMap;

use super::message::{DynMessage, Message, Oneof};
use crate::convert::shapes::place_of_box;
use crate::foundation::stack::with_stack;

/// A value that can be separated from the one that its bytes are a copy of.
///
/// # Safety
///
/// [`detach`](Self::detach) leaves a value that shares nothing with any other.
pub(crate) unsafe trait Detach {
    /// Replaces whatever the value has on the heap by a copy.
    ///
    /// All types have the same signature, for a table of such functions; [`detach`] knows the type.
    ///
    /// # Safety
    ///
    /// - `place` is aligned and points to the bytes of a `Self`, which is neither written to nor dropped during the call.
    /// - It is no value of its own before the call has returned: if this panics, nobody drops it.
    unsafe fn detach(place: *mut u8);
}

/// Calls [`Detach::detach`].
///
/// # Safety
///
/// Its conditions.
#[inline]
pub(crate) unsafe fn detach<T: Detach>(place: *mut T) {
    // SAFETY: the caller guarantees them.
    unsafe { T::detach(place.cast()) }
}

/// Types that have nothing on the heap.
macro_rules! nothing {
    ($($type:ty),*) => {$(
        // SAFETY: there is nothing to share.
        unsafe impl Detach for $type {
            #[inline]
            unsafe fn detach(_: *mut u8) {}
        }
    )*};
}
nothing!(bool, i32, i64, u32, u64, f64);

macro_rules! cloned {
    ($($type:ty),*) => {$(
        // SAFETY: a clone shares nothing with the original.
        unsafe impl Detach for $type {
            #[inline(never)]
            unsafe fn detach(place: *mut u8) {
                let place = place.cast::<Self>();
                // SAFETY: the caller guarantees that there is a value to read, and that nobody drops it here.
                unsafe { place.write((*place).clone()) }
            }
        }
    )*};
}
cloned!(String, HashMap<String, String>);

// SAFETY: `None` has nothing to share, and the other value is detached.
unsafe impl<T: Detach> Detach for Option<T> {
    #[inline]
    unsafe fn detach(place: *mut u8) {
        let place = place.cast::<Self>();
        // SAFETY: the caller guarantees the value, and so the one in it.
        unsafe {
            if let Some(value) = &mut *place {
                detach(value);
            }
        }
    }
}

// SAFETY: the list is a new one, and its items are detached.
unsafe impl<T: Detach> Detach for Vec<T> {
    #[inline(never)]
    unsafe fn detach(place: *mut u8) {
        let place = place.cast::<Self>();
        // Lists can be in lists without a box.
        // SAFETY:
        // - the caller guarantees the list, and so its items, whose bytes are copied to where there is room for them.
        // - they are the list's only when they are values.
        // - the old list is not dropped.
        with_stack(|| unsafe {
            let (items, count) = ((*place).as_ptr(), (*place).len());
            let mut copies = Self::with_capacity(count);
            ptr::copy_nonoverlapping(items, copies.as_mut_ptr(), count);
            for index in 0..count {
                detach(copies.as_mut_ptr().add(index));
            }
            copies.set_len(count);
            place.write(copies);
        });
    }
}

// SAFETY: the box is a new one.
unsafe impl<M: Message + Detach> Detach for Box<M> {
    #[inline]
    unsafe fn detach(place: *mut u8) {
        let place = place.cast::<Self>();
        // SAFETY: the caller guarantees the box, which is read, and not dropped.
        unsafe { place.write(boxed(&**place)) }
    }
}

/// Detaches an enum of nodes.
///
/// # Safety
///
/// The conditions of [`Detach::detach`].
pub(crate) unsafe fn detach_oneof<S: Oneof>(place: *mut S) {
    // SAFETY:
    // - the caller guarantees the value, and so the message in it, which has the table of its type.
    // - the content of the variant is the message, or a box, which is a pointer to it.
    unsafe {
        let (variant, message) = (*place).message();
        if variant.boxed == 0 {
            (message.table().detach)((*place).content());
        } else {
            let copy = copy(message);
            (*place).content().cast::<NonNull<u8>>().write(copy);
        }
    }
}

/// Returns a copy of the value.
// Only `Clone` calls it, and the lint does not look into derived impls.
#[allow(dead_code)]
#[inline]
pub(crate) fn cloned<T: Detach>(value: &T) -> T {
    let mut copy = MaybeUninit::<T>::uninit();
    // SAFETY:
    // - the bytes are those of a value, which is borrowed.
    // - the copy is a value only when it is detached.
    unsafe {
        copy.as_mut_ptr().copy_from_nonoverlapping(value, 1);
        detach(copy.as_mut_ptr());
        copy.assume_init()
    }
}

/// Returns a copy of the message in a box.
#[inline]
pub(crate) fn boxed<M: Message>(message: &M) -> Box<M> {
    // SAFETY: the copy is a message of the same type, and its place that of a box.
    unsafe { Box::from_raw(copy(message).cast::<M>().as_ptr()) }
}

/// Returns an empty message.
#[inline]
pub(crate) fn empty<M: Default>() -> M {
    M::default()
}

/// Returns an empty message in a box. The standard library's impls for boxes are some hundred lines for each message.
#[inline(never)]
pub(crate) fn empty_box<M: Message + Default>() -> Box<M> {
    // SAFETY: the place is like that of a box, and written.
    unsafe {
        let place = place_of(Layout::new::<M>()).cast::<M>();
        place.write(M::default());
        Box::from_raw(place.as_ptr())
    }
}

/// Allocates a place like that of a box.
fn place_of(layout: Layout) -> NonNull<u8> {
    if layout.size() == 0 {
        // No message has an alignment above that of a word, and none without fields has any.
        return NonNull::dangling();
    }
    // SAFETY: the size is not zero.
    unsafe { place_of_box(layout) }
}

/// Copies a message to a place like that of a box: one function for all messages.
fn copy(message: &DynMessage) -> NonNull<u8> {
    with_stack(|| {
        let layout = Layout::for_value(message);
        // SAFETY:
        // - the place is as large as the message and aligned for it.
        // - the bytes are those of a message of this type, which is borrowed.
        unsafe {
            let place = place_of(layout);
            place.copy_from_nonoverlapping(NonNull::from(message).cast(), layout.size());
            (message.table().detach)(place.as_ptr());
            place
        }
    })
}
