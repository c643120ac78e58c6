//! Parses SQL into trees.

use core::borrow::Borrow;
use core::{fmt, mem};

use super::ffi::{Parse, raw_parse};
use super::names::{Node, NodeEnum, protobuf, raw};
use super::tree::teardown::Levels;
use super::view::macros::field;
use super::view::{Excess, Tree, measure, start};
use crate::convert::c_tree::in_c::InC;
use crate::convert::{FromNode, FromRawContext};
use crate::foundation::limits::Limits;
use crate::foundation::stack;
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::heap_size::HeapSize;
use crate::types::options::{ParseMode, ParserOptions};

/// The syntax tree of SQL, and the warnings that PostgreSQL raised while it parsed.
///
/// Locations in the tree are byte offsets into the SQL, -1 where there is none.
///
/// It may be dropped on any thread, however deep the tree is. That is why it implements `Drop`, and why
/// the tree cannot be moved out of the field: see [`into_protobuf`](Self::into_protobuf).
#[derive(Clone, Default)]
pub struct ParseResult {
    /// The tree, as a Protobuf message: it can be encoded for programs in other languages.
    pub protobuf: protobuf::ParseResult,
    /// The warnings that PostgreSQL raised, in order.
    pub warnings: Vec<Warning>,
    pub(crate) levels: Levels,
}

impl fmt::Debug for ParseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { protobuf, warnings, .. } = self;
        f.debug_struct("ParseResult")
            .field("protobuf", protobuf)
            .field("warnings", warnings)
            .finish()
    }
}

impl HeapSize for ParseResult {
    fn heap_size(&self) -> usize {
        self.protobuf.heap_size() + self.warnings.heap_size()
    }
}

impl PartialEq for ParseResult {
    fn eq(&self, other: &Self) -> bool {
        self.protobuf == other.protobuf && self.warnings == other.warnings
    }
}

impl ParseResult {
    /// Returns the tree alone.
    ///
    /// It is dropped by the compiler's drop glue, which takes stack for each level. Make a deep tree a [`ParseResult`]
    /// again to be dropped.
    ///
    /// ```
    /// let tree = pg_ast::parse("SELECT 1")?.into_protobuf();
    /// for stmt in tree.stmts {
    ///     assert!(stmt.stmt.is_some());
    /// }
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn into_protobuf(mut self) -> protobuf::ParseResult {
        mem::take(&mut self.protobuf)
    }

    /// Returns the tree for a change that may make it deeper.
    pub(crate) fn change(&mut self) -> &mut protobuf::ParseResult {
        self.levels = Levels::unknown();
        &mut self.protobuf
    }
}

/// Wraps a tree that was built by hand, or decoded by prost, which allows fewer levels than
/// [`ParseResult::decode`]. It has no warnings.
///
/// ```
/// use pg_ast::prost::Message;
/// use pg_ast::{ParseResult, protobuf};
///
/// let bytes = pg_ast::parse("SELECT * FROM t")?.protobuf.encode_to_vec();
/// let tree = ParseResult::from(protobuf::ParseResult::decode(&*bytes)?);
/// assert_eq!(tree.tables(), ["t"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<protobuf::ParseResult> for ParseResult {
    fn from(protobuf: protobuf::ParseResult) -> Self {
        Self { protobuf, warnings: Vec::new(), levels: Levels::unknown() }
    }
}

/// Returns the tree alone; see [`ParseResult::into_protobuf`].
impl From<ParseResult> for protobuf::ParseResult {
    fn from(tree: ParseResult) -> Self {
        tree.into_protobuf()
    }
}

/// Parses SQL, with PostgreSQL's default settings.
///
/// Input without statements, empty or with comments only, becomes a tree without statements.
///
/// Mirrors `raw_parser` of PostgreSQL's `src/backend/parser/parser.c`.
///
/// ```
/// let tree = pg_ast::parse("SELECT name FROM users WHERE id = $1")?;
/// let select = tree.stmts().find_map(|stmt| stmt.as_select_stmt()).unwrap();
/// assert_eq!(select.target_list.len(), 1);
/// assert!(select.where_clause.is_some());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's grammar does not accept the SQL, or it exceeds a limit of [`ParserOptions`]: see
/// [`ErrorKind`](crate::ErrorKind).
pub fn parse(sql: &str) -> Result<ParseResult, Error> {
    parse_with(sql, ParserOptions::default())
}

