//! What the types of C fields write into a fingerprint, as far as they are the same for every
//! PostgreSQL version.

use core::ffi::{CStr, c_char};

use super::stream::{Field, Message, Site, Stream, message};

/// A part of a C tree that can be read: what its pointers point to is there.
///
/// The traits of a fingerprint are safe to call, as they are for a Rust tree; what C leaves open is
/// promised where one of these is made.
#[repr(transparent)]
pub struct InC<T>(T);

impl<T> InC<T> {
    /// What `raw` points to.
    ///
    /// # Safety
    ///
    /// As for [`FromRaw::from_raw`](crate::FromRaw::from_raw), for as long as the reference lives.
    #[inline]
    #[must_use]
    pub unsafe fn new<'a>(raw: *const T) -> &'a Self {
        // SAFETY: the caller answers for `raw`; `Self` is laid out as `T` is.
        unsafe { &*raw.cast() }
    }

    /// The C value.
    #[inline]
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// What is a number in C is one in Rust.
macro_rules! number {
    ($($type:ty),*) => {$(
        impl Field for InC<$type> {
            #[inline]
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, depth: u32) {
                self.0.fingerprint(out, site, depth);
            }
        }
    )*};
}
number!(bool, i16, i32, i64, u32, u64, f64);

impl Field for InC<c_char> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        if self.0 != 0 {
            out.value(site.name(), &self.0.to_ne_bytes());
        }
    }
}

macro_rules! text {
    ($($pointer:ty),*) => {$(
        impl InC<$pointer> {
            /// The text, unless the pointer is null.
            #[inline]
            pub(crate) fn text(&self) -> Option<&[u8]> {
                if self.0.is_null() {
                    return None;
                }
                // SAFETY: whoever made `self` answers for the string, which ends in a NUL.
                Some(unsafe { CStr::from_ptr(self.0) }.to_bytes())
            }
        }

        impl Field for InC<$pointer> {
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
                if let Some(text) = self.text() {
                    out.value(site.name(), text);
                }
            }
        }
    )*};
}
text!(*mut c_char, *const c_char);

/// A pointer to a struct of a fixed type.
pub fn pointer<T>(pointer: &InC<*mut T>, out: &mut Stream, site: &'static Site, depth: u32)
where
    InC<T>: Message,
{
    if !pointer.0.is_null() {
        // SAFETY: whoever made `pointer` answers for what it points to.
        message(unsafe { InC::new(pointer.0) }, out, site, depth);
    }
}
