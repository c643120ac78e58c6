//! Parses SQL and compiles the functions in it.

use core::borrow::Borrow;
use core::ops::Range;

use super::super::super::plpgsql_tree::Function;
use super::SqlFunction;
use super::ffi::c_string;
use super::ffi::plpgsql_parse::PlpgsqlParse;
use super::names::{Node, NodeRef, ParseResult};
use super::names::{protobuf, raw};
use crate::convert::FromRawContext;
use crate::convert::c_tree::in_c::InC;
use crate::foundation::arena::with_arena;
use crate::foundation::limits::{Limits, check_length};
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::options::{DeparseOptions, ParserOptions};

/// The functions in SQL that are in PL/pgSQL or in SQL.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parsed {
    /// The functions, procedures and `DO`, in the order of their statements.
    pub functions: Vec<ParsedFunction>,
    /// The functions and procedures in SQL, in the order of their statements.
    pub sql_functions: Vec<SqlFunction>,
    /// The warnings that PostgreSQL raised for the SQL around their bodies, in order.
    pub warnings: Vec<Warning>,
}

/// A `CREATE FUNCTION`, a `CREATE PROCEDURE` or a `DO`, and its function.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParsedFunction {
    /// The place of the statement in the SQL, as byte offsets.
    pub range: Range<usize>,
    /// The function; or why PL/pgSQL does not accept it. The error's cursor is a position in the SQL.
    pub function: Result<Function, Error>,
    /// The warnings that PostgreSQL raised for the body, in order.
    pub warnings: Vec<Warning>,
}

/// Parses SQL, and compiles each function in it that is in PL/pgSQL, with PostgreSQL's default settings.
///
/// The bodies of functions in SQL are parsed as well. Other statements only have to be correct; functions in other languages are
/// left out. One wrong body does not hide the others:
/// each function has its own result.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let sql = "
///     CREATE TABLE t (a int);
///     CREATE FUNCTION f() RETURNS int AS $$ BEGIN PERFORM 1 FROM FROM; END $$ LANGUAGE plpgsql;
///     DO $$ BEGIN INSERT INTO t VALUES (1); END $$";
/// let parsed = plpgsql::parse(sql)?;
/// let [wrong, right] = &parsed.functions[..] else { panic!() };
/// let error = wrong.function.as_ref().unwrap_err();
/// assert_eq!(error.message(), "syntax error at or near \"FROM\"");
/// assert_eq!(error.cursor(), sql.find("FROM;"));
/// assert!(right.function.as_ref().is_ok_and(|function| function.is_do));
/// assert!(sql[right.range.clone()].starts_with("DO $$"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's grammar does not accept the SQL around the bodies, or it exceeds a limit of [`ParserOptions`].
pub fn parse(sql: &str) -> Result<Parsed, Error> {
    parse_with(sql, ParserOptions::default())
}

/// Like [`parse`], with the given settings.
///
/// The limits on the size of trees are for all functions together, that on their depth is for each.
///
/// ```
/// use pg_ast::{ErrorKind, ParserOptions, plpgsql};
///
/// let options = ParserOptions::default().max_depth(3);
/// let sql = "DO $$ BEGIN IF a THEN COMMIT; END IF; END $$; DO $$ BEGIN COMMIT; END $$";
/// let parsed = plpgsql::parse_with(sql, options)?;
/// assert_eq!(parsed.functions[0].function.as_ref().unwrap_err().kind(), ErrorKind::TooDeep);
/// assert!(parsed.functions[1].function.is_ok());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_with(sql: &str, options: impl Borrow<ParserOptions>) -> Result<Parsed, Error> {
    let options = *options.borrow();
    let parse = compiled(sql, options)?;
    let mut limits = Limits::new(sql, options);
    let (mut functions, mut sql_functions) = (Vec::new(), Vec::new());
    for compiled in parse.functions(sql) {
        let range = compiled.stmt.map_or(0..0, |stmt| stmt_range(stmt, sql));
        let Some(function) = compiled.function else {
            let stmt = compiled.stmt.map(|stmt| owned_stmt(stmt, &mut limits, range.start));
            sql_functions.extend(match stmt {
                Some(Ok(mut tree)) => SqlFunction::new(&mut tree, sql, range),
                Some(Err(error)) => Some(SqlFunction::too_large(error, range)),
                None => None,
            });
            continue;
        };
        let function = function.and_then(|function| owned(function, &mut limits, range.start));
        let warnings = compiled.warnings;
        functions.push(ParsedFunction { range, function, warnings });
    }
    Ok(Parsed { functions, sql_functions, warnings: parse.warnings(sql) })
}

/// Compiles the functions of SQL.
pub(super) fn compiled(sql: &str, options: ParserOptions) -> Result<PlpgsqlParse, Error> {
    check_length(sql, options)?;
    let parse = with_arena(|arena| PlpgsqlParse::new(c_string(sql, arena)?, options))?;
    match parse.error(sql) {
        None => Ok(parse),
        Some(error) => Err(error.of_grammar(super::names::MAJOR, options)),
    }
}

/// Copies a statement into the types of the tree.
fn owned_stmt(
    stmt: InC<'_, raw::RawStmt>,
    limits: &mut Limits,
    start: usize,
) -> Result<ParseResult, Error> {
    let mut cx = FromRawContext::new(*limits, 0);
    let stmt: protobuf::RawStmt = stmt.to_owned(&mut cx);
    limits.max_nodes = cx.limits_left().max_nodes;
    let version = raw::PG_VERSION_NUM.cast_signed();
    let tree = ParseResult::from(protobuf::ParseResult { version, stmts: vec![stmt] });
    cx.finish(tree, Some(start))
}

