//! Type shapes that are the same for every PostgreSQL version: numbers, strings, pointers.

use core::alloc::Layout;
use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};
use std::alloc::{alloc, handle_alloc_error};

use crate::convert::{FromNode, FromRaw, FromRawContext, IntoRaw, IntoRawContext, Pointee};

/// C numbers that are the same type in Rust, or fit into a larger one.
macro_rules! numbers {
    ($($rust:ty = $c:ty),* $(,)?) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, $c> for $rust {
            #[inline]
            unsafe fn from_raw(raw: *const $c, _: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees `raw`, which points to an initialised number.
                <$rust>::from(unsafe { *raw })
            }
        }
    )*};
}

/// Conversions back, where the C type may be narrower.
macro_rules! numbers_back {
    ($($rust:ty = $c:ty),* $(,)?) => {$(
        impl IntoRaw<$c> for &$rust {
            #[inline]
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> $c {
                <$c>::try_from(*self).unwrap_or_else(|_| {
                    cx.out_of_range(i64::from(*self), stringify!($c));
                    if *self < 0 { <$c>::MIN } else { <$c>::MAX }
                })
            }
        }
    )*};
}

/// Conversions back for types that are the same on both sides.
macro_rules! same {
    ($($same:ty),* $(,)?) => {$(
        impl IntoRaw<$same> for &$same {
            #[inline]
            fn into_raw(self, _: &mut IntoRawContext<'_>) -> $same {
                *self
            }
        }
    )*};
}

// `long` is an i32 on Windows and an i64 elsewhere; AttrNumber and the like are i16.
numbers!(bool = bool, i32 = i32, i32 = i16, i64 = i64, i64 = i32, u32 = u32, u64 = u64, f64 = f64);
numbers_back!(i32 = i16, i64 = i32);
same!(bool, i32, i64, u32, u64, f64);

/// `char *`: for a `String`, as in Protobuf, a null pointer is the empty string; an `Option` tells the two apart.
macro_rules! c_strings {
    ($($pointer:ty),*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, $pointer> for String {
            #[inline]
            unsafe fn from_raw(raw: *const $pointer, cx: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees `raw`, and the string that it points to.
                unsafe { string(*raw, cx) }.into_string()
            }
        }

        impl IntoRaw<$pointer> for &String {
            #[inline]
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> $pointer {
                if self.is_empty() { core::ptr::null_mut() } else { cx.c_string(self) }
            }
        }

        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, $pointer> for Option<String> {
            #[inline]
            unsafe fn from_raw(raw: *const $pointer, cx: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees `raw`, and the string that it points to.
                unsafe { (!(*raw).is_null()).then(|| string(*raw, cx).into_string()) }
            }
        }

        impl IntoRaw<$pointer> for &Option<String> {
            #[inline]
            fn into_raw(self, cx: &mut IntoRawContext<'_>) -> $pointer {
                self.as_ref().map_or(core::ptr::null_mut(), |text| cx.c_string(text))
            }
        }
    )*};
}
c_strings!(*mut c_char, *const c_char);

/// `char *` without a copy, for as long as the tree.
macro_rules! borrowed_strings {
    ($($pointer:ty),*) => {$(
        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, $pointer> for &'t str {
            unsafe fn from_raw(raw: *const $pointer, cx: &mut FromRawContext) -> Self {
                // SAFETY: the same conditions, which the caller guarantees.
                unsafe { Option::<Self>::from_raw(raw, cx) }.unwrap_or_default()
            }
        }

        // SAFETY: the trait's own `write_raw`.
        unsafe impl<'t> FromRaw<'t, $pointer> for Option<&'t str> {
            unsafe fn from_raw(raw: *const $pointer, cx: &mut FromRawContext) -> Self {
                // SAFETY: the caller guarantees `raw`, and a string behind a pointer that is not null, for as long as `'t`.
                let bytes: &'t [u8] = unsafe {
                    if (*raw).is_null() {
                        return None;
                    }
                    CStr::from_ptr(*raw).to_bytes()
                };
                Some(borrowed(bytes, cx))
            }
        }
    )*};
}
borrowed_strings!(*mut c_char, *const c_char);

/// A `char`: `'\0'` is the empty string.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, c_char> for &'t str {
    unsafe fn from_raw(raw: *const c_char, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised `char`, a byte, for as long as `'t`.
        let bytes: &'t [u8] = unsafe { core::slice::from_raw_parts(raw.cast(), 1) };
        borrowed(if bytes == [0] { &[] } else { bytes }, cx)
    }
}

fn borrowed<'t>(bytes: &'t [u8], cx: &mut FromRawContext) -> &'t str {
    core::str::from_utf8(bytes).unwrap_or_else(|_| {
        cx.invalid_encoding(bytes);
        ""
    })
}

