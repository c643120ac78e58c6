//! Options of shapes, and the kinds of their constants: the same for all versions.

use crate::types::options::ParserOptions;

/// The settings of a shape.
///
/// ```
/// use pg_ast::{Shape, ShapeOptions};
///
/// let options = ShapeOptions::default().ignore_layout(true);
/// let a = Shape::of_with("SELECT  1 -- one", options)?;
/// assert_eq!(a, Shape::of_with("SELECT 2 /* two */", options)?);
/// assert_ne!(Shape::of("SELECT  1 -- one")?, Shape::of("SELECT 2 /* two */")?);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeOptions {
    pub(crate) parser: ParserOptions,
    pub(crate) ignore_layout: bool,
    pub(crate) runs: bool,
}

impl Default for ShapeOptions {
    /// PostgreSQL's default settings; comments and blanks count, and the length of a run does not.
    fn default() -> Self {
        Self { parser: ParserOptions::default(), ignore_layout: false, runs: true }
    }
}

impl ShapeOptions {
    /// Sets the settings of the parser. They are a part of the shape.
    #[must_use]
    pub fn parser(mut self, parser: ParserOptions) -> Self {
        self.parser = parser;
        self
    }

    /// Sets whether all blanks and comments between two tokens count as one blank; false by default.
    ///
    /// Whether there is something between two tokens always counts: `a+b` and `a + b` are two shapes. A program that
    /// reads hints from comments has to read them from each statement.
    #[must_use]
    pub fn ignore_layout(mut self, ignore: bool) -> Self {
        self.ignore_layout = ignore;
        self
    }

    /// Sets whether `IN (..)`, `ARRAY[..]` and the rows of `VALUES` have the same shape whatever their number of items,
    /// if these are equal but for their constants; true by default. Blanks between the items do not count then.
    ///
    /// The kind of a constant at the start of an item, or of a value in a row, does not count, either: numbers with
    /// and without a sign, strings, `NULL`, `TRUE` and `FALSE` are alike there.
    ///
    /// ```
    /// use pg_ast::{Shape, ShapeOptions};
    ///
    /// let (one, many) = ("DELETE FROM t WHERE id IN ($1)", "DELETE FROM t WHERE id IN ($1, $2, $3)");
    /// assert_eq!(Shape::of(one)?, Shape::of(many)?);
    /// let (one, many) = ("INSERT INTO t VALUES (1, NULL)", "INSERT INTO t VALUES (-1, 'a'), (1.5, true)");
    /// assert_eq!(Shape::of(one)?, Shape::of(many)?);
    /// let options = ShapeOptions::default().runs(false);
    /// assert_ne!(Shape::of_with(one, options)?, Shape::of_with(many, options)?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn runs(mut self, runs: bool) -> Self {
        self.runs = runs;
        self
    }
}

/// The kinds of constants that the grammar tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConstantKind {
    /// A whole number that fits into 32 bits.
    Integer,
    /// Another number.
    Number,
    /// A string, however it is quoted: `'..'`, `E'..'`, `$$..$$`.
    String,
    /// `B'..'`.
    BitString,
    /// `X'..'`.
    HexString,
    /// `$1`.
    Parameter,
    /// `NULL`, in an item of a [run](ShapeOptions::runs) only.
    Null,
    /// `TRUE` or `FALSE`, in an item of a [run](ShapeOptions::runs) only.
    Boolean,
}

impl ConstantKind {
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    /// Returns the kind of a keyword that is a constant.
    #[inline]
    pub(crate) fn of_word(word: &[u8]) -> Option<Self> {
        // A letter is one in lower case with this bit.
        let lower = |letters: &[u8; 4]| u32::from_le_bytes(*letters) | 0x2020_2020;
        let (letters, rest) = word.split_first_chunk()?;
        let is = |other: &[u8; 4]| lower(letters) == u32::from_le_bytes(*other);
        match rest {
            [] if is(b"null") => Some(Self::Null),
            [] if is(b"true") => Some(Self::Boolean),
            [b'e' | b'E'] if is(b"fals") => Some(Self::Boolean),
            _ => None,
        }
    }

    /// Returns whether a tree has it as a string.
    pub(crate) const fn has_text(self) -> bool {
        matches!(self, Self::Number | Self::String | Self::BitString | Self::HexString)
    }
}

/// The way a constant is written, as far as its value can be read without the scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstantForm {
    /// Decimal digits, with a `$` before those of a parameter and perhaps a point in those of a number.
    Digits,
    /// A quoted string without quotes in it.
    Quoted,
    /// A quoted string with doubled quotes in it.
    Doubled,
    /// A minus and decimal digits, with blanks between them, and perhaps a point in them.
    Negative,
    /// A keyword.
    Word,
    /// Anything else.
    Odd,
}

/// A constant in SQL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantPlace {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: ConstantKind,
    pub(crate) form: ConstantForm,
    /// Whether a constant of another kind can be in its place, as the value of a row.
    pub(crate) is_cell: bool,
}