/// Parses SQL, with the given settings.
///
/// ```
/// use pg_ast::{ErrorKind, ParserOptions};
///
/// let options = ParserOptions::default().max_depth(4);
/// assert_eq!(pg_ast::parse_with("SELECT a", options)?.depth(), 4);
/// let error = pg_ast::parse_with("SELECT a + b", options).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::TooDeep);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_with(sql: &str, options: impl Borrow<ParserOptions>) -> Result<ParseResult, Error> {
    parse_at(0, sql, *options.borrow())
}

/// Like [`parse_with`]; the tree's locations count from `offset` bytes before the text. If that is not
/// 0, the text has to begin with a blank, so that a location of 0 means none.
pub(crate) fn parse_at(
    offset: i32,
    sql: &str,
    options: ParserOptions,
) -> Result<ParseResult, Error> {
    let parse = raw_parse(sql, options)?;
    let mut result = owned(&parse, sql, Limits::new(sql, options), offset)?;
    result.warnings = parse.warnings(sql);
    Ok(result)
}

/// Converts the parser's result for `sql` to an owned tree, without warnings.
pub(crate) fn owned(
    parse: &Parse,
    sql: &str,
    limits: Limits,
    offset: i32,
) -> Result<ParseResult, Error> {
    let mut cx = FromRawContext::new(limits, offset);
    // The method is one for a given lifetime.
    #[allow(clippy::redundant_closure_for_method_calls)]
    let (stmts, mistake) = convert(&mut cx, parse, sql, |stmt, cx| stmt.to_owned(cx));
    let protobuf = protobuf::ParseResult { version: raw::PG_VERSION_NUM.cast_signed(), stmts };
    let levels = Levels::new(cx.levels());
    // A result that is discarded after an error is dropped like any other.
    cx.finish(ParseResult { protobuf, warnings: Vec::new(), levels }, mistake)
}

/// Parses SQL, and reads only the fields of each statement that `T` has.
///
/// `T` is a struct of your own with `#[derive(FromRaw)]` and `#[pg_ast(.., partial)]`, an
/// enum of such structs, or a node type of the tree. Statements of another type become `None`. For types that borrow, see
/// [`view::Node::read_as`](super::view::Node::read_as).
///
/// ```
/// use pg_ast::{FromRaw, Node};
///
/// #[derive(FromRaw)]
/// #[pg_ast(raw = pg_ast::raw::SelectStmt, partial)]
/// struct Tables {
///     #[pg_ast(name = "fromClause")]
///     from_clause: Vec<Node>,
/// }
///
/// let stmts = pg_ast::parse_as::<Tables>("SELECT 1 FROM a, b; DELETE FROM c")?;
/// assert_eq!(stmts[0].as_ref().unwrap().from_clause.len(), 2);
/// assert!(stmts[1].is_none());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_as<T>(sql: &str) -> Result<Vec<Option<T>>, Error>
where
    T: for<'t> FromNode<'t, raw::Node>,
{
    parse_as_with(sql, ParserOptions::default())
}

/// Like [`parse_as`], with the given settings.
///
/// Drop glue drops the result, and takes stack for each level of what the `T`s hold: on a thread with little stack, set a
/// lower [`max_depth`](ParserOptions::max_depth), such as 400 for 256 KiB.
///
/// ```
/// use pg_ast::{ErrorKind, ParserOptions, protobuf::SelectStmt};
///
/// let options = ParserOptions::default().max_depth(100);
/// let stmts = pg_ast::parse_as_with::<SelectStmt>("SELECT 1; BEGIN", options)?;
/// assert!(stmts[0].is_some() && stmts[1].is_none());
///
/// let sql = format!("SELECT 1{}", " + 1".repeat(100));
/// let error = pg_ast::parse_as_with::<SelectStmt>(&sql, options).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::TooDeep);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_as_with<T>(
    sql: &str,
    options: impl Borrow<ParserOptions>,
) -> Result<Vec<Option<T>>, Error>
where
    T: for<'t> FromNode<'t, raw::Node>,
{
    let options = *options.borrow();
    let parse = raw_parse(sql, options)?;
    let mut cx = FromRawContext::new(Limits::new(sql, options), 0);
    let (stmts, mistake) = convert(&mut cx, &parse, sql, |stmt, cx| {
        field!(stmt.stmt).target().and_then(|stmt| stmt.to_owned_node(cx))
    });
    if cx.has_failed() {
        // The contents of a `T` are unknown here, so it is dropped on enough stack.
        stack::with_room(cx.levels(), || drop(stmts));
        return cx.finish(Vec::new(), mistake);
    }
    cx.finish(stmts, mistake)
}