/// The length up to which a loop over the bytes is faster than libc's search for the end.
const SHORT: usize = 32;

/// Copies a C string into a box, which travels in registers.
///
/// # Safety
///
/// `text` is null, or ends in a NUL and is neither written to nor freed during the call.
unsafe fn string(text: *const c_char, cx: &mut FromRawContext) -> Box<str> {
    if text.is_null() {
        return Box::default();
    }
    // Names are short and ASCII: their end, and whether they are UTF-8, in one pass.
    let mut seen = 0;
    for length in 0..SHORT {
        // SAFETY: the caller guarantees the text up to its NUL, which has not been reached yet.
        let byte = unsafe { *text.add(length) }.cast_unsigned_byte();
        if byte == 0 && seen < 0x80 {
            // SAFETY: this many bytes have been read, and none of them was above ASCII.
            return unsafe {
                let bytes = core::slice::from_raw_parts(text.cast::<u8>(), length);
                core::str::from_utf8_unchecked(bytes).into()
            };
        }
        if byte == 0 {
            break;
        }
        seen |= byte;
    }
    // SAFETY: as of this function.
    unsafe { any_string(text, cx) }
}

/// # Safety
///
/// The conditions of [`string`]; `text` is not null.
#[cold]
#[inline(never)]
unsafe fn any_string(text: *const c_char, cx: &mut FromRawContext) -> Box<str> {
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    if !cx.count_string(bytes.len()) {
        return Box::default();
    }
    if let Ok(text) = core::str::from_utf8(bytes) {
        text.into()
    } else {
        cx.invalid_encoding(bytes);
        Box::default()
    }
}

/// A `char`, an `i8` on some platforms and a `u8` on others: `'\0'` is the empty string.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t> FromRaw<'t, c_char> for String {
    #[inline]
    unsafe fn from_raw(raw: *const c_char, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised `char`.
        let byte = unsafe { *raw }.cast_unsigned_byte();
        match byte {
            0 => Self::new(),
            1..0x80 => char::from(byte).to_string(),
            _ => {
                cx.invalid_encoding(&[byte]);
                Self::new()
            }
        }
    }
}

impl IntoRaw<c_char> for &String {
    #[inline]
    fn into_raw(self, _: &mut IntoRawContext<'_>) -> c_char {
        // As in libpg_query, the first byte counts.
        c_char::from_unsigned_byte(self.bytes().next().unwrap_or(0))
    }
}

/// The byte of a `c_char`, whatever its sign on this platform.
trait UnsignedByte {
    fn cast_unsigned_byte(self) -> u8;
    fn from_unsigned_byte(byte: u8) -> Self;
}

impl UnsignedByte for i8 {
    fn cast_unsigned_byte(self) -> u8 {
        self.cast_unsigned()
    }
    fn from_unsigned_byte(byte: u8) -> Self {
        byte.cast_signed()
    }
}

impl UnsignedByte for u8 {
    fn cast_unsigned_byte(self) -> u8 {
        self
    }
    fn from_unsigned_byte(byte: u8) -> Self {
        byte
    }
}

/// A struct that is boxed for its size.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromRaw<'t, Raw>, Raw> FromRaw<'t, Raw> for Box<T> {
    // Not inlined: the dispatch over all node types would need the stack of all of them at once.
    #[inline(never)]
    unsafe fn from_raw(raw: *const Raw, cx: &mut FromRawContext) -> Self {
        // The place comes first, so that the struct is built in it and not moved there.
        let place = if size_of::<T>() == 0 {
            NonNull::dangling()
        } else {
            // SAFETY: the size is not zero.
            unsafe { place_of_box(Layout::new::<T>()) }.cast::<T>()
        };
        // SAFETY: the same conditions, which the caller guarantees; the implementation of the trait
        // guarantees the value. The place is like that of a box.
        unsafe {
            T::write_raw(raw, place.as_ptr(), cx);
            Box::from_raw(place.as_ptr())
        }
    }
}

/// A node that is boxed for its size.
// SAFETY: `write_node` writes to the place.
unsafe impl<'t, T: FromNode<'t, Node>, Node> FromNode<'t, Node> for Box<T> {
    // Not inlined, for the same reason.
    #[inline(never)]
    unsafe fn write_node(node: *const Node, result: *mut Option<Self>, cx: &mut FromRawContext) {
        // The place is that of a box, also where the node is not read, and the box is dropped without its value.
        let mut place = Box::<T>::new_uninit();
        // SAFETY: the caller guarantees the node and the result; the implementation of the trait guarantees a value if it
        // returns true.
        unsafe {
            let is_read = T::write_child(node, place.as_mut_ptr(), cx);
            result.write(is_read.then(|| place.assume_init()));
        }
    }

    fn from_null() -> Option<Self> {
        T::from_null().map(Self::new)
    }

    unsafe fn from_number(number: *const c_int) -> Option<Self> {
        // SAFETY: the same condition, which the caller guarantees.
        unsafe { T::from_number(number) }.map(Self::new)
    }
}

