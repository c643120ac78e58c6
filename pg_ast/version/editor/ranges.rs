//! The ranges of an owned tree's nodes.

use core::borrow::Borrow;
use core::iter::FusedIterator;
use core::ops::Range;
use std::collections::HashMap;
use std::sync::Arc;

use super::names::NodeRef;
use super::read::parse::ParseResult;
use super::tree::nodes::Nodes;
use super::view;
use crate::types::error::Error;
use crate::types::options::ParserOptions;
use crate::types::ranges::{Ranges, RangesIter};

/// Parses SQL, like [`parse_with`](super::super::parse_with), and finds where each node is in it. Returns the tree,
/// and a byte range for each node, in the order of [`nodes`](ParseResult::nodes), which has each node of the SQL once.
///
/// PostgreSQL's tree records for some nodes where one token starts, and for none where the node ends. The ranges here
/// come from the grammar while it runs: a node's range begins with the first token of the rule
/// that made it, and ends with the last one.
///
/// - The SQL in the range of an expression is that expression; the same holds for a statement, a type, an item of
///   `FROM` and a target. Parentheses around an expression belong to no node, those around a subselect to the
///   `SubLink` or `RangeSubselect`.
/// - The range of a node includes those of its children. A node to which a later rule adds (the alias of a
///   table, the `ORDER BY` of a `SelectStmt`) has the range of that rule.
/// - A `List` begins with its first item and ends with its last; brackets belong to the node that has the list.
/// - A name (`String`) has the range of its token; a name that PostgreSQL puts in place of a word, such as `~~` for
///   `LIKE`, has the range of that word. The value of a constant has the range of the constant.
/// - A node that no token made has no range: the `1` of `FETCH FIRST ROW ONLY`, the `*` of `TABLE t`.
///
/// Some nodes are not contiguous in the SQL, or are not written as an expression. They have the range of the construct
/// that they are part of, or of the words that they come from:
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
/// [`scan`](super::super::scan) returns the tokens and comments; for those inside of a range, before it and after it, see
/// [`ScanResult::inside`](super::super::ScanResult::inside) and the methods next to it.
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
/// The errors of [`parse`](super::super::parse()).
pub fn parse_with_ranges(
    sql: &str,
    options: impl Borrow<ParserOptions>,
) -> Result<(ParseResult, Ranges), Error> {
    let tree = view::parse_with_ranges(sql, options)?;
    let owned = tree.to_owned_tree()?;
    let tree = Arc::new(tree);
    let same = Arc::clone(&tree);
    let nodes = move || tree.spans().unwrap_or_default();
    Ok((owned, Ranges::new(nodes, move || same.name_spans())))
}

/// The ranges of an owned tree's nodes, by the nodes; see [`ParseResult::with_ranges`].
#[derive(Clone, Debug)]
pub struct NodeRanges<'a> {
    /// The index of each node in the walk, by its address and its type.
    indexes: HashMap<(usize, &'static str), usize>,
    ranges: &'a Ranges,
}

impl ParseResult {
    /// Joins the tree with its ranges, to ask for those of nodes in any order. It takes a walk.
    ///
    /// The ranges have to be those that were returned with the tree: if that has been changed since, it has other nodes.
    ///
    /// ```
    /// use pg_ast::ParserOptions;
    ///
    /// let sql = "SELECT a AS b FROM s.t AS u";
    /// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    /// let ranges = tree.with_ranges(&ranges);
    /// let select = tree.stmts().next().and_then(|stmt| stmt.as_select_stmt()).unwrap();
    /// let table = select.from_clause[0].as_range_var().unwrap();
    /// let target = select.targets().next().unwrap();
    /// assert_eq!(ranges.get(table).map(|range| &sql[range]), Some("s.t AS u"));
    /// assert_eq!(ranges.name(table).map(|range| &sql[range]), Some("t"));
    /// assert_eq!(ranges.name(target).map(|range| &sql[range]), Some("b"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn with_ranges<'a>(&'a self, ranges: &'a Ranges) -> NodeRanges<'a> {
        let mut indexes = HashMap::new();
        for (index, node) in self.nodes().enumerate() {
            indexes.entry(key(node)).or_insert(index);
        }
        NodeRanges { indexes, ranges }
    }
}

/// Where a node is in memory. An empty one may be where another is.
fn key(node: NodeRef<'_>) -> (usize, &'static str) {
    (core::ptr::from_ref(node.message()).cast::<u8>().addr(), node.name())
}

impl<'a> NodeRanges<'a> {
    fn index(&self, node: NodeRef<'_>) -> Option<usize> {
        self.indexes.get(&key(node)).copied()
    }

    /// Returns the byte range of a node of the tree; `None` if no token made it, and for another node.
    #[must_use]
    pub fn get(&self, node: impl Into<NodeRef<'a>>) -> Option<Range<usize>> {
        self.ranges.get(self.index(node.into())?)
    }

    /// Returns the byte range of the name that a node has as text, or as strings, of its last part: of the `relname` of a
    /// `RangeVar`, the `name` of a `ResTarget`, the `colname` of a `ColumnDef`, the `aliasname` of an `Alias`. If it has
    /// several names, it is the first one.
    #[must_use]
    pub fn name(&self, node: impl Into<NodeRef<'a>>) -> Option<Range<usize>> {
        self.ranges.name_of_node(self.index(node.into())?)
    }
}

impl<'a> Nodes<'a> {
    /// Pairs each node with its range, in bytes; see [`parse_with_ranges`].
    ///
    /// The nodes have to be those of a whole tree, and the ranges those that were returned with it: a tree
    /// that has been changed since has other nodes.
    pub fn with_ranges<'r>(self, ranges: &'r Ranges) -> NodesWithRanges<'a, 'r> {
        NodesWithRanges { nodes: self, ranges: ranges.iter() }
    }
}

/// An iterator over the nodes of a tree with their ranges; see [`Nodes::with_ranges`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct NodesWithRanges<'a, 'r> {
    nodes: Nodes<'a>,
    ranges: RangesIter<'r>,
}

impl<'a> NodesWithRanges<'a, '_> {
    /// Returns the ancestors of the last node; see [`Nodes::ancestors`].
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
    /// Returns the byte offset of the token that PostgreSQL records as the node's location: the one that an error about
    /// it would point to. It need not be the first token: for `a + b` it is the `+`.
    ///
    /// `None` for node types without a location, and for nodes that are not in the SQL. This is the field
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
