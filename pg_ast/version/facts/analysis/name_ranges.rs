//! The ranges of names in the SQL.

use core::ops::Range;

use super::names_found::{Named, find_names};
use super::view::{Node, Tree};
use crate::types::object_name::ObjectName;
use crate::types::ranges::{NameSpan, Span};

impl Tree {
    /// Returns the ranges of all names, in the order of [`walk_names`](Self::walk_names): none in a tree without ranges.
    pub(crate) fn name_spans(&self) -> Vec<NameSpan> {
        let recorded = self.parse().ranges();
        let roots: Vec<_> = self.stmts().map(Node::from).collect();
        let mut nodes = self.nodes().enumerate();
        let mut current = nodes.next();
        let mut spans = Vec::new();
        find_names(&roots, None, &mut |named, place, owner| {
            while current.is_some_and(|(_, node)| !node.is_same(owner)) {
                current = nodes.next();
            }
            let word = match named {
                Named::Words(list, start, end) if start < end => list.get(end - 1),
                Named::Word(word) => Some(word),
                _ => None,
            };
            let text = match named {
                Named::Text(text) => Some(text),
                Named::Table(table) => Some(table.relname()),
                _ => None,
            };
            let of_word = word.and_then(|word| self.range(word));
            let of_word = of_word.and_then(|range| {
                Some(Span::new(u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?))
            });
            let of_text = text.zip(recorded.as_ref()).and_then(|(text, recorded)| {
                // SAFETY: it is the text of a field of this tree.
                unsafe { recorded.of_text(text) }
            });
            let node = current.and_then(|(index, _)| u32::try_from(index).ok());
            debug_assert_eq!(spans.len(), place.index);
            let span = of_word.or(of_text).unwrap_or(Span::NONE);
            spans.push(NameSpan { node: node.unwrap_or(u32::MAX), span });
        });
        spans
    }

    /// Returns the byte range of a name that [`walk_names`](Self::walk_names) or [`walk_columns`](Self::walk_columns) of this tree
    /// has passed, of its last part: `b` of `a.b`. Quotes belong to it.
    ///
    /// `None` if no token made it, and if the tree was not made by
    /// [`view::parse_with_ranges`](super::super::super::view::parse_with_ranges). In a [`compact`](Self::compact) copy, only
    /// names that are nodes have ranges.
    ///
    /// ```
    /// use pg_ast::{ParserOptions, view};
    ///
    /// let sql = "CREATE TABLE t (\"A\" int, b int)";
    /// let tree = view::parse_with_ranges(sql, ParserOptions::default())?;
    /// let mut names = Vec::new();
    /// tree.walk_columns(|column, _used| names.extend(tree.name_range(column).map(|range| &sql[range])));
    /// assert_eq!(names, ["\"A\"", "b"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn name_range(&self, name: &ObjectName<'_>) -> Option<Range<usize>> {
        let spans = self.ranges_by_node().1.get_or_init(|| self.name_spans().into());
        spans.get(name.index?)?.span.range()
    }
}
