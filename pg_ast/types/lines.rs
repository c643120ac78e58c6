//! Lines and columns of text.

use core::ops::Range;
use std::borrow::Cow;

/// The unit in which the columns of a [`LineColumn`] are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ColumnUnit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// Characters: Unicode scalar values, as PostgreSQL counts them.
    Characters,
    /// Code units of UTF-16, as the Language Server Protocol counts them unless told otherwise.
    Utf16,
}

/// A position in text: both numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The number of the line.
    pub line: usize,
    /// The length of the line before the position, in the requested unit.
    pub column: usize,
}

/// Converts byte offsets into a text to lines and columns, and back.
///
/// A line ends with `\n`, `\r\n` or `\r`: PostgreSQL's scanner and the Language Server Protocol agree on
/// that. The index is built in one pass over the text; a lookup takes a binary search and a scan of fewer than 128
/// bytes.
///
/// ```
/// use pg_ast::{ColumnUnit, LineColumn, LineIndex, NodeRef, ParserOptions};
///
/// let sql = "SELECT 1,\n  '🐘' || name";
/// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
/// let place = tree.nodes().position(|node| matches!(node, NodeRef::ColumnRef(_))).unwrap();
/// let start = ranges.get(place).unwrap().start;
///
/// let lines = LineIndex::new(sql);
/// let columns = [ColumnUnit::Bytes, ColumnUnit::Characters, ColumnUnit::Utf16]
///     .map(|unit| lines.line_column(start, unit).column);
/// assert_eq!(columns, [12, 9, 10]);
/// let place = LineColumn { line: 1, column: 10 };
/// assert_eq!(lines.line_column(start, ColumnUnit::Utf16), place);
/// assert_eq!(lines.offset(place, ColumnUnit::Utf16), Some(start));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: Cow<'a, str>,
    /// The offset at which each line starts.
    starts: Vec<usize>,
    /// The width of the text before each block; empty if all of it is ASCII.
    blocks: Vec<Width>,
}

/// A number of characters and of UTF-16 code units.
#[derive(Clone, Copy, Debug, Default)]
struct Width {
    characters: usize,
    utf16: usize,
}

/// The bytes per block; a character belongs to the block in which it begins.
const BLOCK: usize = 128;

impl Width {
    /// Adds the character that begins with this byte of UTF-8.
    fn add(&mut self, byte: u8) {
        self.characters += usize::from(!is_inner(byte));
        // Four bytes make two units.
        self.utf16 += usize::from(!is_inner(byte)) + usize::from(byte >= 0xF0);
    }

    fn get(self, unit: ColumnUnit) -> usize {
        if unit == ColumnUnit::Utf16 { self.utf16 } else { self.characters }
    }
}

/// Returns whether a byte of UTF-8 is not the first one of its character.
fn is_inner(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

impl<'a> LineIndex<'a> {
    /// Builds the index of a text, which is borrowed, or a `String` that the index keeps.
    #[must_use]
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        starts.extend((0..bytes.len()).filter_map(|at| match bytes[at] {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        }));
        let mut blocks = Vec::new();
        if !text.is_ascii() {
            blocks.reserve_exact(bytes.len().div_ceil(BLOCK));
            let mut width = Width::default();
            for block in bytes.chunks(BLOCK) {
                blocks.push(width);
                for byte in block {
                    width.add(*byte);
                }
            }
        }
        Self { text, starts, blocks }
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines: one more than line breaks.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the range of a line, in bytes, without its line break; `None` if there is no such line.
    ///
    /// ```
    /// let sql = "SELECT 1,\r\n  2";
    /// let lines = pg_ast::LineIndex::new(sql);
    /// assert_eq!((lines.line(0), lines.line(1), lines.line(2)), (Some(0..9), Some(11..14), None));
    /// assert_eq!(lines.line_count(), 2);
    /// ```
    #[must_use]
    pub fn line(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)?;
        let Some(next) = self.starts.get(line + 1) else { return Some(start..self.text.len()) };
        let end = if self.text[start..*next].ends_with("\r\n") { next - 2 } else { next - 1 };
        Some(start..end)
    }

    /// Returns the line and the column of a byte offset. An offset within a character counts as the start of the
    /// character, and one after the end of the text as the end.
    #[must_use]
    pub fn line_column(&self, offset: usize, unit: ColumnUnit) -> LineColumn {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        LineColumn { line, column: self.width(offset, unit) - self.width(start, unit) }
    }

    /// Returns the byte offset of a line and a column. A column within a character counts as its start, and one after
    /// the end of the line as the end. `None` if there is no such line.
    #[must_use]
    pub fn offset(&self, place: LineColumn, unit: ColumnUnit) -> Option<usize> {
        let line = self.line(place.line)?;
        let wanted = self.width(line.start, unit).saturating_add(place.column);
        if self.blocks.is_empty() || unit == ColumnUnit::Bytes {
            let mut offset = wanted.min(line.end);
            while !self.text.is_char_boundary(offset) {
                offset -= 1;
            }
            return Some(offset);
        }
        // The last block that does not begin after it; a character may begin in the block before.
        let block = self.blocks.partition_point(|width| width.get(unit) <= wanted) - 1;
        let mut at = (block * BLOCK).clamp(line.start, line.end);
        let mut width = self.width(at, unit);
        while at < line.end {
            let mut next = Width::default();
            next.add(self.text.as_bytes()[at]);
            width += next.get(unit);
            if width > wanted {
                break;
            }
            at += 1;
        }
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        Some(at)
    }

    /// Returns the width of the text before an offset.
    fn width(&self, offset: usize, unit: ColumnUnit) -> usize {
        if self.blocks.is_empty() || unit == ColumnUnit::Bytes {
            return offset;
        }
        let block = (offset / BLOCK).min(self.blocks.len() - 1);
        let mut width = self.blocks[block];
        for byte in &self.text.as_bytes()[block * BLOCK..offset] {
            width.add(*byte);
        }
        width.get(unit)
    }
}
