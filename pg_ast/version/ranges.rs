//! The ranges of an owned tree's nodes.

use core::borrow::Borrow;
use core::iter::FusedIterator;
use core::ops::Range;

use super::NodeRef;
use super::parse::ParseResult;
use super::tree::nodes::Nodes;
use super::view;
use crate::types::error::Error;
use crate::types::options::ParserOptions;
use crate::types::ranges::{Ranges, RangesIter};

/// Parses a text, as [`parse_with`](super::parse_with) does, and finds where each node is in it: gives the tree,
/// and a range of bytes for each node, in the order of [`nodes`](ParseResult::nodes).
///
/// PostgreSQL's tree says of some nodes where one of their tokens starts, and of none where it ends. Here the
/// places are those that the grammar has while it runs: a node's range begins with the first token of the rule
/// that made it, and ends with the last one.
///
/// - The text of an expression's range is that expression again, as are those of a statement, a type, an item of
///   `FROM`, a target. Parentheses around an expression belong to nothing, those around a subselect to the
///   `SubLink` or `RangeSubselect`.
/// - The range of a node holds those of its children. A node to which a later rule adds (the alias of a
///   table, the `ORDER BY` of a `SelectStmt`) is as wide as that rule.
/// - A `List` begins with its first item and ends with its last; brackets belong to what has the list.
/// - A name (`String`) is where its token is; that which PostgreSQL puts in place of another word, as `~~` for
///   `LIKE`, where that word is. The value of a constant is where the constant is.
/// - What no token made has no range: the `1` of `FETCH FIRST ROW ONLY`, the `*` of `TABLE t`.
///
/// Some nodes do not stand in one piece, or not as an expression. They have the range of what they are a part
/// of, or of the words that they come from:
///
/// | node | its range |
/// |---|---|
/// | the `SubLink` of `a NOT IN (SELECT ..)`, the `XmlExpr` of `a IS NOT DOCUMENT` | that of the `NOT` that it is in |
/// | the function of `a LIKE b ESCAPE c`, `a SIMILAR TO b` | `LIKE b ESCAPE c` |
/// | an array in `ARRAY[[1], [2]]` | `[1]` |
/// | the type of `interval '1' hour` | all of it |
/// | the cast of `substring(a FOR 2)` that PostgreSQL adds | `2` |
/// | the type that `RETURNS TABLE (..)` makes | `TABLE` |
/// | the `SelectStmt` that a recursive view makes around its query | that of the `ViewStmt` |
/// | a word that stands for a constant, as in `SET x = on` | the word |
///
/// [`scan`](super::scan) gives the tokens and comments inside of a range, before it and behind it:
/// [`ScanResult::inside`](super::ScanResult::inside) and its like.
///
/// ```
/// use pg_ast::{NodeRef, ParserOptions};
///
/// let sql = "SELECT a.b, (c + 1) * 2 AS x FROM public.t AS q JOIN u ON (q.id = u.id) -- all";
/// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
/// let mut texts = Vec::new();
/// for (node, range) in tree.nodes().with_ranges(&ranges) {
///     if let (NodeRef::AExpr(_) | NodeRef::RangeVar(_) | NodeRef::JoinExpr(_), Some(range)) = (node, range) {
///         texts.push(&sql[range]);
///     }
/// }
/// assert_eq!(
///     texts,
///     [
///         "(c + 1) * 2",
///         "c + 1",
///         "public.t AS q JOIN u ON (q.id = u.id)",
///         "public.t AS q",
///         "u",
///         "q.id = u.id",
///     ]
/// );
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// As [`parse`](super::parse()).
pub fn parse_with_ranges(
    sql: &str,
    options: impl Borrow<ParserOptions>,
) -> Result<(ParseResult, Ranges), Error> {
    let tree = view::parse_with_ranges(sql, options)?;
    let owned = tree.to_owned()?;
    Ok((owned, Ranges::new(move || tree.spans().unwrap_or_default())))
}

impl<'a> Nodes<'a> {
    /// Each node with its range, in bytes; see [`parse_with_ranges`].
    ///
    /// The nodes are those of a tree from its statements down, and the ranges those that came with it: a tree
    /// that has been changed since has other nodes.
    pub fn with_ranges<'r>(self, ranges: &'r Ranges) -> NodesWithRanges<'a, 'r> {
        NodesWithRanges { nodes: self, ranges: ranges.iter() }
    }
}

/// The nodes of a tree, each with its range; see [`Nodes::with_ranges`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct NodesWithRanges<'a, 'r> {
    nodes: Nodes<'a>,
    ranges: RangesIter<'r>,
}

impl<'a> NodesWithRanges<'a, '_> {
    /// What the node that came last is below of; see [`Nodes::ancestors`].
    #[must_use]
    pub fn ancestors(&self) -> &[NodeRef<'a>] {
        self.nodes.ancestors()
    }
}

impl<'a> Iterator for NodesWithRanges<'a, '_> {
    type Item = (NodeRef<'a>, Option<Range<usize>>);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.nodes.next()?, self.ranges.next().flatten()))
    }
}

impl FusedIterator for NodesWithRanges<'_, '_> {}

impl NodeRef<'_> {
    /// Where the token is that PostgreSQL takes for the node's place, in bytes: the one that an error about
    /// it would point to. It need not be the first one: that of `a + b` is the `+`.
    ///
    /// `None` for types of nodes that have no place, and for what is not in a text. It is the field
    /// `location`, `stmt_location` of a `RawStmt`, and needs no ranges.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT a + b")?;
    /// let places: Vec<_> =
    ///     tree.nodes().filter_map(|node| Some((node.name(), node.location()?))).collect();
    /// let expected = [("RawStmt", 0), ("ResTarget", 7), ("A_Expr", 9), ("ColumnRef", 7), ("ColumnRef", 11)];
    /// assert_eq!(places, expected);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn location(self) -> Option<usize> {
        usize::try_from(self.message().location()?).ok()
    }
}
