//! Changes to text that leave the rest of it unchanged.

use core::borrow::Borrow;
use core::ops::Range;
use std::collections::HashSet;

use super::deparse_part::deparse_node;
use super::names::{Node, NodeEnum};
use super::read::parse::{ParseResult, parse_with};
use super::read::scan::{ScanToken, scan};
use crate::foundation::order::sort_by_key;
use crate::types::error::{Error, ErrorKind};
use crate::types::options::ParserOptions;

/// Edits of text by byte ranges, such as those that [`parse_with_ranges`](super::super::parse_with_ranges) returns for
/// nodes: everything else stays as it is, including comments and layout.
///
/// All ranges refer to the original text, regardless of other edits. The same replacement twice is one. [`apply`](Self::apply) returns the new
/// text. [`nodes`](ParseResult::nodes) has each node of the SQL once, so that a loop over them edits it once.
///
/// ```
/// use pg_ast::{Edits, NodeRef, ParserOptions};
///
/// let sql = "SELECT id, -- the key\n       name\nFROM users -- all of them";
/// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
/// let mut edits = Edits::new(sql);
/// for (node, range) in tree.nodes().with_ranges(&ranges) {
///     if let (NodeRef::RangeVar(table), Some(range)) = (node, range) {
///         edits.replace(range.clone(), format!("app.{}", table.relname));
///         edits.insert_behind(range.end, " WHERE active");
///     }
/// }
/// assert_eq!(
///     edits.apply()?,
///     "SELECT id, -- the key\n       name\nFROM app.users WHERE active -- all of them"
/// );
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "edits do nothing until they are applied"]
pub struct Edits<'a> {
    text: &'a str,
    list: Vec<Edit>,
    /// The items to remove with their commas.
    items: Vec<Range<usize>>,
}

/// A range and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    range: Range<usize>,
    text: String,
    side: Side,
}

/// The order of two insertions at one place: the one that belongs to the text before it comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Behind,
    Before,
    Instead,
}

impl Edit {
    /// The key that edits are sorted by.
    fn key(&self) -> (u64, usize) {
        (self.range.start as u64 * 4 + self.side as u64, self.range.end)
    }
}

