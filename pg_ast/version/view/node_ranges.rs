//! The ranges of a view's nodes in the SQL.
//!
//! While the grammar runs, the range of each rule is recorded, and the nodes that it makes
//! (`range_replay.h` and `range_nodes.h` of `libpg_query/c/parser/`). That is exact where a rule makes one node. The rest is done
//! here, where nodes and their children are known:
//!
//! - A name has the range of the token that its string was made from.
//! - A second node of a rule, if it is made of words alone, has the range of these: the `ColumnRef` of
//!   `a.b[1]`.
//! - A part of another node in C, such as the value of a constant, has the range of that node.
//! - A node covers its children.

use core::borrow::Borrow;
use core::mem::offset_of;
use core::ops::Range;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use super::a_const::Val;
use super::ffi::{Recorded, RecordedRanges, raw_parse_for};
use super::macros::field;
use super::names::raw;
use super::names::raw::NodeTag;
use super::{Node, RangeVar, Tree};
use crate::types::error::Error;
use crate::types::heap_size::HeapSize;
use crate::types::options::ParserOptions;
use crate::types::ranges::{NameSpan, Ranges, Span};

/// Parses SQL, as [`parse_with`](super::parse_with) does, into a tree whose nodes have ranges: see
/// [`Tree::range`].
///
/// ```
/// use pg_ast::{ParserOptions, view};
///
/// let sql = "SELECT a FROM t WHERE b  =  1";
/// let tree = view::parse_with_ranges(sql, ParserOptions::default())?;
/// let condition = tree.nodes().find(|node| node.as_a_expr().is_some()).unwrap();
/// assert_eq!(tree.range(condition).map(|range| &sql[range]), Some("b  =  1"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse).
pub fn parse_with_ranges(sql: &str, options: impl Borrow<ParserOptions>) -> Result<Tree, Error> {
    let options = *options.borrow();
    let tree = Tree::unchecked(raw_parse_for(sql, options, Recorded::Ranges)?, sql, options);
    tree.check(sql)?;
    Ok(tree)
}

/// The data that is known about a node during the search.
struct RangedNode<'a> {
    node: Node<'a>,
    /// The rule that made it; 0 for a node that was made elsewhere.
    made: u32,
    /// The place of its parent.
    parent: usize,
    /// The number of its children that have ranges.
    count: u32,
    /// Its range, without its children's.
    own: Span,
    children: Span,
    source: RangeSource,
}

/// Where the range of a node comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeSource {
    /// A name, or a value: it has no children, or they are parts of it.
    Word,
    /// The range of its children, if it has any.
    Children,
    /// The same, if these are words.
    Words,
    /// The range of its only child: a cast that is not written.
    OnlyChild,
    /// The range of the rule's symbols that contain its children, if its parent has others as well.
    Symbols,
    /// The range of the rule that made or changed it.
    Rule,
    /// A part of a copy of other nodes: the range of the word that stands for it.
    Copy,
}

/// Finds the ranges of all nodes, in the order of a walk.
fn find<'a>(
    recorded: &RecordedRanges<'_>,
    roots: impl DoubleEndedIterator<Item = Node<'a>>,
) -> Vec<Span> {
    const ROOT: usize = usize::MAX;
    let mut stack: Vec<_> = roots.rev().map(|root| (root, ROOT)).collect();
    let mut found: Vec<RangedNode<'a>> = Vec::with_capacity(64);
    while let Some((node, parent)) = stack.pop() {
        // SAFETY: the nodes are those of the tree, from its roots down.
        let one = unsafe { look_at(recorded, node, parent, found.get(parent)) };
        let place = found.len();
        found.push(one);
        node.push_children(&mut stack, place);
    }
    // A parent comes before its children; data that only the parent knows is passed from the top down.
    for place in (0..found.len()).rev() {
        let one = &mut found[place];
        match one.source {
            RangeSource::Children | RangeSource::Words if !one.children.is_none() => {
                one.own = one.children;
            }
            RangeSource::OnlyChild if one.count == 1 => one.own = one.children,
            _ => one.own = one.own.and(one.children),
        }
        let (own, source, parent) = (one.own, one.source, one.parent);
        if let Some(parent) = found.get_mut(parent)
            && !own.is_none()
        {
            parent.children = parent.children.and(own);
            parent.count += 1;
            if parent.source == RangeSource::Words
                && !matches!(source, RangeSource::Word | RangeSource::Copy)
            {
                parent.source = RangeSource::Rule;
            }
        }
    }
    for place in 0..found.len() {
        let one = &found[place];
        if one.source == RangeSource::Symbols
            && !one.children.is_none()
            && found[one.parent].count > 1
        {
            let symbols = recorded.symbols(one.made).filter(|symbol| symbol.meets(one.children));
            found[place].own = symbols.fold(one.children, Span::and);
        } else if let Some(literal) = literal_of_type(&found, place) {
            found[place].own = found[place].children.and(recorded.token_before(literal));
        }
    }
    found.into_iter().map(|one| one.own).collect()
}