/// Parses an expression, such as the condition of a `WHERE` or an item of a `SELECT` list.
///
/// ```
/// let condition = pg_ast::parse_expr("tenant_id = $1 OR is_public")?;
/// assert!(matches!(condition.node, Some(pg_ast::NodeEnum::BoolExpr(_))));
/// assert_eq!(condition.to_string(), "tenant_id = $1 OR is_public");
/// assert!(pg_ast::parse_expr("a, b").is_err() && pg_ast::parse_expr("a FROM t").is_err());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`], and [`Syntax`](crate::ErrorKind::Syntax) if the SQL is not exactly one expression.
pub fn parse_expr(sql: &str) -> Result<Node, Error> {
    let options = ParserOptions::default().mode(ParseMode::PlPgSqlExpr);
    // Everything but the expression stays in the tree, and is dropped with it.
    let mut tree = parse_with(sql, options)?;
    only_expr(&mut tree.protobuf)
        .ok_or_else(|| Error::new(ErrorKind::Syntax, "the SQL is not a single expression"))
}

/// Takes the expression out of the tree of `SELECT <expression>`.
fn only_expr(tree: &mut protobuf::ParseResult) -> Option<Node> {
    let stmt = tree.stmts.last_mut()?.stmt.as_mut()?;
    let Some(NodeEnum::SelectStmt(select)) = &mut stmt.node else { return None };
    let mut targets = mem::take(&mut select.target_list);
    // Nothing but the expression: no name, no FROM, no second one.
    let rest = protobuf::SelectStmt {
        limit_option: select.limit_option,
        op: select.op,
        ..protobuf::SelectStmt::default()
    };
    let alone = targets.len() == 1 && **select == rest;
    if let (true, Some(NodeEnum::ResTarget(target))) = (alone, &mut targets.first_mut()?.node)
        && target.name.is_empty()
    {
        return target.val.take().map(|val| *val);
    }
    select.target_list = targets;
    None
}

/// Checks whether PostgreSQL accepts SQL, and returns the warnings that it raised. Builds no tree.
///
/// ```
/// assert!(pg_ast::check("SELECT 1").unwrap().is_empty());
/// assert_eq!(pg_ast::check("SELECT FROM FROM").unwrap_err().cursor(), Some(12));
/// ```
///
/// # Errors
///
/// The errors of [`parse`], except for the limits on trees, since no tree is built.
pub fn check(sql: &str) -> Result<Vec<Warning>, Error> {
    Ok(raw_parse(sql, ParserOptions::default())?.warnings(sql))
}

/// Converts the statements one by one, up to the first error. Also returns where the statement
/// with the error starts.
fn convert<T>(
    cx: &mut FromRawContext,
    parse: &Parse,
    sql: &str,
    mut stmt: impl FnMut(InC<'_, raw::RawStmt>, &mut FromRawContext) -> T,
) -> (Vec<T>, Option<usize>) {
    // A tree that is far too large is not even begun.
    if parse.shares_nodes()
        && let Err(Excess::TooLarge(index)) = measure(parse, cx.limits_left())
    {
        cx.count(usize::MAX);
        return (Vec::new(), start(parse, index, sql));
    }
    let mut stmts = Vec::with_capacity(parse.stmts().len());
    for (index, raw) in parse.stmts().enumerate() {
        if cx.count(1) {
            stmts.push(stmt(raw, cx));
        }
        if cx.has_failed() {
            return (stmts, start(parse, index, sql));
        }
    }
    (stmts, None)
}

impl Tree {
    /// Copies the tree into the types of the owned tree: the result of [`parse`](super::super::parse()) for the SQL.
    ///
    /// ```
    /// let sql = "SELECT 1";
    /// assert_eq!(pg_ast::view::parse(sql)?.to_owned_tree()?, pg_ast::parse(sql)?);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The tree exceeds the limits on depth and size of the options that it was parsed with
    /// ([`TooDeep`](crate::ErrorKind::TooDeep), [`TooLarge`](crate::ErrorKind::TooLarge)). What an [edit](Self::edit) adds counts
    /// for the default of the size like SQL of that length.
    pub fn to_owned_tree(&self) -> Result<ParseResult, Error> {
        self.check_changes(false)?;
        let mut tree = owned(self.parse(), "", self.limits(), 0)?;
        tree.warnings = self.warnings().to_vec();
        Ok(tree)
    }

    /// Returns an owned tree that prints like this one, however deep it is: without warnings, and with each source of
    /// several columns once, so that it is not larger.
    pub(crate) fn to_owned_to_print(&self) -> Result<ParseResult, Error> {
        let limits = Limits { max_depth: usize::MAX, ..self.limits() };
        if !self.parse().shares_nodes() {
            return owned(self.parse(), "", limits, 0);
        }
        owned(self.with_copies_once().parse(), "", limits, 0)
    }
}
