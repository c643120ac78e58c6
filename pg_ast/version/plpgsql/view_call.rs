//! Parses SQL, compiles the functions in it, and reads them in place.

use core::borrow::Borrow;
use core::fmt;
use core::ops::Range;

use super::super::super::plpgsql_tree::Function as OwnedFunction;
use super::super::super::plpgsql_views::Function;
use super::compile::{body_of_do, compiled, header_and_body, stmt_range};
use super::ffi::c_string;
use super::ffi::plpgsql_parse::PlpgsqlParse;
use super::names::raw;
use super::sql_view::to_owned::checked;
use super::sql_view::{CreateFunctionStmt, DoStmt};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::arena::with_arena;
use crate::foundation::limits::{Limits, check_length};
use crate::types::error::{Error, ErrorKind, Warning};
use crate::types::options::ParserOptions;

/// The functions in SQL that are in PL/pgSQL, in C.
///
/// It owns the C structs. It can be sent to another thread, read by several, and dropped on any.
pub struct Parsed {
    parse: PlpgsqlParse,
    functions: Vec<Viewed>,
    warnings: Vec<Warning>,
}

/// A function in PL/pgSQL, or why it is none.
struct Viewed {
    /// The index among all statements that may have a body.
    index: usize,
    range: Range<usize>,
    error: Option<Error>,
    warnings: Vec<Warning>,
}

/// Parses SQL, and compiles each function in it that is in PL/pgSQL, with PostgreSQL's default settings.
///
/// ```
/// use pg_ast::plpgsql::{self, view};
///
/// let sql = "DO $$ BEGIN PERFORM f(); END $$; DO $$ BEGIN PERFORM FROM FROM; END $$";
/// let parsed = view::parse(sql)?;
/// let [right, wrong] = parsed.functions().collect::<Vec<_>>()[..] else { panic!() };
/// let function = right.function()?;
/// assert_eq!(function.action().body().len(), 1);
/// let owned = plpgsql::parse(sql)?.functions.remove(0).function?;
/// assert_eq!(function.to_owned_tree()?, owned);
/// assert_eq!(wrong.function().unwrap_err().cursor(), sql.rfind("FROM;"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`plpgsql::parse`](super::parse()).
pub fn parse(sql: &str) -> Result<Parsed, Error> {
    parse_with(sql, ParserOptions::default())
}

/// Like [`parse`], with the given settings.
///
/// A tree that is not copied can have any depth.
///
/// ```
/// use pg_ast::{ParserOptions, plpgsql::view};
///
/// let options = ParserOptions::default().max_bytes(10);
/// assert!(view::parse_with("DO $$ BEGIN COMMIT; END $$", options).is_err());
/// ```
///
/// # Errors
///
/// The errors of [`parse`].
pub fn parse_with(sql: &str, options: impl Borrow<ParserOptions>) -> Result<Parsed, Error> {
    let options = *options.borrow();
    let parse = compiled(sql, options)?;
    let mut limits = Limits::new(sql, options);
    let needs_check = needs_check(&parse, sql);
    let mut functions = Vec::new();
    for (index, compiled) in parse.functions(sql).into_iter().enumerate() {
        let Some(function) = compiled.function else { continue };
        let range = compiled.stmt.map_or(0..0, |stmt| stmt_range(stmt, sql));
        let checked = function.and_then(|function| {
            if needs_check { check(function, &mut limits, range.start) } else { Ok(()) }
        });
        let warnings = compiled.warnings;
        functions.push(Viewed { index, range, error: checked.err(), warnings });
    }
    let warnings = parse.warnings(sql);
    Ok(Parsed { parse, functions, warnings })
}

/// Returns whether a tree may have strings that are not UTF-8, which only an escape can make, or more nodes than the
/// text has room for.
fn needs_check(parse: &PlpgsqlParse, sql: &str) -> bool {
    parse.shares_nodes() || sql.as_bytes().contains(&b'\\')
}

/// Checks what readers of a function rely on. Such functions are rare, and a copy has all checks.
fn check(
    function: InC<'_, raw::PLpgSQL_function>,
    limits: &mut Limits,
    start: usize,
) -> Result<(), Error> {
    checked::<OwnedFunction, _>(function, limits, start)
}