/// Returns the range of the literal after a type, as in `numeric(5) '1'`.
fn literal_of_type(found: &[RangedNode<'_>], place: usize) -> Option<Span> {
    let one = found.get(place).filter(|one| matches!(one.node, Node::TypeName(_)))?;
    found.get(one.parent).filter(|parent| matches!(parent.node, Node::TypeCast(_)))?;
    // The value comes before the type in the walk, and is the first child.
    let literal = found[one.parent + 1].own;
    (!one.children.is_none() && one.children.is_before(literal)).then_some(literal)
}

/// Evaluates a node's mark, and its own words.
///
/// # Safety
///
/// The node is one of the tree that was recorded, and reached from its parent, which is in C what
/// [`push_children`](Node::push_children) says.
unsafe fn look_at<'a>(
    recorded: &RecordedRanges<'_>,
    node: Node<'a>,
    place_of_parent: usize,
    parent: Option<&RangedNode<'a>>,
) -> RangedNode<'a> {
    let mut one = RangedNode {
        node,
        made: 0,
        parent: place_of_parent,
        count: 0,
        own: Span::NONE,
        children: Span::NONE,
        source: RangeSource::Rule,
    };
    if let Some(parent) = parent
        && is_part(node, parent.node)
    {
        one.own = parent.own;
        one.made = parent.made;
        one.source = RangeSource::Word;
        return one;
    }
    let (tag, start) = node.words();
    // SAFETY: as it is no part of another one, it is a node that C allocated.
    let mark = unsafe { recorded.mark(start) };
    one.made = mark.made;
    one.own = recorded.range(mark.now).unwrap_or(Span::NONE);
    let with_parent = parent.filter(|parent| parent.made == mark.made && mark.made != 0);
    let location = || location_of(node);
    if let Some(parent) = with_parent
        && (parent.source == RangeSource::Copy || is_copy(parent, tag))
    {
        let token = location_of(parent.node).and_then(|at| recorded.token(at));
        one.own = if parent.source == RangeSource::Copy {
            parent.own
        } else {
            token.unwrap_or(parent.own)
        };
        one.source = RangeSource::Copy;
        return one;
    }
    match NodeTag(tag) {
        NodeTag::T_String => {
            one.source = RangeSource::Word;
            let word = name_of_string(recorded, node);
            match (word.filter(|word| one.own.holds(*word)), with_parent) {
                (Some(word), None) => one.own = word,
                (Some(word), Some(_)) if word != one.own => one.own = word,
                // PostgreSQL's own name for something that is written differently.
                (_, Some(parent)) => {
                    let token = location_of(parent.node).and_then(|at| recorded.token(at));
                    one.own = token.filter(|token| one.own.holds(*token)).unwrap_or(parent.own);
                }
                (None, None) => {}
            }
        }
        NodeTag::T_A_Star
        | NodeTag::T_Integer
        | NodeTag::T_Float
        | NodeTag::T_Boolean
        | NodeTag::T_BitString => {
            one.source = RangeSource::Word;
            if with_parent.is_some_and(|parent| parent.own.is_none()) {
                one.own = Span::NONE;
            }
        }
        NodeTag::T_A_Const | NodeTag::T_ParamRef => match location() {
            // The default of a clause that was left out.
            None => one.own = Span::NONE,
            // A number may have a sign.
            Some(location)
                if with_parent.is_none() && is_number(node) && one.own.starts_at(location) => {}
            Some(location) => {
                let symbol = recorded.symbols(one.made).find(|symbol| symbol.starts_at(location));
                let token = symbol.or_else(|| recorded.token(location));
                one.own = token.filter(|token| one.own.holds(*token)).unwrap_or(one.own);
            }
        },
        // A node that is not written, but derived from nodes that are.
        NodeTag::T_TypeCast if location().is_none() => one.source = RangeSource::OnlyChild,
        NodeTag::T_ResTarget | NodeTag::T_ColumnRef | NodeTag::T_TypeName | NodeTag::T_RangeVar
            if location().is_none() && with_parent.is_some() =>
        {
            one.own = Span::NONE;
        }
        NodeTag::T_ColumnRef | NodeTag::T_TypeName if with_parent.is_some() => {
            one.source = RangeSource::Words;
        }
        NodeTag::T_TypeName => {
            // SAFETY: the node is one of the tree.
            let behind = unsafe { modifiers(recorded, node, parent) };
            one.own = behind.map_or(one.own, |behind| one.own.and(behind));
        }
        // Other statements, and semicolons, may be in the same rule.
        NodeTag::T_RawStmt => one.source = RangeSource::Children,
        NodeTag::T_List if with_parent.is_some() => one.source = RangeSource::Children,
        NodeTag::T_RangeVar if with_parent.is_some() => {
            let names = node.as_range_var().map(|table| names_of_table(recorded, table));
            let names = names.into_iter().flatten().flatten().filter(|name| one.own.holds(*name));
            one.own = names.reduce(Span::and).unwrap_or(one.own);
        }
        NodeTag::T_SubLink | NodeTag::T_FuncCall | NodeTag::T_TypeCast if with_parent.is_some() => {
            one.source = RangeSource::Symbols;
        }
        // FILTER comes after `JSON_ARRAYAGG(..)`, but belongs to this part of it.
        _ if parent.is_some() && node.name() == "JsonAggConstructor" => {
            one.own = parent.map_or(one.own, |parent| parent.own);
        }
        _ => {}
    }
    one
}

