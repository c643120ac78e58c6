//! Names in tables: places in a text that has all of them. A reference to each would be relocated when the program
//! starts, and would take 40 bytes with its relocation.

/// The place of a name in the text of its table.
#[derive(Clone, Copy)]
pub(crate) struct NamePlace {
    /// In bytes, like the length.
    start: u16,
    length: u8,
}

impl NamePlace {
    pub(crate) const fn new(start: u16, length: u8) -> Self {
        Self { start, length }
    }

    /// Returns the name in this text.
    #[inline]
    pub(crate) fn of(self, text: &str) -> &str {
        let start = usize::from(self.start);
        &text[start..start + usize::from(self.length)]
    }
}
