//! What the types of C fields write into a fingerprint, as far as they are the same for every
//! PostgreSQL version.

use core::ffi::c_char;

use super::stream::{Hashed, Message, Site, Stream, message};
use crate::runtime::c_tree::in_c::InC;

impl Hashed for InC<bool> {
    #[inline]
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        if *self.get() {
            out.value(site.name(), b"true");
        }
    }
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Hashed for InC<$type> {
            #[inline]
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
                if *self.get() != 0 {
                    out.text(site.name());
                    out.number(*self.get());
                }
            }
        }
    )*};
}
number!(i16, i32, i64, u32, u64);

impl Hashed for InC<f64> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        let number = *self.get();
        if number != 0.0 {
            out.text(site.name());
            out.number(format_args!("{number:.6}"));
        }
    }
}

impl Hashed for InC<c_char> {
    fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
        if *self.get() != 0 {
            out.value(site.name(), &self.get().to_ne_bytes());
        }
    }
}

macro_rules! text {
    ($($pointer:ty),*) => {$(
        impl Hashed for InC<$pointer> {
            fn fingerprint(&self, out: &mut Stream, site: &'static Site, _: u32) {
                if let Some(text) = self.bytes() {
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
    if !pointer.get().is_null() {
        // SAFETY: whoever made `pointer` answers for what it points to.
        message(unsafe { InC::new(*pointer.get()) }, out, site, depth);
    }
}
