//! Prints trees as SQL.

use core::borrow::Borrow;
use core::ops::Range;

use super::checked::checked;
use super::ffi;
use super::ffi::{Parse, raw_parse};
use super::names::protobuf;
use super::names::protobuf::{Node, RawStmt};
use super::names::{NodeEnum, NodeMut, NodeRef, ParseResult, raw};
use super::read::scan::scan;
use super::tree::teardown::Levels;
use super::view::{self, Tree};
use crate::convert::{IntoRaw, IntoRawContext};
use crate::foundation::arena::with_arena;
use crate::text::deparsed_comments::{placeholders, put_back};
use crate::types::error::Error;
use crate::types::options::{Comment, DeparseOptions, ParserOptions};

/// Prints a tree, its statements separated by `"; "`.
///
/// The SQL parses to the same tree again, apart from locations. It is the output of libpg_query's deparser, except
/// where that is a different statement or an error: `DROP SUBSCRIPTION s CASCADE` keeps its `CASCADE`
/// here. The repository lists these statements in `tests/patched/deparse.txt`.
///
/// In ten fields, a tree does not tell `''` from NULL, and is printed as if there were NULL: `COPY t FROM ''` as `COPY t
/// FROM STDIN`. [docs/exact.md](https://github.com/pg-ast/pg_ast/blob/main/docs/exact.md#empty-strings-and-null) lists
/// them. [`reformat`] and [views](super::super::view::Tree::deparse) print what was parsed.
///
/// Mirrors `pg_query_deparse_protobuf` of libpg_query's `pg_query_deparse.c`.
///
/// ```
/// let tree = pg_ast::parse("select  a, B from T -- all of it")?;
/// assert_eq!(pg_ast::deparse(&tree)?, "SELECT a, b FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The tree is not one that PostgreSQL's grammar could have made: a child is missing or has the wrong type, a list or a
/// name is empty without which the node has no SQL, such as the name in `FuncCall::default()`, or fields do not agree, such
/// as the columns of `SET (a, b) = (SELECT 1, 2)` ([`Deparse`](crate::ErrorKind::Deparse)); a string contains a NUL.
/// [docs/exact.md](https://github.com/pg-ast/pg_ast/blob/main/docs/exact.md#changed-trees) has the rules.
pub fn deparse(tree: &ParseResult) -> Result<String, Error> {
    deparse_with(tree, DeparseOptions::default())
}

/// Prints a tree in the given layout.
///
/// Comments do not change the tokens of the SQL: in any layout, a line comment is followed by a line break unless it
/// is the last token. Every comment is printed once. If the SQL ends in a line comment, a program that appends to it
/// has to begin a line.
///
/// ```
/// use pg_ast::DeparseOptions;
///
/// # #[cfg(any(feature = "pg17", feature = "pg18"))] {
/// let tree = pg_ast::parse("SELECT a FROM t")?;
/// let options = DeparseOptions::default().pretty_print(true);
/// assert_eq!(pg_ast::deparse_with(&tree, options)?, "SELECT a\nFROM t");
///
/// let sql = "INSERT INTO t VALUES (1 -- one\n); DELETE FROM t";
/// let options = DeparseOptions::default().comments(pg_ast::comments(sql)?);
/// let printed = pg_ast::deparse_with(&pg_ast::parse(sql)?, options)?;
/// assert_eq!(printed, "INSERT INTO t VALUES (1) -- one\n; DELETE FROM t");
/// # }
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse`]. The text of a [`Comment`] is not a single comment
/// ([`Deparse`](crate::ErrorKind::Deparse)). The deparsers of PostgreSQL 15 and 16 have no layouts and cannot put
/// comments back ([`Unsupported`](crate::ErrorKind::Unsupported)).
pub fn deparse_with(
    tree: &ParseResult,
    options: impl Borrow<DeparseOptions>,
) -> Result<String, Error> {
    let levels = Some(&tree.levels);
    deparse_tree(&tree.protobuf, options.borrow(), levels)
}

/// Also notes how many levels the tree has.
fn deparse_tree(
    tree: &protobuf::ParseResult,
    options: &DeparseOptions,
    levels: Option<&Levels>,
) -> Result<String, Error> {
    let sql = deparse_raw_stmts(options, levels, |cx| {
        cx.slice(&tree.stmts, |stmt, cx| stmt.into_raw(cx))
    })?;
    if !options.checked {
        return Ok(sql);
    }
    tree.with_view(|stmts| {
        checked(sql, stmts.iter().map(|stmt| stmt.stmt().unwrap_or(view::Node::Null)))
    })?
}

/// Prints a single statement in the given layout.
///
/// ```
/// use pg_ast::DeparseOptions;
///
/// let tree = pg_ast::parse("SELECT 1; SELECT 2")?;
/// let stmts = tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_deref());
/// let sql: Result<Vec<_>, _> =
///     stmts.map(|stmt| pg_ast::deparse_stmt(stmt, DeparseOptions::default())).collect();
/// assert_eq!(sql?, ["SELECT 1", "SELECT 2"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse`], also for a node that is not a statement.
pub fn deparse_stmt(stmt: &Node, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
    deparse_node_alone(stmt, options.borrow())
}