/// A node, or an empty cell of a list.
// SAFETY: `write_node` writes to the place.
unsafe impl<'t, T: FromNode<'t, Node>, Node> FromNode<'t, Node> for Option<T> {
    #[inline]
    unsafe fn write_node(node: *const Node, place: *mut Option<Self>, cx: &mut FromRawContext) {
        // SAFETY: the caller guarantees the node and the place.
        unsafe { place.write(T::from_node(node, cx).map(Some)) }
    }

    fn from_null() -> Option<Self> {
        Some(None)
    }

    unsafe fn from_number(number: *const c_int) -> Option<Self> {
        // SAFETY: the same condition, which the caller guarantees.
        unsafe { T::from_number(number) }.map(Some)
    }
}

/// Allocates the memory of a box, not initialised: one function, and not one for each type.
///
/// # Safety
///
/// The size is not zero.
pub(crate) unsafe fn place_of_box(layout: Layout) -> NonNull<u8> {
    // SAFETY: the caller guarantees the size.
    let place = unsafe { alloc(layout) };
    NonNull::new(place).unwrap_or_else(|| handle_alloc_error(layout))
}

impl<'t, T, Raw> IntoRaw<Raw> for &'t Box<T>
where
    &'t T: IntoRaw<Raw>,
{
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> Raw {
        (**self).into_raw(cx)
    }
}

/// A pointer to a struct: null is `None`. What reads another C type from its field does not read it behind a
/// pointer: a `String` reads a `char`, but `char *` is a string.
// SAFETY: the trait's own `write_raw`.
unsafe impl<'t, T: FromRaw<'t, Raw>, Raw: Pointee> FromRaw<'t, *mut Raw> for Option<T> {
    #[inline]
    unsafe fn from_raw(raw: *const *mut Raw, cx: &mut FromRawContext) -> Self {
        // SAFETY: the caller guarantees `raw`, which points to an initialised pointer.
        let pointee = unsafe { *raw };
        if pointee.is_null() {
            return None;
        }
        let mut place = MaybeUninit::<Self>::uninit();
        // SAFETY: the caller guarantees the target of a pointer that is not null; `read_target` writes to the place.
        unsafe {
            read_target::<T, Raw>(pointee.cast(), place.as_mut_ptr().cast(), cx);
            place.assume_init()
        }
    }
}

/// Reads the target of a pointer, an `Option<T>`, into `place`: one function for each type, and not for each field. All of
/// them have the same signature, so that [`FromRawContext::read_elsewhere`] is a single one.
///
/// # Safety
///
/// The conditions of [`FromRaw::write_raw`], for a `Raw` and an `Option<T>`.
#[inline(never)]
unsafe fn read_target<'t, T: FromRaw<'t, Raw>, Raw>(
    pointee: *const u8,
    place: *mut u8,
    cx: &mut FromRawContext,
) {
    let result = place.cast::<Option<T>>();
    // SAFETY: the caller guarantees the target, and the place, which is written to: also where there is no stack.
    unsafe {
        if !cx.has_stack() {
            result.write(None);
            cx.read_elsewhere(read_target::<T, Raw>, pointee, place);
            return;
        }
        result.write(cx.descend(|cx| Some(T::from_raw(pointee.cast(), cx))));
    }
}

impl<'t, T, Raw: Pointee> IntoRaw<*mut Raw> for &'t Option<T>
where
    &'t T: IntoRaw<*mut Raw>,
{
    #[inline]
    fn into_raw(self, cx: &mut IntoRawContext<'_>) -> *mut Raw {
        match self {
            None => core::ptr::null_mut(),
            // SAFETY: the value is borrowed for `'t`.
            Some(value) => unsafe {
                write_target::<T, Raw>(ptr::from_ref(value).cast(), cx).cast()
            },
        }
    }
}

/// Writes the target of a pointer, a `T`, as a `Raw`: like [`read_target`].
///
/// # Safety
///
/// `value` points to a `T` that is borrowed for `'t`.
#[inline(never)]
pub(crate) unsafe fn write_target<'t, T: 't, Raw>(
    value: *const u8,
    cx: &mut IntoRawContext<'_>,
) -> *mut u8
where
    &'t T: IntoRaw<*mut Raw>,
{
    if !cx.has_stack() {
        // SAFETY: the same condition, which the caller guarantees.
        return unsafe { cx.write_elsewhere(write_target::<T, Raw>, value) };
    }
    // SAFETY: the caller guarantees the value.
    let value: &'t T = unsafe { &*value.cast() };
    cx.descend();
    let raw = value.into_raw(cx);
    cx.ascend();
    raw.cast()
}