/// Returns the range of the string of a `String` in the SQL.
fn name_of_string(recorded: &RecordedRanges<'_>, node: Node<'_>) -> Option<Span> {
    let string = node.as_string()?.0;
    recorded.of_string(field!(string.sval))
}

/// Returns the ranges of the names of a table in the SQL.
fn names_of_table(recorded: &RecordedRanges<'_>, table: RangeVar<'_>) -> [Option<Span>; 3] {
    let table = table.0;
    let names = [field!(table.catalogname), field!(table.schemaname), field!(table.relname)];
    names.map(|name| recorded.of_string(name))
}

/// Returns the range of the modifiers of a `TypeName` that follow its literal: `interval '1' second(2)`.
///
/// # Safety
///
/// The node is one of the tree that was recorded.
unsafe fn modifiers(
    recorded: &RecordedRanges<'_>,
    node: Node<'_>,
    parent: Option<&RangedNode<'_>>,
) -> Option<Span> {
    let name = node.as_type_name()?.0;
    let list = field!(name.typmods).target()?;
    // SAFETY: a list of the tree, as the caller guarantees.
    let mark = unsafe { recorded.mark(list.as_ptr()) };
    let other = parent.is_none_or(|parent| parent.made != mark.made);
    recorded.range(mark.now).filter(|_| other)
}

// The struct that another one begins with has the mark of that.
const _: () = assert!(offset_of!(raw::CreateForeignTableStmt, base) == 0);

/// Returns whether a node has no mark, since it is part of another one in C: the value of a constant, a number
/// in a list.
fn is_part(node: Node<'_>, parent: Node<'_>) -> bool {
    match parent {
        Node::AConst(_) => true,
        Node::IntList(_) | Node::OidList(_) => matches!(node, Node::Integer(_)),
        _ => false,
    }
}

/// Returns whether a child made by the same rule as its parent is a copy: `RETURNS TABLE (a varchar(5))` copies its
/// column's type, modifiers and all.
fn is_copy(parent: &RangedNode<'_>, tag: u32) -> bool {
    matches!(parent.node, Node::TypeName(_))
        && parent.source == RangeSource::Words
        && tag != NodeTag::T_String.0
}

fn is_number(node: Node<'_>) -> bool {
    let Node::AConst(constant) = node else { return false };
    matches!(constant.val(), Some(Val::Ival(_) | Val::Fval(_)))
}

/// Returns the location of a node's token; `None` if it has no such field, or no place.
fn location_of(node: Node<'_>) -> Option<usize> {
    usize::try_from(node.structure()?.location()?).ok()
}

/// The ranges of a tree's nodes, by their addresses.
#[derive(Default)]
pub(crate) struct RangesByNode(
    OnceLock<HashMap<usize, Span, BuildHasherDefault<AddressHasher>>>,
    /// The ranges of the names.
    pub(crate) OnceLock<Box<[NameSpan]>>,
);

