//! Text with parts that were replaced before the parser read it.

use core::ops::Range;

/// Text that is parsed in place of another one, and where its parts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenText {
    /// The text.
    pub text: String,
    /// The ranges of what has been replaced, in order: in the original text, and in this one.
    pub replaced: Vec<(Range<usize>, Range<usize>)>,
}

impl WrittenText {
    /// Returns the range of the original text that a range has come from. A part of what has been replaced comes from all of it.
    /// It takes a binary search.
    #[must_use]
    pub fn original(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize, before: usize, is_end: bool| {
            let Some((original, written)) =
                before.checked_sub(1).and_then(|it| self.replaced.get(it))
            else {
                return at;
            };
            match at.checked_sub(written.end) {
                Some(behind) => original.end + behind,
                None if is_end => original.end,
                None => original.start,
            }
        };
        let before = self.replaced.partition_point(|(_, written)| written.start <= range.start);
        let start = place(range.start, before, false);
        let before = self.replaced.partition_point(|(_, written)| written.start < range.end);
        start..place(range.end, before, true).max(start)
    }

    /// Returns the place of this text whose original is at a place.
    pub(crate) fn place_of(&self, original: usize) -> usize {
        let before = self.replaced.partition_point(|(it, _)| it.start <= original);
        match before.checked_sub(1).and_then(|it| self.replaced.get(it)) {
            Some((it, written)) if original >= it.end => written.end + (original - it.end),
            Some((_, written)) => written.start,
            None => original,
        }
    }
}