/// Returns the place of a statement, without the blanks before it.
pub(super) fn stmt_range(stmt: InC<'_, raw::RawStmt>, sql: &str) -> Range<usize> {
    let stmt = stmt.get();
    let start = usize::try_from(stmt.stmt_location).unwrap_or(0).min(sql.len());
    let length = usize::try_from(stmt.stmt_len).unwrap_or(0);
    let end = if length == 0 { sql.len() } else { start.saturating_add(length).min(sql.len()) };
    let blanks = sql.get(start..end).map_or(0, |text| text.len() - text.trim_ascii_start().len());
    start + blanks..end
}

/// Copies a function into the types of the tree.
pub(super) fn owned(
    function: InC<'_, raw::PLpgSQL_function>,
    limits: &mut Limits,
    start: usize,
) -> Result<Function, Error> {
    let mut cx = FromRawContext::new(*limits, 0);
    let function: Function = function.to_owned(&mut cx);
    limits.max_nodes = cx.limits_left().max_nodes;
    cx.finish(function, Some(start))
}

/// Compiles the body of a function alone, as an editor has it: places are those in `body`.
///
/// `header` is the `CREATE FUNCTION` or `CREATE PROCEDURE` without `AS` and `LANGUAGE`, for the parameters and the type of the
/// result; without one, the body is that of a `DO`.
///
/// ```
/// use pg_ast::plpgsql;
///
/// let body = "BEGIN RETURN a + 1; END";
/// let function = plpgsql::parse_body(body, Some("CREATE FUNCTION f(a int) RETURNS int"))?;
/// assert_eq!(&body[function.action.body[0].range().unwrap()], "RETURN a + 1;");
///
/// let error = plpgsql::parse_body("BEGIN RETURN a + 1; END", None).unwrap_err();
/// assert_eq!(error.message(), "RETURN cannot have a parameter in function returning void");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PL/pgSQL does not accept the body, PostgreSQL's grammar does not accept the header, or the header is not that of a function.
/// The cursor is a position in the body, unless the header is wrong.
pub fn parse_body(body: &str, header: Option<&str>) -> Result<Function, Error> {
    let options = ParserOptions::default();
    check_length(body, options)?;
    check_length(header.unwrap_or_default(), options)?;
    let parse = with_arena(|arena| {
        let header = header.map(|header| c_string(header, arena)).transpose()?;
        PlpgsqlParse::of_body(c_string(body, arena)?, header, options)
    })?;
    if let Some(error) = parse.error(header.unwrap_or_default()) {
        return Err(error);
    }
    let compiled = parse.functions(body).into_iter().find_map(|compiled| compiled.function);
    let function = compiled.unwrap_or_else(|| {
        Err(Error::new(ErrorKind::Syntax, "the header is not that of a function in PL/pgSQL"))
    })?;
    owned(function, &mut Limits::new(body, options), 0)
}

impl Function {
    /// Compiles the function of a statement of the tree; `None` if it is in another language, or has no body.
    ///
    /// Its places are those in the body, the string after `AS`.
    ///
    /// ```
    /// use pg_ast::plpgsql::Function;
    ///
    /// let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN a; END'";
    /// let tree = pg_ast::parse(sql)?;
    /// let stmt = tree.stmts().find_map(|stmt| stmt.as_create_function_stmt()).unwrap();
    /// let function = Function::of(stmt).unwrap()?;
    /// assert_eq!(function.variable_name(function.params[0].dno.unwrap()), Some("a"));
    /// assert_eq!(function.action.range(), Some(0..19));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// PL/pgSQL does not accept the body, or the statement cannot be printed, as one that was made by hand.
    #[must_use]
    pub fn of(stmt: &protobuf::CreateFunctionStmt) -> Option<Result<Self, Error>> {
        let (header, body) = header_and_body(stmt)?;
        Some(header.and_then(|header| parse_body(body, Some(&header))))
    }

    /// Compiles the body of a `DO` of the tree; `None` if it is in another language.
    ///
    /// Its places are those in the body.
    ///
    /// ```
    /// use pg_ast::plpgsql::Function;
    ///
    /// let tree = pg_ast::parse("DO 'BEGIN COMMIT; END'")?;
    /// let stmt = tree.stmts().find_map(|stmt| stmt.as_do_stmt()).unwrap();
    /// assert_eq!(Function::of_do(stmt).unwrap()?.action.body.len(), 1);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// PL/pgSQL does not accept the body.
    #[must_use]
    pub fn of_do(stmt: &protobuf::DoStmt) -> Option<Result<Self, Error>> {
        body_of_do(stmt).map(|body| parse_body(body, None))
    }
}

/// Returns the statement without its options, and the body; `None` for a function in another language.
pub(super) fn header_and_body(
    stmt: &protobuf::CreateFunctionStmt,
) -> Option<(Result<String, Error>, &str)> {
    let body = plpgsql_source(NodeRef::CreateFunctionStmt(stmt))?;
    let header = Node::from(protobuf::CreateFunctionStmt { options: Vec::new(), ..stmt.clone() });
    Some((super::print::deparse::deparse_stmt(&header, DeparseOptions::default()), body))
}

/// Returns the body; `None` for one in another language.
pub(super) fn body_of_do(stmt: &protobuf::DoStmt) -> Option<&str> {
    plpgsql_source(NodeRef::DoStmt(stmt))
}

fn plpgsql_source(stmt: NodeRef<'_>) -> Option<&str> {
    stmt.routine_body().filter(|body| body.language == Some("plpgsql"))?.source
}