impl HeapSize for RangesByNode {
    fn heap_size(&self) -> usize {
        // One byte more for each bucket: as in the standard library's hash map.
        let nodes = self.0.get();
        nodes.map_or(0, |map| map.capacity() * 8 / 7 * (size_of::<(usize, Span)>() + 1))
            + self.1.get().map_or(0, |names| size_of_val::<[NameSpan]>(names))
    }
}

impl RangesByNode {
    fn get(&self, tree: &Tree) -> &HashMap<usize, Span, BuildHasherDefault<AddressHasher>> {
        self.0.get_or_init(|| tree.by_node(tree.spans().unwrap_or_default()))
    }
}

/// Addresses are multiples of 8, and cannot be chosen by the author of the SQL.
#[derive(Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) ^ u64::from(*byte);
        }
    }

    fn write_usize(&mut self, address: usize) {
        // An odd number near 2^64 divided by the golden ratio spreads consecutive addresses.
        let spread = (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = spread ^ (spread >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns the address of a node.
fn address(node: Node<'_>) -> usize {
    node.words().1.addr()
}

impl Tree {
    /// Returns the ranges of all nodes, in the order of [`nodes`](Self::nodes); `None` for a tree without ranges.
    pub(crate) fn spans(&self) -> Option<Vec<Span>> {
        if let Some(recorded) = self.parse().ranges() {
            return Some(find(&recorded, self.stmts().map(Node::from)));
        }
        // A copy has the ranges that were found in the original.
        let ranges = self.ranges_by_node().0.get()?;
        let node = |node: Node<'_>| ranges.get(&address(node)).copied();
        self.nodes().map(node).collect()
    }

    fn by_node(&self, spans: Vec<Span>) -> HashMap<usize, Span, BuildHasherDefault<AddressHasher>> {
        self.nodes().map(address).zip(spans).collect()
    }

    /// Returns the range of a node of this tree in the SQL, in bytes.
    ///
    /// `None` for a node that no token made, for a node of another tree, and if this one was not made by
    /// [`parse_with_ranges`]. Ranges are defined by the
    /// [call of that name](super::super::parse_with_ranges) for owned trees. A node that several others
    /// point to has one range.
    ///
    /// All ranges are found when the first one is requested, which takes longer than the
    /// parse itself. A [`compact`](Self::compact) copy has them as well.
    ///
    /// ```
    /// use pg_ast::{ParserOptions, view};
    ///
    /// let sql = "SELECT a, b FROM s.t WHERE (a = 1) ORDER BY b";
    /// let tree = view::parse_with_ranges(sql, ParserOptions::default())?;
    /// let select = tree.stmts().find_map(|stmt| stmt.stmt()?.as_select_stmt()).unwrap();
    /// let text = |node: view::Node<'_>| tree.range(node).map(|range| &sql[range]);
    /// assert_eq!(text(select.into()), Some(sql));
    /// assert_eq!(select.where_clause().and_then(text), Some("a = 1"));
    /// assert_eq!(select.from_clause().first().and_then(text), Some("s.t"));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn range<'a>(&'a self, node: impl Into<Node<'a>>) -> Option<Range<usize>> {
        self.ranges_by_node().get(self).get(&address(node.into()))?.range()
    }

    /// Returns the ranges of all nodes, in the order of [`nodes`](Self::nodes), which is that of the owned tree as
    /// well; `None` for a tree without ranges. They are without those of names, which [`name_range`](Self::name_range)
    /// returns.
    #[must_use]
    pub fn ranges(&self) -> Option<Ranges> {
        self.spans().map(|spans| Ranges::new(|| spans, Vec::new))
    }

    /// Gives `self`, which is a copy of `tree`, the ranges of `tree`.
    pub(super) fn with_ranges_of(self, tree: &Self) -> Self {
        if let Some(spans) = tree.spans() {
            let _ = self.ranges_by_node().0.set(self.by_node(spans));
        }
        self
    }
}

impl Node<'_> {
    /// Returns the byte offset of the token that PostgreSQL records as the node's location; see
    /// [`NodeRef::location`](super::super::NodeRef::location).
    #[must_use]
    pub fn location(self) -> Option<usize> {
        match self {
            Self::RawStmt(stmt) => usize::try_from(stmt.stmt_location()).ok(),
            _ => location_of(self),
        }
    }
}
