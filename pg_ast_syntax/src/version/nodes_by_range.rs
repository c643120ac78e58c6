//! From a concrete node to nodes of PostgreSQL's tree, and back.

use core::ops::Range;

use rowan::TextRange;

use super::pg::seam::sort_by_key;
use super::pg::view::{Node, Tree};
use super::syntax_kind::SyntaxNode;

/// The nodes of a tree by their ranges: from a concrete node to what PostgreSQL made of it.
///
/// ```
/// use pg_ast_syntax::{NodesByRange, SyntaxKind};
/// use pg_ast::{ParserOptions, view};
///
/// let sql = "SELECT a, b + 1 FROM t";
/// let root = pg_ast_syntax::parse(sql)?;
/// let tree = view::parse_with_ranges(sql, ParserOptions::default())?;
/// let nodes = NodesByRange::new(&tree, 0);
///
/// let item = root.descendants().filter(|node| node.kind() == SyntaxKind::target_el).nth(1).unwrap();
/// let names: Vec<_> = nodes.of(&item).map(|node| node.name()).collect();
/// assert_eq!(names, ["ResTarget", "A_Expr"]);
///
/// // And back.
/// let table = tree.nodes().find(|node| node.as_range_var().is_some()).unwrap();
/// let concrete = pg_ast_syntax::node_of(&root, tree.range(table).unwrap()).unwrap();
/// assert_eq!((concrete.kind(), concrete.text().to_string()), (SyntaxKind::from_list, "t".to_owned()));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NodesByRange<'a> {
    /// Outer nodes come before those in them.
    nodes: Vec<(Range<usize>, Node<'a>)>,
}

impl<'a> NodesByRange<'a> {
    /// Sorts the nodes of a tree of [`parse_with_ranges`](pg_ast::view::parse_with_ranges); of another tree, none has a
    /// range. `offset` is where its SQL begins in the text of the concrete tree: for a statement of a
    /// [`Script`](super::Script), the start of its node.
    #[must_use]
    pub fn new(tree: &'a Tree, offset: usize) -> Self {
        let place = |node| {
            let range = tree.range(node)?;
            Some((range.start + offset..range.end + offset, node))
        };
        let mut nodes: Vec<_> = tree.nodes().filter_map(place).collect();
        sort_by_key(&mut nodes, |(range, _)| (range.start as u64, usize::MAX - range.end));
        Self { nodes }
    }

    /// Returns the nodes with the range of a concrete node, from the outermost one to the innermost.
    ///
    /// Most concrete nodes have one, or a few: a `target_el` that is only a name has a `ResTarget`, a `ColumnRef` and a `String`.
    /// Those that only group tokens, as a `where_clause`, have none. It takes a binary search.
    pub fn of(&self, node: &SyntaxNode) -> impl Iterator<Item = Node<'a>> + use<'a, '_> {
        let range = Range::<usize>::from(node.text_range());
        let key = |range: &Range<usize>| (range.start, usize::MAX - range.end);
        let first = self.nodes.partition_point(|(other, _)| key(other) < key(&range));
        let same = self.nodes[first..].iter().take_while(move |(other, _)| *other == range);
        same.map(|(_, node)| *node)
    }
}

/// Returns the outermost concrete node with a range, such as that of a node of PostgreSQL's tree; `None` if there is none, or if
/// the range is that of a single token that is no node.
///
/// See [`NodesByRange`] for an example.
#[must_use]
pub fn node_of(root: &SyntaxNode, range: Range<usize>) -> Option<SyntaxNode> {
    let end = u32::try_from(range.end).ok()?;
    let start = u32::try_from(range.start).ok().filter(|start| *start <= end)?;
    let range = TextRange::new(start.into(), end.into());
    if !root.text_range().contains_range(range) {
        return None;
    }
    let found = root.covering_element(range);
    let found = found.ancestors().take_while(|node| node.text_range() == range);
    found.last()
}
