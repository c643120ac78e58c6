//! A document, its lines as counted by the protocol, and its statements.

use core::ops::Range;

use lsp_types::Position;
use pg_ast::view::{self, Tree};
use pg_ast::{ColumnUnit, LineColumn, LineIndex, ParserOptions};

/// The lines of a document. A column counts code units of UTF-16.
pub(crate) struct Lines<'a> {
    text: &'a str,
    index: LineIndex<'a>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, index: LineIndex::new(text) }
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let LineColumn { line, column } = self.index.line_column(offset, ColumnUnit::Utf16);
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(column) }
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// A position after the end counts as the end.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let place = LineColumn { line: number(position.line), column: number(position.character) };
        self.index.offset(place, ColumnUnit::Utf16).unwrap_or(self.text.len())
    }
}

/// A statement of a document.
pub(crate) struct Stmt {
    /// From its first token to its last one, in bytes of the document.
    pub(crate) range: Range<usize>,
    /// Its tree, if it is valid; with ranges.
    pub(crate) tree: Option<Tree>,
}

impl Stmt {
    /// Returns the range of a node in the document.
    pub(crate) fn place<'a>(&'a self, node: impl Into<view::Node<'a>>) -> Option<Range<usize>> {
        let range = self.tree.as_ref()?.range(node)?;
        Some(self.range.start + range.start..self.range.start + range.end)
    }
}

/// Returns the statements of a document, each with its tree.
pub(crate) fn stmts(text: &str) -> Vec<Stmt> {
    let stmts = pg_ast::parse_script(text).into_iter().map(|stmt| {
        let sql = stmt.text(text);
        let tree = view::parse_with_ranges(sql, ParserOptions::default()).ok();
        Stmt { tree: tree.filter(|_| stmt.result.is_ok()), range: stmt.range }
    });
    stmts.collect()
}

/// Returns the statement at a place, finished or not.
pub(crate) fn around(text: &str, offset: usize) -> Range<usize> {
    let stmts = pg_ast::parse_script(text);
    let next = stmts.partition_point(|stmt| stmt.range.start <= offset);
    let Some(last) = next.checked_sub(1).and_then(|last| stmts.get(last)) else {
        return 0..offset;
    };
    // It extends to its semicolon.
    let rest = text.get(last.range.end..).unwrap_or_default();
    let semicolon = text.len() - rest.trim_start().len();
    if text[semicolon..].starts_with(';') && offset > semicolon {
        return semicolon + 1..offset;
    }
    last.range.start..last.range.end.max(offset)
}

/// Returns where the word that ends at a place begins; without one, the place.
pub(crate) fn word_start(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$')).len()
}

/// Returns a part of the document on one line, cut to a length in characters.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for (count, word) in text.split_whitespace().enumerate() {
        if count > 0 {
            line.push(' ');
        }
        line += word;
        if line.len() > max {
            break;
        }
    }
    if line.chars().count() > max {
        line = line.chars().take(max.saturating_sub(1)).collect();
        line.push('…');
    }
    line
}
