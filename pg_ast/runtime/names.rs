//! Names in tables: places in a text that has all of them. A reference to each would be relocated when the program
//! starts, and would take 40 bytes with its relocation.

/// The bytes that [`NamePlace::append_to`] copies: few names are longer.
const USUAL: usize = 31;

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

    /// Appends the name in this text to others. It has few bytes: as many are copied at once, which takes no call,
    /// unless the text ends before.
    #[inline]
    pub(crate) fn append_to(self, text: &str, names: &mut Vec<u8>) {
        let length = usize::from(self.length);
        let rest = text.as_bytes().get(usize::from(self.start)..);
        match rest.and_then(<[u8]>::first_chunk::<USUAL>) {
            Some(bytes) if length <= USUAL => {
                names.reserve(USUAL);
                let end = names.len();
                // SAFETY: that many bytes are reserved after the end, and the name has no more.
                unsafe {
                    names.as_mut_ptr().add(end).cast::<[u8; USUAL]>().write(*bytes);
                    names.set_len(end + length);
                }
            }
            _ => names.extend_from_slice(self.of(text).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NamePlace;

    #[test]
    fn names_are_appended_wherever_they_are() {
        let text = format!("first{}last", "n".repeat(40));
        let mut names = Vec::new();
        for (start, length) in [(0, 5), (5, 40), (45, 4), (1, 0)] {
            NamePlace::new(start, length).append_to(&text, &mut names);
        }
        assert_eq!(names, text.as_bytes());
    }
}