impl<'a> Edits<'a> {
    /// Creates an empty set of edits to a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, list: Vec::new(), items: Vec::new() }
    }

    /// Returns true if there are no edits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.items.is_empty()
    }

    /// Replaces a range by text, verbatim.
    ///
    /// ```
    /// let mut edits = pg_ast::Edits::new("SELECT a -- all\nFROM t");
    /// edits.replace(7..8, "b").insert_behind(22, " AS u");
    /// assert_eq!(edits.apply()?, "SELECT b -- all\nFROM t AS u");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) -> &mut Self {
        self.edit(range, by.into(), Side::Instead)
    }

    /// Replaces a range by the SQL of a node, adding a space where its first or last token would join the token
    /// next to it.
    ///
    /// It adds no parentheses: those around the range stay, and if the new node needs some that the old one did
    /// not, add them with [`insert_before`](Self::insert_before) and
    /// [`insert_behind`](Self::insert_behind).
    ///
    /// ```
    /// use pg_ast::{Edits, NodeRef, ParserOptions, make};
    ///
    /// let sql = "SELECT b-c /* what is left */ FROM t";
    /// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    /// let mut edits = Edits::new(sql);
    /// for (node, range) in tree.nodes().with_ranges(&ranges) {
    ///     if let (NodeRef::ColumnRef(column), Some(range)) = (node, range)
    ///         && column.names().eq(["c"])
    ///     {
    ///         edits.replace_node(range, make::int_const(-1))?;
    ///     }
    /// }
    /// assert_eq!(edits.apply()?, "SELECT b- -1 /* what is left */ FROM t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The node cannot be printed by itself: as [`deparse_node`].
    pub fn replace_node(
        &mut self,
        range: Range<usize>,
        by: impl Into<NodeEnum>,
    ) -> Result<&mut Self, Error> {
        let node = Node { node: Some(by.into()) };
        let text = deparse_node(&node);
        node.drop_iteratively();
        let mut text = text?;
        let [before, behind] = [self.text.get(..range.start), self.text.get(range.end..)];
        if before.is_some_and(|before| would_join(before, &text)) {
            text.insert(0, ' ');
        }
        if behind.is_some_and(|behind| would_join(&text, behind)) {
            text.push(' ');
        }
        Ok(self.replace(range, text))
    }

    /// Inserts text at an offset where something starts: it goes after all text that is [inserted](Self::insert_behind)
    /// behind what ends there. Several texts at one place keep their order.
    pub fn insert_before(&mut self, offset: usize, text: impl Into<String>) -> &mut Self {
        self.edit(offset..offset, text.into(), Side::Before)
    }

    /// Inserts text at an offset where something ends. Several texts at one place keep their order.
    pub fn insert_behind(&mut self, offset: usize, text: impl Into<String>) -> &mut Self {
        self.edit(offset..offset, text.into(), Side::Behind)
    }

    /// Removes a range.
    pub fn remove(&mut self, range: Range<usize>) -> &mut Self {
        self.replace(range, "")
    }

    /// Removes an item of a list, with the comma after it, or with the one before it if it is the last item. Comments
    /// stay. If all items are removed, the list is empty, which the grammar allows in few places.
    ///
    /// ```
    /// use pg_ast::{Edits, NodeRef, ParserOptions};
    ///
    /// let sql = "SELECT a, -- first\n  b,\n  c /* last */\nFROM t";
    /// let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    /// let targets: Vec<_> = (tree.nodes().with_ranges(&ranges))
    ///     .filter_map(|(node, range)| range.filter(|_| matches!(node, NodeRef::ResTarget(_))))
    ///     .collect();
    /// let without = |items: &[usize]| {
    ///     let mut edits = Edits::new(sql);
    ///     items.iter().for_each(|item| { edits.remove_item(targets[*item].clone()); });
    ///     edits.apply()
    /// };
    /// assert_eq!(without(&[1])?, "SELECT a, -- first\n  c /* last */\nFROM t");
    /// assert_eq!(without(&[2])?, "SELECT a, -- first\n  b /* last */\nFROM t");
    /// assert_eq!(without(&[1, 2])?, "SELECT a -- first\n   /* last */\nFROM t");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    pub fn remove_item(&mut self, range: Range<usize>) -> &mut Self {
        self.items.push(range);
        self
    }

    fn edit(&mut self, range: Range<usize>, text: String, side: Side) -> &mut Self {
        self.list.push(Edit { range, text, side });
        self
    }

    /// Returns the text with all edits applied.
    ///
    /// # Errors
    ///
    /// [`Edit`](crate::ErrorKind::Edit): two edits change the same part of the text, unless they are the same, an insertion is within a part that
    /// is replaced, or a range does not fit the text. If items are removed, the errors of [`scan`](super::super::scan) as
    /// well.
    pub fn apply(&self) -> Result<String, Error> {
        let mut text = String::with_capacity(self.text.len());
        let mut end = 0;
        for (range, new) in self.changes()? {
            text.push_str(&self.text[end..range.start]);
            text.push_str(&new);
            end = range.end;
        }
        text.push_str(&self.text[end..]);
        Ok(text)
    }

    /// The text with all edits, and its tree. It is an error if the result is not SQL.
    ///
    /// ```
    /// use pg_ast::{Edits, ErrorKind, ParserOptions};
    ///
    /// let mut edits = Edits::new("SELECT a -- all\nFROM t");
    /// edits.replace(7..8, "b, c");
    /// let (sql, tree) = edits.apply_and_parse(ParserOptions::default())?;
    /// assert_eq!(sql, "SELECT b, c -- all\nFROM t");
    /// assert_eq!(tree.to_string(), "SELECT b, c FROM t");
    ///
    /// edits.replace(16..20, "FORM");
    /// let error = edits.apply_and_parse(ParserOptions::default()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Syntax);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`apply`](Self::apply), and of [`parse_with`](super::super::parse_with) for the new text.
    pub fn apply_and_parse(
        &self,
        options: impl Borrow<ParserOptions>,
    ) -> Result<(String, ParseResult), Error> {
        let text = self.apply()?;
        let tree = parse_with(&text, options)?;
        Ok((text, tree))
    }

    /// Returns the edits in the order of the text, as ranges of the original and their replacements, as a language
    /// server sends them to an editor. They do not overlap.
    ///
    /// ```
    /// let mut edits = pg_ast::Edits::new("SELECT a, b FROM t");
    /// edits.replace(17..18, "u");
    /// edits.remove(8..11);
    /// assert_eq!(edits.changes()?, [(8..11, String::new()), (17..18, "u".to_owned())]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`apply`](Self::apply).
    pub fn changes(&self) -> Result<Vec<(Range<usize>, String)>, Error> {
        let mut edits = self.list.clone();
        edits.extend(self.removals()?);
        edits.iter().try_for_each(|edit| self.check(&edit.range))?;
        // Those at one place stay in their order.
        sort_by_key(&mut edits, Edit::key);
        // The same change twice is one: two rules may find it.
        edits.dedup_by(|edit, before| edit == before && !edit.range.is_empty());
        for pair in edits.windows(2) {
            if let [before, edit] = pair
                && edit.range.start < before.range.end
            {
                let other = &before.range;
                let what = format!(
                    "{} overlaps that from {} to {}{}",
                    by(edit),
                    other.start,
                    other.end,
                    by(before)
                );
                return Err(self.error(&edit.range, what.trim_start()));
            }
        }
        Ok(edits.into_iter().map(|edit| (edit.range, edit.text)).collect())
    }

    /// Returns the ranges to remove with the items.
    fn removals(&self) -> Result<Vec<Edit>, Error> {
        let mut items = self.items.clone();
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert((item.start, item.end)));
        items.iter().try_for_each(|item| self.check(item))?;
        sort_by_key(&mut items, |item| (item.start as u64, item.end));
        let Some(last) = items.len().checked_sub(1) else { return Ok(Vec::new()) };
        let tokens = scan(self.text)?.tokens;
        let tokens: Vec<_> = tokens.iter().filter(|token| !token.is_comment()).collect();
        let is_comma = |token: &&&ScanToken| self.text.get(token.range()) == Some(",");
        let first_at = |offset| tokens.partition_point(|token| token.range().start < offset);
        let mut removed = Vec::new();
        // The comma before the items that follow each other, and where the first of these starts.
        let mut before = None;
        let mut first = 0;
        let mut follows = false;
        for (place, item) in items.iter().enumerate() {
            if !follows {
                let token = first_at(item.start).checked_sub(1).and_then(|at| tokens.get(at));
                before = token.filter(is_comma).map(|comma| comma.range());
                first = item.start;
            }
            let behind = first_at(item.end);
            if let Some(comma) = tokens.get(behind).filter(is_comma) {
                let next = tokens.get(behind + 1).map(|next| next.range().start);
                follows = place < last && next == Some(items[place + 1].start);
                if self.is_space(item.end..comma.range().start) {
                    let rest = &self.text[comma.range().end..];
                    let space = rest.len() - rest.trim_start_matches(is_space).len();
                    removed.push(item.start..comma.range().end + space);
                } else {
                    removed.extend([item.clone(), comma.range()]);
                }
                continue;
            }
            follows = false;
            match before.take() {
                Some(comma) if self.is_space(comma.end..first) && first == item.start => {
                    removed.push(comma.start..item.end);
                }
                Some(comma) if self.is_space(comma.end..first) => {
                    removed.extend([comma.start..first, item.clone()]);
                }
                Some(comma) => removed.extend([comma, item.clone()]),
                None => removed.push(item.clone()),
            }
        }
        let instead = |range| Edit { range, text: String::new(), side: Side::Instead };
        Ok(removed.into_iter().map(instead).collect())
    }

    fn is_space(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_some_and(|text| text.chars().all(is_space))
    }

    fn check(&self, range: &Range<usize>) -> Result<(), Error> {
        match self.text.get(range.clone()) {
            Some(_) => Ok(()),
            None => Err(self.error(range, "does not fit the text")),
        }
    }

    fn error(&self, range: &Range<usize>, what: &str) -> Error {
        let message = format!("the range from {} to {} {what}", range.start, range.end);
        let at = self.text.is_char_boundary(range.start).then_some(range.start);
        Error::new(ErrorKind::Edit, message).with_cursor(at)
    }
}

/// What a range is replaced by, for an error.
fn by(edit: &Edit) -> String {
    match edit.text.char_indices().nth(SHOWN) {
        _ if edit.text.is_empty() => " (removed)".to_owned(),
        Some((end, _)) => format!(" (to be {:?}..)", &edit.text[..end]),
        None => format!(" (to be {:?})", edit.text),
    }
}

/// The number of characters of a replacement that an error shows.
const SHOWN: usize = 40;

/// Returns whether PostgreSQL's scanner treats the character as a space.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0B' | '\x0C')
}

/// Returns whether the last token of one text and the first of another would join.
fn would_join(before: &str, behind: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), behind.chars().next()) else {
        return false;
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$'\"".contains(c) || !c.is_ascii();
    let is_operator = |c: char| "+-*/<>=~!@#%^&|`?:".contains(c);
    (is_word(last) && is_word(first))
        || (is_operator(last) && is_operator(first))
        || (last == '.' && first.is_ascii_digit())
        || (last.is_ascii_digit() && first == '.')
}
