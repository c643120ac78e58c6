//! SQL with tokens in place of what stands for them.

use core::ops::Range;

use pg_ast::seam::WrittenText;

/// The text of a [`Script`](crate::Script) with tokens of PostgreSQL in place of its variables and placeholders: for calls
/// that know neither. It knows where its parts come from.
///
/// ```
/// use pg_ast_syntax::Script;
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
pub struct WrittenSql(WrittenText);

impl WrittenSql {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns whether something has been replaced.
    #[must_use]
    pub fn has_replaced(&self) -> bool {
        !self.0.replaced.is_empty()
    }

    /// Returns the ranges of what has been replaced, in order: in the original text, and in this one.
    #[must_use]
    pub fn replaced(&self) -> impl ExactSizeIterator<Item = (Range<usize>, Range<usize>)> + '_ {
        self.0.replaced.iter().cloned()
    }

    /// Returns the range of the original text that a range has come from. A part of what has been replaced comes from all of it.
    /// It takes a binary search.
    #[must_use]
    pub fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.0.original(range)
    }

    /// Adds a part of the original text.
    pub(crate) fn push(&mut self, text: &str) {
        self.0.text.push_str(text);
    }

    /// Adds a part of the original text, and what stands in place of what follows it.
    pub(crate) fn replace(&mut self, before: &str, original: Range<usize>, by: &str) {
        self.push(before);
        let start = self.0.text.len();
        self.push(by);
        self.0.replaced.push((original, start..self.0.text.len()));
    }

    pub(crate) fn into_text(self) -> WrittenText {
        self.0
    }
}
