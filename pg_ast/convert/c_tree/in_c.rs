//! A C tree as safe code sees it.

use core::ffi::{CStr, c_char};
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::convert::{FromNode, FromRaw, FromRawContext};

/// A value in a C tree that can be read: all targets of its pointers exist.
///
/// The conditions that C leaves open are promised where one of these is made, so that its owner can read the tree
/// with safe calls: the views, the fingerprint, the copies.
///
/// It is a pointer and not a reference. Behind the header of a node is the rest of its struct, behind a list are its
/// cells; a reference to the header would not permit reading them, wherever its address came from. So the pointer is
/// the one that the tree itself has, and no pointer of a tree is ever made from a reference.
#[repr(transparent)]
pub(crate) struct InC<'a, T>(NonNull<T>, PhantomData<&'a ()>);

impl<T> Clone for InC<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InC<'_, T> {}

// SAFETY: nobody writes to what can be read by this, for as long as `'a`, as `new` asks for, so any thread may read it.
unsafe impl<T> Send for InC<'_, T> {}
// SAFETY: as above.
unsafe impl<T> Sync for InC<'_, T> {}

impl<'a, T> InC<'a, T> {
    /// Wraps the value that `raw` points to.
    ///
    /// # Safety
    ///
    /// - The conditions of [`FromRaw::from_raw`], for as long as `'a`, on any thread.
    /// - `raw` is not null, and `T` is a type of the bindings.
    /// - If the value is the header of a node, `raw` may be used to read the whole node.
    #[inline]
    pub(crate) const unsafe fn new(raw: *const T) -> Self {
        // SAFETY: the caller guarantees that it is not null.
        Self(unsafe { NonNull::new_unchecked(raw.cast_mut()) }, PhantomData)
    }

    /// Like [`new`](Self::new); `None` for a null pointer.
    ///
    /// # Safety
    ///
    /// `raw` is null, or satisfies the conditions of [`new`](Self::new).
    #[inline]
    pub(crate) unsafe fn new_or_null(raw: *const T) -> Option<Self> {
        NonNull::new(raw.cast_mut()).map(|raw| Self(raw, PhantomData))
    }

    /// Returns the address of the value.
    #[inline]
    pub(crate) const fn as_ptr(self) -> *const T {
        self.0.as_ptr()
    }

    /// Returns the value, without what is behind it.
    #[inline]
    pub(crate) fn get(self) -> T
    where
        T: Copy,
    {
        // SAFETY: the creator of `self` guarantees an initialised value.
        unsafe { self.0.read() }
    }

    /// Returns a part of the value; for fields there is the macro `field!`.
    ///
    /// # Safety
    ///
    /// `part` was made from [`as_ptr`](Self::as_ptr), and points to a part of the value, or of the node that the value
    /// is the header of.
    #[inline]
    pub(crate) unsafe fn part<U>(self, part: *const U) -> InC<'a, U> {
        // SAFETY: a part of a tree satisfies what the tree does, and is not null, as the caller guarantees.
        InC(unsafe { NonNull::new_unchecked(part.cast_mut()) }, self.1)
    }

    /// Copies the value into a Rust type.
    #[inline]
    pub(crate) fn to_owned<R: FromRaw<'a, T>>(self, cx: &mut FromRawContext) -> R {
        // SAFETY: the creator of `self` guarantees the conditions.
        unsafe { R::from_raw(self.as_ptr(), cx) }
    }

    /// Copies the node that the value is the header of into a Rust type; `None` if its tag belongs to another type.
    #[inline]
    pub(crate) fn to_owned_node<R: FromNode<'a, T>>(self, cx: &mut FromRawContext) -> Option<R> {
        // SAFETY: as above.
        unsafe { R::from_node(self.as_ptr(), cx) }
    }
}

impl<'a, T> InC<'a, *mut T> {
    /// Returns the target of a pointer, unless that is null.
    #[inline]
    pub(crate) fn target(self) -> Option<InC<'a, T>> {
        // All targets of a tree's pointers are in the tree.
        NonNull::new(self.get()).map(|target| InC(target, PhantomData))
    }
}

macro_rules! strings {
    ($($pointer:ty),*) => {$(
        impl<'a> InC<'a, $pointer> {
            /// Returns the string, unless the pointer is null.
            #[inline]
            pub(crate) fn c_str(self) -> Option<&'a CStr> {
                let string = self.get();
                if string.is_null() {
                    return None;
                }
                // SAFETY: the creator of `self` guarantees the string, which ends in a NUL.
                Some(unsafe { CStr::from_ptr(string) })
            }

            /// Returns the bytes of the string up to its NUL, unless the pointer is null.
            #[inline]
            pub(crate) fn bytes(self) -> Option<&'a [u8]> {
                self.c_str().map(CStr::to_bytes)
            }
        }
    )*};
}
strings!(*mut c_char, *const c_char);

impl<'a> InC<'a, c_char> {
    /// Returns the byte; none for `'\0'`.
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        if self.get() == 0 {
            return &[];
        }
        // SAFETY: a `char` is a byte, whatever its sign, in memory that nobody writes.
        core::slice::from_ref(unsafe { self.0.cast::<u8>().as_ref() })
    }
}
