//! Functions in SQL: `LANGUAGE sql`, with a body in quotes or after `BEGIN ATOMIC`.

use core::ops::Range;

use super::names::protobuf::{self, CreateFunctionStmt, Token};
use super::names::{Node, NodeEnum, NodeRef, ParseResult, raw};
use super::read::parse::parse;
use super::read::scan::{ScanToken, scan};
use crate::types::error::Error;
use crate::types::literal_places::LiteralPlaces;
use crate::types::routine_body::RoutineBody;

/// A function or a procedure in SQL.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SqlFunction {
    /// The place of the statement in the SQL, as byte offsets.
    pub range: Range<usize>,
    /// The name, with its schema if one was written; empty if the statement exceeds a limit.
    pub name: String,
    /// Whether it is a procedure.
    pub is_procedure: bool,
    /// The statements of its body, with places in the SQL; or why PostgreSQL's grammar does not accept it, or which limit the
    /// function exceeds.
    pub body: Result<ParseResult, Error>,
}

/// Parses the body of a function in SQL that is a statement of a tree; `None` if it is in another language, or has no body.
///
/// The places are those in the string after `AS`; after `BEGIN ATOMIC`, they are those of the tree.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let tree = pg_ast::parse("CREATE FUNCTION f(id int) RETURNS int LANGUAGE sql
///     AS 'UPDATE t SET a = 1 WHERE b = id; SELECT 1'")?;
/// let stmt = tree.stmts().find_map(|stmt| stmt.as_create_function_stmt()).unwrap();
/// let body = plpgsql::sql_body(stmt).unwrap()?;
/// assert_eq!(body.stmts().count(), 2);
/// assert_eq!(body.tables(), ["t"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's grammar does not accept the body.
#[must_use]
pub fn sql_body(stmt: &CreateFunctionStmt) -> Option<Result<ParseResult, Error>> {
    let written = written(stmt)?;
    match &stmt.sql_body {
        Some(body) => Some(Ok(atomic((**body).clone()))),
        None => Some(parse(written.source?)),
    }
}

/// Returns the body of a function in SQL.
fn written(stmt: &CreateFunctionStmt) -> Option<RoutineBody<'_>> {
    NodeRef::CreateFunctionStmt(stmt).routine_body().filter(|body| body.language == Some("sql"))
}

impl SqlFunction {
    /// A function that exceeds a limit.
    pub(super) fn too_large(error: Error, range: Range<usize>) -> Self {
        Self { range, name: String::new(), is_procedure: false, body: Err(error) }
    }

    /// Reads the function of a statement in the SQL, if it is one.
    pub(super) fn new(tree: &mut ParseResult, sql: &str, range: Range<usize>) -> Option<Self> {
        let stmt = tree.stmts().next()?.as_create_function_stmt()?;
        let written = written(stmt)?;
        let name: Vec<_> = stmt.funcname.iter().filter_map(Node::as_str).collect();
        let (name, is_procedure) = (name.join("."), stmt.is_procedure);
        let body = if stmt.sql_body.is_some() {
            let [stmt] = &mut tree.change().stmts[..] else { return None };
            let node = stmt.stmt.as_mut()?.as_create_function_stmt_mut()?;
            Ok(atomic(*node.sql_body.take()?))
        } else {
            let body = written.source?;
            let places = stmt.options.iter().find_map(|option| {
                let option = option.as_def_elem().filter(|option| option.defname == "as")?;
                places(sql.get(..range.end)?, usize::try_from(option.location).ok()?, body)
            });
            quoted(body, places.as_ref())
        };
        Some(Self { range, name, is_procedure, body })
    }
}

/// Finds the places of the string after `AS`.
fn places(sql: &str, location: usize, body: &str) -> Option<LiteralPlaces> {
    let tokens = scan(sql.get(location..)?).ok()?.tokens;
    let is_constant = |token: &&ScanToken| matches!(token.token, Token::Sconst | Token::Usconst);
    let start = location + tokens.iter().find(is_constant)?.range().start;
    LiteralPlaces::new(sql, start, body, true)
}

/// Parses a body in quotes.
fn quoted(body: &str, places: Option<&LiteralPlaces>) -> Result<ParseResult, Error> {
    // With a blank, so that a location of 0 means none.
    let mut tree = parse(&format!(" {body}"));
    let outer = |inner: usize| Some(places?.outer(inner.saturating_sub(1)));
    match &mut tree {
        Ok(tree) => {
            tree.map_locations(|location| match usize::try_from(location) {
                Ok(0) => 0,
                Ok(inner) => outer(inner).map_or(-1, to_location),
                Err(_) => location,
            });
            let ranges = tree.protobuf.stmts.iter_mut().map(|stmt| {
                let start = usize::try_from(stmt.stmt_location).unwrap_or(0).max(1);
                (stmt, start)
            });
            for (stmt, start) in ranges {
                let end = match usize::try_from(stmt.stmt_len) {
                    Ok(length @ 1..) => usize::try_from(stmt.stmt_location).unwrap_or(0) + length,
                    _ => 1 + body.len(),
                };
                if let (Some(start), Some(end)) = (outer(start), outer(end)) {
                    stmt.stmt_location = to_location(start);
                    stmt.stmt_len = to_location(end.saturating_sub(start));
                } else {
                    (stmt.stmt_location, stmt.stmt_len) = (-1, 0);
                }
            }
            for warning in &mut tree.warnings {
                warning.cursor = warning.cursor.and_then(outer);
            }
        }
        Err(error) => {
            let cursor = error.cursor().and_then(outer);
            *error = error.clone().with_cursor(cursor);
        }
    }
    tree
}

fn to_location(offset: usize) -> i32 {
    i32::try_from(offset).unwrap_or(-1)
}

/// Makes a tree of the body after `BEGIN ATOMIC`, or of a `RETURN`.
fn atomic(body: Node) -> ParseResult {
    let mut stmts = Vec::new();
    let mut rest = vec![body];
    while let Some(mut node) = rest.pop() {
        match &mut node.node {
            Some(NodeEnum::List(list)) => {
                rest.extend(core::mem::take(&mut list.items).into_iter().rev());
            }
            Some(_) => stmts.push(protobuf::RawStmt {
                stmt: Some(Box::new(node)),
                stmt_location: -1,
                stmt_len: 0,
            }),
            None => {}
        }
    }
    let version = raw::PG_VERSION_NUM.cast_signed();
    ParseResult::from(protobuf::ParseResult { version, stmts })
}
