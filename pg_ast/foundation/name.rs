//! Names in place.

/// A name of at most `LONGEST` bytes, in place: where one is appended to others so often that it counts.
#[derive(Clone, Copy)]
pub(crate) struct Name<const LONGEST: usize> {
    bytes: [u8; LONGEST],
    length: u8,
}

/// The longest names of fields and of structs have so many bytes.
pub(crate) type FieldName = Name<27>;
pub(crate) type StructName = Name<28>;

impl<const LONGEST: usize> Name<LONGEST> {
    // `length` is that of a part of `bytes`.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) const fn new(name: &str) -> Self {
        let mut bytes = [0; LONGEST];
        // A longer one does not compile.
        bytes.split_at_mut(name.len()).0.copy_from_slice(name.as_bytes());
        Self { bytes, length: name.len() as u8 }
    }

    pub(crate) const fn as_bytes(&self) -> &[u8] {
        self.bytes.split_at(self.length as usize).0
    }

    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: `new` has them from a string.
        unsafe { str::from_utf8_unchecked(self.as_bytes()) }
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
