//! Reads the C types that are the same for every PostgreSQL version, for views.

use core::ffi::{CStr, c_char};
use core::slice;

use super::in_c::InC;
use super::table::Kind;

/// A C type that a field of a node can have, with the type that a view returns for it.
#[diagnostic::on_unimplemented(
    message = "a view cannot read a field of the type `{Self}`",
    label = "no type shape reads this type",
    note = "see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub(crate) trait Shape {
    /// The kind of the field in the table of its struct.
    const KIND: Kind;

    /// The type that the field's method returns.
    type View<'a>
    where
        Self: 'a;

    fn view(&self) -> Self::View<'_>;
}

/// Returns what the method of a field returns: one call in each of them.
///
/// # Safety
///
/// The conditions of [`InC::new`].
#[inline]
pub(crate) unsafe fn value<'a, T>(field: *const T) -> <InC<T> as Shape>::View<'a>
where
    InC<T>: Shape,
{
    // SAFETY: the caller guarantees them.
    unsafe { InC::new(field) }.view()
}

macro_rules! numbers {
    ($($type:ty = $kind:ident),* $(,)?) => {$(
        impl Shape for InC<$type> {
            const KIND: Kind = Kind::$kind;
            type View<'a> = $type;

            #[inline]
            fn view(&self) -> $type {
                *self.get()
            }
        }
    )*};
}
// `long` is an i32 on Windows and an i64 elsewhere; AttrNumber and the like are i16.
numbers!(bool = Bool, i16 = I16, i32 = I32, i64 = I64, u32 = U32, u64 = U64, f64 = F64);

/// `char *`: a null pointer is the empty string, as in the owned tree. So is a string that is not UTF-8: SQL
/// with such a string is not parsed in the first place.
macro_rules! strings {
    ($($pointer:ty),*) => {$(
        impl Shape for InC<$pointer> {
            const KIND: Kind = Kind::Text;
            type View<'a> = &'a str;

            #[inline]
            fn view(&self) -> &str {
                core::str::from_utf8(self.bytes().unwrap_or_default()).unwrap_or_default()
            }
        }

        impl InC<$pointer> {
            /// Returns the string up to its NUL, unless the pointer is null.
            #[inline]
            pub(crate) fn bytes(&self) -> Option<&[u8]> {
                if self.get().is_null() {
                    return None;
                }
                // SAFETY: the creator of `self` guarantees the string, which ends in a NUL.
                Some(unsafe { CStr::from_ptr(*self.get()) }.to_bytes())
            }
        }
    )*};
}
strings!(*mut c_char, *const c_char);

/// A `char`, an `i8` on some platforms and a `u8` on others: `'\0'` is the empty string.
impl Shape for InC<c_char> {
    const KIND: Kind = Kind::Char;
    type View<'a> = &'a str;

    #[inline]
    fn view(&self) -> &str {
        let byte = self.get();
        if *byte == 0 {
            return "";
        }
        // SAFETY: a `char` is a byte, whatever its sign.
        let bytes = unsafe { slice::from_raw_parts((&raw const *byte).cast::<u8>(), 1) };
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// A mapping from the constants of a C enum, by name, which the derive writes.
pub trait FromConstant<Raw>: Sized {
    /// Returns `None` for a value that is not a constant of the enum.
    fn from_constant(raw: Raw) -> Option<Self>;
}