fn deparse_node_alone(stmt: &Node, options: &DeparseOptions) -> Result<String, Error> {
    let sql = deparse_alone(options, |cx| stmt.into_raw(cx))?;
    match stmt.to_ref() {
        Some(stmt) if options.checked => stmt.with_view(|stmt| checked(sql, [stmt].into_iter()))?,
        _ => Ok(sql),
    }
}

impl ParseResult {
    /// Prints the tree, like [`deparse`].
    ///
    /// ```
    /// assert_eq!(pg_ast::parse("select  1;select 2")?.deparse()?, "SELECT 1; SELECT 2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`].
    pub fn deparse(&self) -> Result<String, Error> {
        deparse(self)
    }

    /// Prints the tree in the given layout, as [`deparse_with`].
    ///
    /// ```
    /// use pg_ast::DeparseOptions;
    ///
    /// # #[cfg(any(feature = "pg17", feature = "pg18"))] {
    /// let options = DeparseOptions::default().pretty_print(true);
    /// assert_eq!(pg_ast::parse("SELECT a FROM t")?.deparse_with(options)?, "SELECT a\nFROM t");
    /// # }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`deparse_with`].
    pub fn deparse_with(&self, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
        deparse_with(self, options)
    }
}

impl protobuf::ParseResult {
    /// Prints the tree, like [`deparse`](super::super::deparse()).
    ///
    /// ```
    /// use pg_ast::prost::Message;
    ///
    /// let bytes = pg_ast::parse("select  1")?.protobuf.encode_to_vec();
    /// let tree = pg_ast::protobuf::ParseResult::decode(&*bytes)?;
    /// assert_eq!(tree.deparse()?, "SELECT 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](super::super::deparse()).
    pub fn deparse(&self) -> Result<String, Error> {
        deparse_tree(self, &DeparseOptions::default(), None)
    }

    /// Prints the tree in the given layout, as [`deparse_with`].
    ///
    /// ```
    /// use pg_ast::DeparseOptions;
    ///
    /// let tree = pg_ast::parse("select  1")?;
    /// assert_eq!(tree.protobuf.deparse_with(DeparseOptions::default())?, "SELECT 1");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`deparse_with`].
    pub fn deparse_with(&self, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
        deparse_tree(self, options.borrow(), None)
    }
}

impl NodeRef<'_> {
    /// Prints a single statement.
    ///
    /// ```
    /// use pg_ast::NodeRef;
    ///
    /// let tree = pg_ast::parse("SELECT 1; EXPLAIN SELECT 2 UNION SELECT 3")?;
    /// let selects = tree.nodes().filter(|node| matches!(node, NodeRef::SelectStmt(_)));
    /// let texts: Vec<_> = selects.map(|node| node.deparse().unwrap()).collect();
    /// assert_eq!(texts, ["SELECT 1", "SELECT 2 UNION SELECT 3", "SELECT 2", "SELECT 3"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse_stmt`].
    pub fn deparse(self) -> Result<String, Error> {
        deparse_alone(&DeparseOptions::default(), |cx| self.into_raw(cx))
    }
}

