//! Parses SQL into views.

use core::borrow::Borrow;
use core::{fmt, mem};

use super::compact;
use super::compact::{Block, Shared};
use super::edit::Changes;
use super::ffi::{Parse, raw_parse};
use super::fields::text_bytes;
use super::macros::field;
use super::names::raw;
use super::node_ranges::RangesByNode;
use super::{MultiAssignRef, Node, Nodes, RawStmt};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::limits::{BYTES_PER_NODE, Limits};
use crate::types::error::{Error, Warning};
use crate::types::heap_size::HeapSize;
use crate::types::options::ParserOptions;

/// The tree of SQL as the parser made it, in C, for reading.
///
/// It owns the C nodes. It can be sent to another thread, read by several, and dropped on any. This takes no stack,
/// however deep the tree is. Locations are byte offsets into the SQL, -1 where there is none.
///
/// ```
/// use pg_ast::view;
///
/// let tree = view::parse("SELECT 1; DELETE FROM t")?;
/// let names: Vec<_> = tree.stmts().filter_map(|stmt| Some(stmt.stmt()?.name())).collect();
/// assert_eq!(names, ["SelectStmt", "DeleteStmt"]);
/// assert_eq!(tree.to_owned_tree()?, pg_ast::parse("SELECT 1; DELETE FROM t")?);
/// # Ok::<(), pg_ast::Error>(())
/// ```
pub struct Tree {
    parse: Parse,
    /// The memory that holds `parse`, unless that has its own.
    block: Option<Block>,
    warnings: Vec<Warning>,
    limits: Limits,
    /// The ranges of a tree that has them, found when one is requested.
    ranges: RangesByNode,
    /// What edits have added.
    pub(super) changes: Option<Box<Changes>>,
    /// Whether nodes that the grammar shares may be copies of each other.
    holds_copies: bool,
    /// Whether a node may lack a field without which it has no SQL.
    pub(super) may_lack: bool,
}

/// Parses SQL, with PostgreSQL's default settings.
///
/// Mirrors `raw_parser` of PostgreSQL's `src/backend/parser/parser.c`.
///
/// ```
/// use pg_ast::view;
///
/// let tree = view::parse("SELECT name FROM users WHERE id = $1")?;
/// let select = tree.stmts().find_map(|stmt| stmt.stmt()?.as_select_stmt()).unwrap();
/// assert_eq!(select.target_list().len(), 1);
/// assert!(view::parse("SELEC 1").is_err());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`parse`](super::super::parse()), except for the limit on depth: a tree that is not copied can have
/// any depth.
pub fn parse(sql: &str) -> Result<Tree, Error> {
    parse_with(sql, ParserOptions::default())
}

/// Parses SQL, with the given settings.
///
/// ```
/// use pg_ast::{ParserOptions, view};
///
/// let options = ParserOptions::default().standard_conforming_strings(false);
/// let tree = view::parse_with(r"SELECT 'it\'s'", options)?;
/// assert_eq!(tree.deparse()?, "SELECT 'it''s'");
/// assert_eq!(tree.warnings().len(), 1);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_with(sql: &str, options: impl Borrow<ParserOptions>) -> Result<Tree, Error> {
    let options = *options.borrow();
    let tree = Tree::unchecked(raw_parse(sql, options)?, sql, options);
    tree.check(sql)?;
    Ok(tree)
}

/// The reason for which a tree is not one.
pub(crate) enum Excess<'a> {
    /// A string that is not UTF-8.
    InvalidEncoding(&'a [u8]),
    /// Up to the statement with this index, there are too many nodes.
    TooLarge(usize),
}

/// Checks that all strings are UTF-8, and that an owned tree would not have too many nodes: the few lists of numbers and
/// the like that `nodes` does not return are not counted. This visits each node once, however many copies there would be.
pub(crate) fn measure(parse: &Parse, limits: Limits) -> Result<(), Excess<'_>> {
    // In halves of a node.
    let mut left = limits.max_nodes.saturating_mul(2);
    for (index, stmt) in stmts(parse).enumerate() {
        // Each node with the number of its copies.
        let mut stack = vec![(Node::from(stmt), 1_usize)];
        while let Some((node, copies)) = stack.pop() {
            // As where an owned tree is made: a long string is as much as many nodes.
            let bytes = text_bytes(node).map_err(Excess::InvalidEncoding)?;
            let fields = node.structure().map_or(0, |it| it.table().fields.len());
            let size = copies.saturating_mul(limits.weigh(fields) + 2 * (bytes / BYTES_PER_NODE));
            left = left.checked_sub(size).ok_or(Excess::TooLarge(index))?;
            let columns = node.as_multi_assign_ref().map_or(1, MultiAssignRef::ncolumns);
            let columns = usize::try_from(columns).unwrap_or(1).max(1);
            node.push_children(&mut stack, copies.saturating_mul(columns));
        }
    }
    Ok(())
}

