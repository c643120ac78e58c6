//! The ranges of a tree's nodes in the SQL.

use core::iter::FusedIterator;
use core::ops::Range;
use core::panic::UnwindSafe;
use core::slice;
use std::sync::{Arc, LazyLock};

use crate::types::heap_size::HeapSize;
use crate::types::object_name::ObjectName;

/// A range of bytes, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// No range: it contains nothing, and every other range covers it.
    pub(crate) const NONE: Self = Self { start: u32::MAX, end: 0 };

    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    pub(crate) const fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) const fn is_none(self) -> bool {
        self.start > self.end
    }

    pub(crate) const fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns whether the ranges overlap.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    pub(crate) const fn is_before(self, other: Self) -> bool {
        self.end <= other.start
    }

    pub(crate) fn starts_at(self, offset: usize) -> bool {
        self.start as usize == offset
    }

    /// Returns the smallest range that contains both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub(crate) fn range(self) -> Option<Range<usize>> {
        (!self.is_none()).then_some(self.start as usize..self.end as usize)
    }
}

/// The ranges of a tree's nodes in the SQL, in bytes, in the order of
/// [`nodes`](crate::ParseResult::nodes).
///
/// A range begins and ends with a token; the SQL in an expression's range is that same
/// expression. A node that no token made has no range (`None`): the role of a `CREATE SCHEMA s` that names
/// none. The range of a node includes those of its children.
///
/// [`parse_with_ranges`](crate::parse_with_ranges) defines ranges, and lists where they are less exact.
///
/// ```
/// use pg_ast::{NodeRef, ParserOptions};
///
/// let sql = "SELECT a.b, (c + 1) * 2 AS x FROM t";
/// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
/// assert_eq!(ranges.len(), tree.nodes().count());
/// let place = tree.nodes().position(|node| matches!(node, NodeRef::RangeVar(_))).unwrap();
/// assert_eq!(&sql[ranges.get(place).unwrap()], "t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// They are computed when any of the methods is first called. Until then the C tree is kept in memory.
///
/// Those of names are computed when [`name`](Self::name) is first called; the C tree is kept until then, too, or until the
/// `Ranges` are dropped.
pub struct Ranges(Arc<LazyRanges>);

struct LazyRanges {
    nodes: Lazy<Span>,
    names: Lazy<NameSpan>,
}

type Lazy<T> = LazyLock<Box<[T]>, Box<dyn FnOnce() -> Box<[T]> + Send + UnwindSafe>>;

/// The range of a name, in the order of a walk over names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameSpan {
    /// The number of nodes before its own.
    pub(crate) node: u32,
    /// The last part of the name.
    pub(crate) span: Span,
}

impl Ranges {
    pub(crate) fn new(
        nodes: impl FnOnce() -> Vec<Span> + Send + UnwindSafe + 'static,
        names: impl FnOnce() -> Vec<NameSpan> + Send + UnwindSafe + 'static,
    ) -> Self {
        Self(Arc::new(LazyRanges {
            nodes: LazyLock::new(Box::new(|| nodes().into())),
            names: LazyLock::new(Box::new(|| names().into())),
        }))
    }

    /// Returns the byte range of a name that [`walk_names`](crate::ParseResult::walk_names) or
    /// [`walk_columns`](crate::ParseResult::walk_columns) has passed, of its last part: `b` of `a.b`. Quotes belong to it.
    ///
    /// `None` if no token made it, such as the `f` of `SELECT f`, which is a column and no alias, and for a name of another
    /// walk, below a single node. What PostgreSQL's grammar puts in place of words has the range of these.
    ///
    /// ```
    /// use pg_ast::{Edits, ParserOptions};
    ///
    /// let sql = "UPDATE t SET a = t.a + 1 -- next";
    /// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    /// let mut edits = Edits::new(sql);
    /// tree.walk_columns(|column, _used| {
    ///     if let Some(range) = ranges.name(column) {
    ///         edits.replace(range, "b");
    ///     }
    /// });
    /// assert_eq!(edits.apply()?, "UPDATE t SET b = t.b + 1 -- next");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self, name: &ObjectName<'_>) -> Option<Range<usize>> {
        self.0.names.get(name.index?)?.span.range()
    }

    /// Returns the range of the first name of the node at this index.
    pub(crate) fn name_of_node(&self, index: usize) -> Option<Range<usize>> {
        let names = &self.0.names;
        let first = names.partition_point(|name| (name.node as usize) < index);
        let name = names.get(first).filter(|name| name.node as usize == index)?;
        name.span.range()
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.nodes.len()
    }

    /// Returns true if the tree has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.nodes.is_empty()
    }

    /// Returns the byte range of the node that [`nodes`](crate::ParseResult::nodes) yields at this index; `None`
    /// if no token made it, and if there is no such node.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Range<usize>> {
        self.0.nodes.get(index)?.range()
    }

    /// Returns an iterator over the ranges, one for each node.
    pub fn iter(&self) -> RangesIter<'_> {
        RangesIter(self.0.nodes.iter())
    }
}

impl Clone for Ranges {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl PartialEq for Ranges {
    fn eq(&self, other: &Self) -> bool {
        *self.0.nodes == *other.0.nodes
    }
}

impl Eq for Ranges {}

impl core::fmt::Debug for Ranges {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl HeapSize for Ranges {
    fn heap_size(&self) -> usize {
        size_of::<LazyRanges>() + size_of_val::<[Span]>(&self.0.nodes)
    }
}

impl<'a> IntoIterator for &'a Ranges {
    type Item = Option<Range<usize>>;
    type IntoIter = RangesIter<'a>;

    fn into_iter(self) -> RangesIter<'a> {
        self.iter()
    }
}

/// An iterator over the ranges of a tree's nodes; see [`Ranges`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RangesIter<'a>(slice::Iter<'a, Span>);

impl core::fmt::Debug for RangesIter<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl Iterator for RangesIter<'_> {
    type Item = Option<Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|span| span.range())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for RangesIter<'_> {}
impl FusedIterator for RangesIter<'_> {}