impl NodeEnum {
    /// Prints a single statement.
    ///
    /// # Errors
    ///
    /// The errors of [`deparse_stmt`].
    pub fn deparse(&self) -> Result<String, Error> {
        self.to_ref().deparse()
    }
}

impl NodeMut<'_> {
    /// Prints a single statement.
    ///
    /// # Errors
    ///
    /// The errors of [`deparse_stmt`].
    pub fn deparse(&self) -> Result<String, Error> {
        self.to_ref().deparse()
    }
}

impl Node {
    /// Prints a single statement. ([`deparse_node`](super::super::deparse_node) prints other nodes as well.)
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT 1; SELECT 2")?;
    /// let stmts = tree.protobuf.stmts.iter().filter_map(|stmt| stmt.stmt.as_ref());
    /// let sql: Result<Vec<_>, _> = stmts.map(|stmt| stmt.deparse()).collect();
    /// assert_eq!(sql?, ["SELECT 1", "SELECT 2"]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`deparse_stmt`].
    pub fn deparse(&self) -> Result<String, Error> {
        deparse_stmt(self, DeparseOptions::default())
    }
}

/// Reformats SQL, without building a tree in Rust.
///
/// It tells empty strings from NULL, unlike a tree: `COMMENT ON TABLE t IS ''` stays, where [`deparse`] prints `IS NULL`.
///
/// ```
/// use pg_ast::DeparseOptions;
///
/// let sql = pg_ast::reformat("select a,b from T", DeparseOptions::default())?;
/// assert_eq!(sql, "SELECT a, b FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()) and of [`deparse_with`].
pub fn reformat(sql: &str, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
    reformat_in(sql, options.borrow())
}

fn reformat_in(sql: &str, options: &DeparseOptions) -> Result<String, Error> {
    if options.checked {
        return view::parse(sql)?.deparse_with(options);
    }
    deparse_parse(&raw_parse(sql, ParserOptions::default())?, options)
}

/// Prints the statements that the parser has made.
pub(crate) fn deparse_parse(parse: &Parse, options: &DeparseOptions) -> Result<String, Error> {
    let stmts: Vec<_> = parse.stmts().map(|stmt| stmt.as_ptr().cast_mut()).collect();
    with_comments(options, |options| {
        with_arena(|arena| {
            // SAFETY: the parser's result is a whole tree, which `parse` keeps alive.
            unsafe { ffi::deparse(&stmts, options, arena) }
        })
    })
}

impl Tree {
    /// Prints the statements as SQL, separated by `; `.
    ///
    /// ```
    /// assert_eq!(pg_ast::view::parse("select  1; select 2")?.deparse()?, "SELECT 1; SELECT 2");
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse`](super::super::deparse()).
    pub fn deparse(&self) -> Result<String, Error> {
        self.deparse_with(DeparseOptions::default())
    }

    /// Like [`deparse`](Self::deparse), with the given layout.
    ///
    /// ```
    /// use pg_ast::{DeparseOptions, view};
    ///
    /// # #[cfg(any(feature = "pg17", feature = "pg18"))] {
    /// let options = DeparseOptions::default().pretty_print(true);
    /// assert_eq!(view::parse("SELECT a FROM t")?.deparse_with(options)?, "SELECT a\nFROM t");
    /// # }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`deparse_with`](super::super::deparse_with).
    pub fn deparse_with(&self, options: impl Borrow<DeparseOptions>) -> Result<String, Error> {
        self.check_changes(true)?;
        let options = options.borrow();
        let sql = deparse_parse(self.parse(), options)?;
        if options.checked {
            checked(sql, self.stmts().map(|stmt| stmt.stmt().unwrap_or(view::Node::Null)))
        } else {
            Ok(sql)
        }
    }
}