/// Returns the statements that the parser has made.
pub(crate) fn stmts(
    parse: &Parse,
) -> impl ExactSizeIterator<Item = RawStmt<'_>> + DoubleEndedIterator + Clone {
    parse.stmts().map(RawStmt)
}

/// Returns the offset at which a statement starts in its text.
pub(crate) fn start(parse: &Parse, index: usize, sql: &str) -> Option<usize> {
    let stmt = parse.stmts().nth(index)?;
    let start = usize::try_from(field!(stmt.stmt_location).get()).ok()?;
    let rest = sql.get(start..)?;
    Some(start + rest.len() - rest.trim_ascii_start().len())
}

impl Tree {
    fn of(parse: Parse, warnings: Vec<Warning>, limits: Limits) -> Self {
        Self {
            parse,
            block: None,
            warnings,
            limits,
            ranges: RangesByNode::default(),
            changes: None,
            holds_copies: false,
            may_lack: false,
        }
    }

    /// Returns a tree without statements.
    pub(super) fn empty() -> Self {
        // SAFETY: there is no list.
        let parse = unsafe { Parse::in_other_memory(core::ptr::null(), false) };
        Self::of(parse, Vec::new(), Limits::default())
    }

    /// Copies statements of an owned tree, in which nodes that the grammar shares are copies of each other, and some may lack
    /// a field.
    pub(super) fn copy_of_owned<'a>(
        stmts: impl Iterator<Item = InC<'a, raw::RawStmt>>,
        warnings: Vec<Warning>,
        may_lack: bool,
    ) -> Self {
        let tree = Self::copy(stmts, Shared::Nowhere, warnings, Limits::default());
        Self { holds_copies: true, may_lack, ..tree }
    }

    /// Returns whether nodes may be in several places, or copies of each other where the grammar shares them.
    pub(super) fn holds_copies(&self) -> bool {
        self.holds_copies || self.parse.shares_nodes()
    }

    /// Takes out what an edit changes: the list of statements.
    pub(super) fn begin_edit(&mut self) -> *mut raw::List {
        self.ranges = RangesByNode::default();
        self.parse.begin_edit()
    }

    /// Puts it back.
    ///
    /// # Safety
    ///
    /// `stmts` is that list, or null, or another one of statements of which none is null; in memory that this tree owns.
    pub(super) unsafe fn end_edit(&mut self, stmts: *mut raw::List, shares_nodes: bool) {
        self.holds_copies = false;
        // SAFETY: the caller guarantees it.
        unsafe { self.parse.end_edit(stmts, shares_nodes) };
    }

    /// Allows for what edits have added: so many bytes.
    pub(super) fn add_to_limits(&mut self, bytes: usize) {
        self.limits = self.limits.grown(bytes);
    }

    /// Checks that an owned tree would not be too large.
    pub(super) fn measure(&self) -> Result<(), Error> {
        measure(&self.parse, self.limits).map_err(|_| Error::too_many_nodes(self.limits.max_nodes))
    }

    /// Copies statements. If a node has several parents, `shared` is not [`Shared::Nowhere`].
    pub(super) fn copy<'a>(
        stmts: impl Iterator<Item = InC<'a, raw::RawStmt>>,
        shared: Shared,
        warnings: Vec<Warning>,
        limits: Limits,
    ) -> Self {
        Self::in_block(compact::copy(stmts, shared), warnings, limits)
    }

    /// Makes a tree of statements in a block.
    pub(crate) fn in_block(
        (parse, block): (Parse, Block),
        warnings: Vec<Warning>,
        limits: Limits,
    ) -> Self {
        Self { block: Some(block), ..Self::of(parse, warnings, limits) }
    }

    /// Returns the block that holds the tree, if it has one.
    pub(crate) fn block(&self) -> Option<&Block> {
        self.block.as_ref()
    }

    /// Makes the tree an empty one, and returns its block.
    pub(crate) fn take_block(&mut self) -> Option<Block> {
        // SAFETY: without statements, nothing is read.
        self.parse = unsafe { Parse::in_other_memory(core::ptr::null(), false) };
        self.warnings.clear();
        self.ranges = RangesByNode::default();
        self.changes = None;
        self.holds_copies = false;
        self.may_lack = false;
        self.block.take()
    }

    /// Makes a tree whose strings must not be read, nor all its nodes walked over, before
    /// [`check`](Self::check) has been called.
    pub(crate) fn unchecked(parse: Parse, sql: &str, options: ParserOptions) -> Self {
        let warnings = parse.warnings(sql);
        let limits = Limits::new(sql, options);
        Self::of(parse, warnings, limits)
    }

    /// Checks what readers of the tree rely on: its strings are UTF-8, and it is not too large for what reads all
    /// fields, and so meets a node that several others point to once for each of them.
    pub(crate) fn check(&self, sql: &str) -> Result<(), Error> {
        // Only an escape can make a string that is not UTF-8 of a text that is.
        let escapes = sql.as_bytes().contains(&b'\\');
        if !escapes && !self.parse.shares_nodes() {
            return Ok(());
        }
        measure(&self.parse, self.limits).map_err(|excess| match excess {
            Excess::InvalidEncoding(bytes) => Error::invalid_encoding(bytes),
            Excess::TooLarge(index) => Error::too_many_nodes(self.limits.max_nodes)
                .with_cursor(start(&self.parse, index, sql)),
        })
    }

    /// Returns the statements, in order.
    #[must_use]
    pub fn stmts(
        &self,
    ) -> impl ExactSizeIterator<Item = RawStmt<'_>> + DoubleEndedIterator + Clone {
        stmts(&self.parse)
    }

    /// Returns the warnings that PostgreSQL raised, in order.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the ranges of its nodes, if they have been found.
    pub(crate) fn ranges_by_node(&self) -> &RangesByNode {
        &self.ranges
    }

    /// Returns the parser's result.
    pub(crate) fn parse(&self) -> &Parse {
        &self.parse
    }

    /// Takes the warnings out.
    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        mem::take(&mut self.warnings)
    }

    /// Returns every node of the tree, beginning with the first statement, a `RawStmt`; see [`Nodes`].
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(self.stmts().map(Node::from))
    }

    /// Returns a compact copy, for programs that keep trees: only nodes and strings, in one block of memory.
    ///
    /// The parser's memory also has what it needed on the way, and takes at least 8 KiB
    /// ([`heap_size`](crate::HeapSize::heap_size) has the figure). A copy takes only what its nodes take, which is less
    /// than an owned tree takes. It costs less than [`to_owned_tree`](Self::to_owned_tree), can do all that `self` can, and is one
    /// allocation to drop. A node that several others point to is copied once.
    ///
    /// ```
    /// use pg_ast::{HeapSize, view};
    ///
    /// let sql = "SELECT a, b FROM t WHERE c = $1";
    /// let tree = view::parse(sql)?.compact();
    /// assert!(tree.heap_size() < pg_ast::parse(sql)?.heap_size());
    /// assert_eq!(tree.deparse()?, sql);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn compact(&self) -> Self {
        self.copied(Shared::Everywhere, self.warnings.clone()).with_ranges_of(self)
    }

    /// Returns a compact copy without ranges.
    pub(super) fn copied(&self, shared: Shared, warnings: Vec<Warning>) -> Self {
        let shared = if self.parse.shares_nodes() { shared } else { Shared::Nowhere };
        let copy = Self::copy(self.parse.stmts(), shared, warnings, self.limits);
        let changes = self.changes.as_ref().and_then(|changes| changes.to_keep()).map(Box::new);
        Self { changes, holds_copies: self.holds_copies, may_lack: self.may_lack, ..copy }
    }

    /// Returns a copy that prints like this one, with each source of several columns once: it is not larger than the
    /// parser's tree, even as an owned one.
    pub(crate) fn with_copies_once(&self) -> Self {
        self.copied(Shared::FirstOnly, Vec::new())
    }

    /// Returns the limits of the options that it was parsed with.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}

/// A clone is a [`compact`](Tree::compact) copy.
impl Clone for Tree {
    fn clone(&self) -> Self {
        self.compact()
    }
}

/// Counts all memory that is held for the tree, in C and in Rust, in use or not.
impl HeapSize for Tree {
    fn heap_size(&self) -> usize {
        let Self { parse, block, warnings, ranges, changes, .. } = self;
        parse.size()
            + changes.heap_size()
            + block.as_ref().map_or(0, Block::size)
            + warnings.heap_size()
            + ranges.heap_size()
    }
}

/// Prints like the owned tree.
// The place of its memory and its limits are private.
#[allow(clippy::missing_fields_in_debug)]
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("stmts", &self.stmts().collect::<Vec<_>>())
            .field("warnings", &self.warnings)
            .finish()
    }
}

/// Compares like owned trees: with locations and warnings.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.warnings == other.warnings && self.stmts().eq(other.stmts())
    }
}
