//! Reads the C types that are the same for every PostgreSQL version, for views.

use core::ffi::c_char;

use super::in_c::InC;
use super::table::Kind;

/// A C type that a field of a node can have, with the type that a view returns for it.
#[diagnostic::on_unimplemented(
    message = "a view cannot read a field of the type `{Self}`",
    label = "no type shape reads this type",
    note = "see \"Adding a type shape\" in CONTRIBUTING.md"
)]
pub(crate) trait FieldType: Sized {
    /// The kind of the field in the table of its struct.
    const KIND: Kind;

    /// The type that the field's method returns.
    type View<'a>;

    /// Returns what the field's method returns.
    fn view(field: InC<'_, Self>) -> Self::View<'_>;
}

/// Returns what the method of a field returns: one call in each of them.
#[inline]
pub(crate) fn value<T: FieldType>(field: InC<'_, T>) -> T::View<'_> {
    T::view(field)
}

macro_rules! numbers {
    ($($type:ty = $kind:ident),* $(,)?) => {$(
        impl FieldType for $type {
            const KIND: Kind = Kind::$kind;
            type View<'a> = $type;

            #[inline]
            fn view(field: InC<'_, Self>) -> $type {
                field.get()
            }
        }
    )*};
}
// `long` is an i32 on Windows and an i64 elsewhere; AttrNumber and the like are i16.
numbers!(bool = Bool, i16 = I16, i32 = I32, i64 = I64, u32 = U32, u64 = U64, f64 = F64);

/// Returns a string of a tree. One that is not UTF-8 is empty: SQL with such a string is not parsed in the first place.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or_default()
}

/// `char *`: a null pointer is the empty string, as in the owned tree.
macro_rules! strings {
    ($($pointer:ty),*) => {$(
        impl FieldType for $pointer {
            const KIND: Kind = Kind::Text;
            type View<'a> = &'a str;

            #[inline]
            fn view(field: InC<'_, Self>) -> &str {
                text(field.bytes().unwrap_or_default())
            }
        }
    )*};
}
strings!(*mut c_char, *const c_char);

/// A `char`, an `i8` on some platforms and a `u8` on others: `'\0'` is the empty string.
impl FieldType for c_char {
    const KIND: Kind = Kind::Char;
    type View<'a> = &'a str;

    #[inline]
    fn view(field: InC<'_, Self>) -> &str {
        text(field.bytes())
    }
}

/// A mapping from the constants of a C enum, by name, which the derive writes.
pub trait FromConstant<Raw>: Sized {
    /// Returns `None` for a value that is not a constant of the enum.
    fn from_constant(raw: Raw) -> Option<Self>;
}