/// Prints a statement that has no `RawStmt` around it.
pub(crate) fn deparse_alone(
    options: &DeparseOptions,
    stmt: impl FnOnce(&mut IntoRawContext<'_>) -> *mut raw::Node,
) -> Result<String, Error> {
    deparse_raw_stmts(options, None, |cx| {
        let mut raw: raw::RawStmt = (&RawStmt::default()).into_raw(cx);
        raw.stmt = stmt(cx);
        let raw = [cx.alloc(raw)];
        cx.slice(&raw, |raw, _| *raw)
    })
}

fn deparse_raw_stmts(
    options: &DeparseOptions,
    levels: Option<&Levels>,
    stmts: impl for<'a> FnOnce(&mut IntoRawContext<'a>) -> &'a [*mut raw::RawStmt],
) -> Result<String, Error> {
    with_comments(options, |options| {
        with_arena(|arena| {
            let mut cx = IntoRawContext::printing(arena);
            let stmts = stmts(&mut cx);
            let found = cx.levels();
            let stmts = cx.finish(stmts)?;
            if let Some(levels) = levels {
                levels.set(found);
            }
            // SAFETY: a conversion writes complete C data, with null pointers where the tree has
            // nothing, in the arena.
            unsafe { ffi::deparse(stmts, options, arena) }
        })
    })
}

/// Prints with placeholders for the comments, and replaces these.
fn with_comments(
    options: &DeparseOptions,
    print: impl FnOnce(&DeparseOptions) -> Result<String, Error>,
) -> Result<String, Error> {
    if options.comments.is_empty() {
        return print(options);
    }
    let comments = &options.comments;
    let placeholders = placeholders(comments)?;
    let sql = print(&DeparseOptions { comments: placeholders, ..options.clone() })?;
    let tokens = scan(&sql)?.tokens.into_iter();
    Ok(put_back(&sql, tokens.map(|token| (token.is_comment(), token.range())), comments))
}

/// The comments in SQL, for [`DeparseOptions::comments`].
///
/// Mirrors `pg_query_deparse_comments_for_query` of libpg_query's `pg_query_deparse.c`.
///
/// ```
/// use pg_ast::DeparseOptions;
///
/// let sql = "-- why\nSELECT 1";
/// let comments = pg_ast::comments(sql)?;
/// assert_eq!(comments[0].text, "-- why");
///
/// let options = DeparseOptions::default().pretty_print(true).comments(comments);
/// assert_eq!(pg_ast::deparse_with(&pg_ast::parse(sql)?, &options)?, "-- why\nSELECT 1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's scanner rejects the SQL, as for an unterminated string.
pub fn comments(sql: &str) -> Result<Vec<Comment>, Error> {
    let tokens = scan(sql)?.tokens;
    Ok(comments_of(sql, tokens.into_iter().map(|token| (token.is_comment(), token.range()))))
}

/// Picks the comments from tokens in order; each is given with whether it is a comment, and its range.
pub(crate) fn comments_of(
    sql: &str,
    tokens: impl Iterator<Item = (bool, Range<usize>)>,
) -> Vec<Comment> {
    let newlines = |from: usize, to: usize| {
        sql.as_bytes()[from..to].iter().filter(|&&byte| byte == b'\n').count()
    };
    let mut comments = Vec::new();
    // The ends of the tokens before: of the last one, and of the last that is not a comment.
    let (mut last_end, mut match_location) = (0, 0);
    let mut after_comment = false;
    let mut tokens = tokens.peekable();
    while let Some((is_comment, Range { start, end })) = tokens.next() {
        if is_comment {
            comments.push(Comment {
                text: sql[start..end].to_owned(),
                match_location,
                // Between two comments, the first has counted them.
                newlines_before: if after_comment { 0 } else { newlines(last_end, start) },
                newlines_after: tokens.peek().map_or(0, |(_, next)| newlines(end, next.start)),
            });
            after_comment = true;
        } else {
            match_location = end;
            after_comment = false;
        }
        last_end = end;
    }
    comments
}