impl Parsed {
    /// Returns the functions, procedures and `DO`, in the order of their statements.
    #[must_use]
    pub fn functions(
        &self,
    ) -> impl ExactSizeIterator<Item = ParsedFunction<'_>> + DoubleEndedIterator + Clone {
        self.functions.iter().map(|found| ParsedFunction { parse: &self.parse, found })
    }

    /// Returns the warnings that PostgreSQL raised for the SQL around their bodies, in order.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.functions()).finish()
    }
}

/// A `CREATE FUNCTION`, a `CREATE PROCEDURE` or a `DO`, and its function.
#[derive(Clone, Copy)]
pub struct ParsedFunction<'a> {
    parse: &'a PlpgsqlParse,
    found: &'a Viewed,
}

impl<'a> ParsedFunction<'a> {
    /// Returns the place of the statement in the SQL, as byte offsets.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.found.range.clone()
    }

    /// Returns the function.
    ///
    /// # Errors
    ///
    /// PL/pgSQL does not accept it. The cursor is a position in the SQL.
    pub fn function(self) -> Result<Function<'a>, Error> {
        match &self.found.error {
            Some(error) => Err(error.clone()),
            None => self.parse.tree(self.found.index).map(Function).ok_or_else(no_function),
        }
    }

    /// Returns the warnings that PostgreSQL raised for the body, in order.
    #[must_use]
    pub fn warnings(self) -> &'a [Warning] {
        &self.found.warnings
    }
}

impl fmt::Debug for ParsedFunction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParsedFunction")
            .field("range", &self.found.range)
            .field("function", &self.function())
            .field("warnings", &self.found.warnings)
            .finish()
    }
}

fn no_function() -> Error {
    Error::new(ErrorKind::Syntax, "the header is not that of a function in PL/pgSQL")
}

/// A function that was compiled alone, in C.
pub struct Compiled(PlpgsqlParse);

/// Compiles the body of a function alone: as [`plpgsql::parse_body`](super::parse_body).
///
/// ```
/// use pg_ast::plpgsql::view;
///
/// let header = "CREATE FUNCTION f(a int) RETURNS int";
/// let compiled = view::parse_body("BEGIN RETURN a + 1; END", Some(header))?;
/// let function = compiled.function();
/// assert_eq!(function.params().first().and_then(|param| param.name()), Some("a"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`plpgsql::parse_body`](super::parse_body).
pub fn parse_body(body: &str, header: Option<&str>) -> Result<Compiled, Error> {
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
    let compiled = parse.functions(body).into_iter().next().and_then(|compiled| compiled.function);
    let function = compiled.unwrap_or_else(|| Err(no_function()))?;
    if needs_check(&parse, body) {
        check(function, &mut Limits::new(body, options), 0)?;
    }
    Ok(Compiled(parse))
}

impl Compiled {
    /// Returns the function.
    #[must_use]
    pub fn function(&self) -> Function<'_> {
        self.0.tree(0).map_or_else(super::body_views::Element::empty, Function)
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Compiled").field(&self.function()).finish()
    }
}

impl Function<'_> {
    /// Compiles the function of a statement; `None` if it is in another language, or has no body.
    ///
    /// Its places are those in the body, the string after `AS`.
    ///
    /// ```
    /// use pg_ast::plpgsql::view::Function;
    ///
    /// let sql = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN a; END'";
    /// let tree = pg_ast::view::parse(sql)?;
    /// let stmt = tree.stmts().find_map(|stmt| stmt.stmt()?.as_create_function_stmt()).unwrap();
    /// let compiled = Function::of(stmt).unwrap()?;
    /// assert_eq!(compiled.function().action().range(), Some(0..19));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// PL/pgSQL does not accept the body.
    #[must_use]
    pub fn of(stmt: CreateFunctionStmt<'_>) -> Option<Result<Compiled, Error>> {
        let stmt = match stmt.to_owned_tree() {
            Ok(stmt) => stmt,
            Err(error) => return Some(Err(error)),
        };
        let (header, body) = header_and_body(&stmt)?;
        Some(header.and_then(|header| parse_body(body, Some(&header))))
    }

    /// Compiles the body of a `DO`; `None` if it is in another language.
    ///
    /// Its places are those in the body.
    ///
    /// # Errors
    ///
    /// PL/pgSQL does not accept the body.
    #[must_use]
    pub fn of_do(stmt: DoStmt<'_>) -> Option<Result<Compiled, Error>> {
        let stmt = match stmt.to_owned_tree() {
            Ok(stmt) => stmt,
            Err(error) => return Some(Err(error)),
        };
        body_of_do(&stmt).map(|body| parse_body(body, None))
    }
}
