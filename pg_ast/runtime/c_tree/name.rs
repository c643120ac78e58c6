//! Names in tables.

/// The maximum length of a name, so that its whole buffer can be copied at once.
const LONGEST: usize = 31;

/// The name of a struct or of a field, in place: a reference would have to be relocated when the program starts.
pub(crate) struct Name {
    bytes: [u8; LONGEST],
    length: u8,
}

impl Name {
    // `length` is that of a part of `bytes`.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn new(name: &str) -> Self {
        let mut bytes = [0; LONGEST];
        // A longer one does not compile.
        bytes.split_at_mut(name.len()).0.copy_from_slice(name.as_bytes());
        Self { bytes, length: name.len() as u8 }
    }

    pub(crate) fn as_str(&self) -> &str {
        let name = &self.bytes[..usize::from(self.length)];
        // SAFETY: `new` has them from a string.
        unsafe { str::from_utf8_unchecked(name) }
    }

    /// Appends the name to others. A name has few bytes: the whole buffer is copied, which takes no call.
    #[inline]
    pub(crate) fn append_to(&self, names: &mut Vec<u8>) {
        names.reserve(LONGEST);
        let end = names.len();
        // SAFETY: that many bytes are reserved after the end, and the name has no more.
        unsafe {
            names.as_mut_ptr().add(end).cast::<[u8; LONGEST]>().write(self.bytes);
            names.set_len(end + usize::from(self.length));
        }
    }
}
