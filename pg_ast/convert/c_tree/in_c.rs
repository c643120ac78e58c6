//! A C tree as safe code sees it.

/// A part of a C tree that can be read: all targets of its pointers exist.
///
/// The conditions that C leaves open are promised where one of these is made, so that its owner can read the tree
/// with safe calls: the views, and the fingerprint.
#[repr(transparent)]
pub(crate) struct InC<T>(T);

// SAFETY: a tree is not written to while a part of it is borrowed, as `new` asks for, so any thread may
// read it.
unsafe impl<T> Sync for InC<T> {}

impl<T> InC<T> {
    /// Wraps the value that `raw` points to.
    ///
    /// # Safety
    ///
    /// The conditions of [`FromRaw::from_raw`](crate::FromRaw::from_raw), for as long as the reference lives, on
    /// any thread. `T` is a type of the bindings.
    #[inline]
    #[must_use]
    pub(crate) unsafe fn new<'a>(raw: *const T) -> &'a Self {
        // SAFETY: the caller guarantees `raw`; `Self` is laid out as `T` is.
        unsafe { &*raw.cast() }
    }

    /// Returns the C value.
    #[inline]
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}
