//! A C tree as safe code sees it.

/// A part of a C tree that can be read: what its pointers point to is there.
///
/// What C leaves open is promised where one of these is made, so that who has one can read the tree
/// with safe calls: the views, and the fingerprint.
#[repr(transparent)]
pub(crate) struct InC<T>(T);

// SAFETY: a tree is not written to while a part of it is borrowed, as `new` asks for, so any thread may
// read it.
unsafe impl<T> Sync for InC<T> {}

impl<T> InC<T> {
    /// What `raw` points to.
    ///
    /// # Safety
    ///
    /// As for [`FromRaw::from_raw`](crate::FromRaw::from_raw), for as long as the reference lives, on
    /// whatever thread. `T` is a type of the bindings.
    #[inline]
    #[must_use]
    pub(crate) unsafe fn new<'a>(raw: *const T) -> &'a Self {
        // SAFETY: the caller answers for `raw`; `Self` is laid out as `T` is.
        unsafe { &*raw.cast() }
    }

    /// The C value.
    #[inline]
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}
