//! SQL with tokens in place of what stands for them.

use core::ops::Range;

/// The text of a [`Script`](crate::syntax::Script) with tokens of PostgreSQL in place of its variables and placeholders: for calls
/// that know neither. It knows where its parts come from.
///
/// ```
/// use pg_ast::syntax::Script;
///
/// let script = Script::parse("DELETE FROM :tab WHERE a = :'val' AND b > :n;")?;
/// let written = script.written();
/// assert_eq!(written.text(), "DELETE FROM \":tab\" WHERE a = 'val' AND b > $1;");
/// assert!(pg_ast::parse(written.text()).is_ok());
///
/// let condition = written.text().find("b >").unwrap();
/// let range = written.original(&(condition..written.text().len() - 1));
/// assert_eq!(&script.text()[range], "b > :n");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenSql {
    pub(crate) text: String,
    /// The ranges of what has been replaced, there and here.
    pub(crate) replaced: Vec<(Range<usize>, Range<usize>)>,
}

impl WrittenSql {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether something has been replaced.
    #[must_use]
    pub fn has_replaced(&self) -> bool {
        !self.replaced.is_empty()
    }

    /// Returns the ranges of what has been replaced, in order: in the original text, and in this one.
    #[must_use]
    pub fn replaced(&self) -> impl ExactSizeIterator<Item = (Range<usize>, Range<usize>)> + '_ {
        self.replaced.iter().cloned()
    }

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

    /// Returns the range of this text whose original is at a place.
    pub(crate) fn place_of(&self, original: usize) -> usize {
        let before = self.replaced.partition_point(|(it, _)| it.start <= original);
        match before.checked_sub(1).and_then(|it| self.replaced.get(it)) {
            Some((it, written)) if original >= it.end => written.end + (original - it.end),
            Some((_, written)) => written.start,
            None => original,
        }
    }

    /// Adds a part of the original text, and what stands in place of what follows it.
    pub(crate) fn replace(&mut self, before: &str, original: Range<usize>, by: &str) {
        self.text.push_str(before);
        let start = self.text.len();
        self.text.push_str(by);
        self.replaced.push((original, start..self.text.len()));
    }
}
