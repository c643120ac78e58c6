//! Text to tree.

use super::ffi::Parse;
use super::{Node, NodeEnum, protobuf, raw};
use crate::convert::{FromNode, FromRaw, FromRawContext};
use crate::error::{Error, ErrorKind, Warning};
use crate::options::{ParseMode, ParserOptions};

/// The syntax tree of a text, and what PostgreSQL remarked while it parsed.
///
/// Locations in the tree are byte offsets into the text, -1 where there is none.
#[derive(Clone, Debug, Default, PartialEq, pg_ast_derive::HeapSize)]
pub struct ParseResult {
    /// The tree, as a Protobuf message: it can be encoded for programs in other languages.
    pub protobuf: protobuf::ParseResult,
    /// The warnings that PostgreSQL raised, in their order.
    pub warnings: Vec<Warning>,
}

/// A tree that has been built, or decoded by prost's own call, which goes less deep than
/// [`ParseResult::decode`]: without warnings.
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
        Self { protobuf, warnings: Vec::new() }
    }
}

/// Parses a text, with PostgreSQL's default settings.
///
/// A text without a statement, be it empty or all comments, gives a tree without statements.
///
/// Mirrors `raw_parser` of PostgreSQL's `src/backend/parser/parser.c`.
///
/// ```
/// use pg_ast::NodeEnum;
///
/// let result = pg_ast::parse("SELECT name FROM users WHERE id = $1")?;
/// let stmt = result.protobuf.stmts[0].stmt.as_ref().unwrap();
/// let Some(NodeEnum::SelectStmt(select)) = &stmt.node else { panic!() };
/// assert_eq!(select.target_list.len(), 1);
/// assert!(select.where_clause.is_some());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The text is not one that PostgreSQL's grammar accepts, or is nested too deep for the stack of
/// this thread: see [`ErrorKind`](crate::ErrorKind).
pub fn parse(sql: &str) -> Result<ParseResult, Error> {
    parse_with(sql, ParserOptions::default())
}

/// Parses a text, with the given settings.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_with(sql: &str, options: ParserOptions) -> Result<ParseResult, Error> {
    parse_at(0, sql, options)
}

/// As [`parse_with`]; the tree's locations count from `offset` bytes before the text. If that is not
/// 0, the text has to begin with a blank, so that a location of 0 is none.
pub(super) fn parse_at(
    offset: i32,
    sql: &str,
    options: ParserOptions,
) -> Result<ParseResult, Error> {
    let parse = raw_parse(sql, options)?;
    let stmts = convert(FromRawContext::at(offset), &parse, |stmt, cx| {
        // SAFETY: the parser's result is a whole tree, which `parse` keeps alive and nobody writes.
        unsafe { protobuf::RawStmt::from_raw(stmt, cx) }
    })?;
    Ok(ParseResult {
        protobuf: protobuf::ParseResult { version: raw::PG_VERSION_NUM.cast_signed(), stmts },
        warnings: parse.warnings(sql),
    })
}

/// Parses a text, and reads of each statement only what `T` asks for.
///
/// `T` is a struct of the caller's own with `#[derive(FromRaw)]` and `#[pg_ast(.., partial)]`, an
/// enum of such structs, or a node type of the tree. Statements of another type become `None`.
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
/// As [`parse`].
pub fn parse_as<T: FromNode<raw::Node>>(sql: &str) -> Result<Vec<Option<T>>, Error> {
    let parse = raw_parse(sql, ParserOptions::default())?;
    convert(FromRawContext::new(), &parse, |stmt, cx| {
        // SAFETY: as in `parse_at`; a RawStmt always has its statement.
        unsafe { T::from_node((*stmt).stmt, cx) }
    })
}

/// Parses an expression: what stands behind a `WHERE`, or in a list of targets.
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
/// As [`parse`]; the text is more, or less, than one expression
/// ([`Syntax`](crate::ErrorKind::Syntax)).
pub fn parse_expr(sql: &str) -> Result<Node, Error> {
    let options = ParserOptions::default().mode(ParseMode::PlPgSqlExpr);
    let mut stmts = parse_with(sql, options)?.protobuf.stmts;
    let only = |stmt: protobuf::RawStmt| {
        let Some(NodeEnum::SelectStmt(select)) = stmt.stmt?.node else { return None };
        let mut select = *select;
        let Some(NodeEnum::ResTarget(target)) = select.target_list.pop()?.node else { return None };
        // Nothing but the expression: no name, no FROM, no second one.
        let rest = protobuf::SelectStmt {
            limit_option: select.limit_option,
            op: select.op,
            ..protobuf::SelectStmt::default()
        };
        (select == rest && target.name.is_empty()).then_some(*target.val?)
    };
    stmts
        .pop()
        .and_then(only)
        .ok_or_else(|| Error::new(ErrorKind::Syntax, "the text is not one expression"))
}

/// Parses a text for what is wrong with it: gives the warnings that PostgreSQL raised, and makes no
/// tree.
///
/// ```
/// assert!(pg_ast::check("SELECT 1").unwrap().is_empty());
/// assert_eq!(pg_ast::check("SELECT FROM FROM").unwrap_err().cursor(), Some(12));
/// ```
///
/// # Errors
///
/// As [`parse`]; but no tree is made that could be too deep to be dropped.
pub fn check(sql: &str) -> Result<Vec<Warning>, Error> {
    Ok(raw_parse(sql, ParserOptions::default())?.warnings(sql))
}

pub(super) fn raw_parse(sql: &str, options: ParserOptions) -> Result<Parse, Error> {
    let parse = Parse::new(sql, options)?;
    match parse.error(sql) {
        None => Ok(parse),
        Some(error) => Err(error),
    }
}

fn convert<T>(
    mut cx: FromRawContext,
    parse: &Parse,
    mut stmt: impl FnMut(*const raw::RawStmt, &mut FromRawContext) -> T,
) -> Result<Vec<T>, Error> {
    let stmts = parse.stmts().map(|raw| stmt(raw, &mut cx)).collect();
    cx.finish(stmts)
}
