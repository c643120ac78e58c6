//! Normalized SQL.

use core::borrow::Borrow;

use super::ffi;
use super::ffi::{Normalized, Parse};
use super::fingerprint::hash;
use super::names::raw;
use super::view::memory::{ContentInC, StructInC};
use crate::convert::c_tree::in_c::InC;
use crate::foundation::limits::check_length;
use crate::types::error::Error;
use crate::types::options::{NormalizeOptions, ParserOptions};

/// Replaces the constants in SQL by parameters (`$1`, `$2`, ..), or by `'...'` where the grammar has no parameters.
///
/// The result parses with [`ParserOptions::normalized`]; the SQL may be normalized already, without that. Two statements that
/// differ in constants which the [`fingerprint`](super::super::fingerprint()) ignores have the same one, and normalizing it again
/// changes nothing. Layout and comments stay as they are, apart from a blank where a parameter would join a word. The numbers
/// continue after those that the SQL already has.
///
/// ```
/// assert_eq!(pg_ast::normalize("SELECT * FROM t  WHERE a = 'b'")?, "SELECT * FROM t  WHERE a = $1");
/// assert_eq!(pg_ast::normalize("SET work_mem = '8MB'")?, "SET work_mem = $1");
/// assert_eq!(pg_ast::normalize("DO 'BEGIN END'")?, "DO '...'");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # What is replaced
///
/// - Every constant that is an expression, in any statement, also `TRUE`, `FALSE` and `NULL`, with its sign: `-(5)` is
///   `$1`. As in libpg_query's grammar, parameters are also allowed in `DATE $1`, `SET a = $1` and `PASSWORD $1`, where
///   PostgreSQL's has none.
/// - Strings that the fingerprint ignores: bodies of functions and of `DO`, names of prepared transactions.
/// - Strings that can be secrets, although they count in the fingerprint: passwords, `OPTIONS` of foreign servers,
///   tables, data wrappers and user mappings, connections of subscriptions, programs of `COPY`, arguments of triggers.
///
/// ```
/// let sql = "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password 'secret')";
/// let normalized = "CREATE USER MAPPING FOR u SERVER s OPTIONS (user '...', password '...')";
/// assert_eq!(pg_ast::normalize(sql)?, normalized);
/// assert_ne!(pg_ast::fingerprint(sql)?, pg_ast::fingerprint(normalized)?);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// What remains has a meaning of its own: the position of a column in `GROUP BY 1` and `ORDER BY 1`, the modifiers of
/// types such as `numeric(10, 2)`, numbers such as the `COST` of a function; and texts that are the statement's purpose,
/// as in `COMMENT` and `CREATE TYPE .. AS ENUM`.
///
/// Mirrors `pg_query_normalize` of libpg_query's `pg_query_normalize.c`; [`NormalizeOptions::as_libpg_query`] selects
/// its own result.
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()).
pub fn normalize(sql: &str) -> Result<String, Error> {
    normalize_with(sql, ParserOptions::default(), NormalizeOptions::default())
}

/// Like [`normalize`], with the given settings of the parser and of normalized SQL.
///
/// ```
/// use pg_ast::{NormalizeOptions, ParserOptions};
///
/// let parser = ParserOptions::default().standard_conforming_strings(false);
/// let options = NormalizeOptions::default();
/// assert_eq!(pg_ast::normalize_with(r"SELECT 'it\'s', 1", parser, options)?, "SELECT $1, $2");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()). With [`NormalizeOptions::as_libpg_query`], before PostgreSQL 17:
/// [`Unsupported`](crate::ErrorKind::Unsupported) for [`NormalizeOptions::utility`], and if constants seem to overlap,
/// since libpg_query searches the SQL for constants such as those of `CREATE SUBSCRIPTION`, and may find them within
/// another one.
pub fn normalize_with(
    sql: &str,
    parser: impl Borrow<ParserOptions>,
    options: impl Borrow<NormalizeOptions>,
) -> Result<String, Error> {
    let parser = parser.borrow().normalized(true);
    check_length(sql, parser)?;
    Ok(of_text(sql, None, parser, *options.borrow())?.sql)
}

/// Like [`normalize_with`] by default, but fails if the SQL has a parameter that does not count for the numbers.
#[cfg(feature = "cache")]
pub(crate) fn normalize_counted(sql: &str, parser: ParserOptions) -> Option<String> {
    check_length(sql, parser).ok()?;
    let parser = parser.normalized(true);
    let normalized = of_text(sql, None, parser, NormalizeOptions::default()).ok()?;
    normalized.counts_all.then_some(normalized.sql)
}

/// Like [`normalize_with`], for SQL that has been parsed.
pub(crate) fn normalize_parse(
    parse: &Parse,
    sql: &str,
    parser: ParserOptions,
    options: NormalizeOptions,
) -> Result<String, Error> {
    Ok(of_text(sql, Some(parse), parser, options)?.sql)
}

fn of_text(
    sql: &str,
    parse: Option<&Parse>,
    parser: ParserOptions,
    options: NormalizeOptions,
) -> Result<Normalized, Error> {
    let children: ffi::Children = if options.as_libpg_query { None } else { Some(children) };
    ffi::normalize(sql, parse, parser, options.utility, hash, children)
}

/// Like [`normalize`], but leaves `SELECT`, `INSERT`, `UPDATE`, `DELETE` and `MERGE` as they are. Use it to record
/// utility statements, whose constants can be secrets.
///
/// Mirrors `pg_query_normalize_utility` of libpg_query's `pg_query_normalize.c`, which also leaves `SET`, `COPY`, `CALL`,
/// `DECLARE`, `CREATE FUNCTION` and `DO`; [`NormalizeOptions::as_libpg_query`] selects its own result.
///
/// ```
/// let sql = "ALTER ROLE r PASSWORD 'secret'";
/// assert_eq!(pg_ast::normalize_utility(sql)?, "ALTER ROLE r PASSWORD $1");
/// assert_eq!(pg_ast::normalize_utility("SELECT 'public'")?, "SELECT 'public'");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse`](super::super::parse()).
pub fn normalize_utility(sql: &str) -> Result<String, Error> {
    let options = NormalizeOptions::default().utility(true);
    normalize_with(sql, ParserOptions::default(), options)
}

/// Writes the nodes right below a node, as many as there is room for, and returns their number. Lists are nodes.
///
/// # Safety
///
/// `node` satisfies the conditions of [`InC::new`]; `out` has room for `room` pointers.
unsafe extern "C" fn children(
    node: *const raw::Node,
    out: *mut *const raw::Node,
    room: usize,
) -> usize {
    let mut count = 0;
    // SAFETY: the caller guarantees the node.
    let structure = unsafe { InC::new(node) }.structure();
    children_of(structure, &mut |child| {
        if count < room {
            // SAFETY: the caller guarantees the room, of which `count` pointers are taken.
            unsafe { out.add(count).write(child) };
        }
        count += 1;
    });
    count
}

/// Passes the nodes right below a struct to `f`.
fn children_of(structure: Option<StructInC<'_>>, f: &mut dyn FnMut(*const raw::Node)) {
    for link in structure.into_iter().flat_map(StructInC::links) {
        match link {
            ContentInC::Embedded(part) => children_of(Some(part), f),
            ContentInC::Node(Some(node)) | ContentInC::Child(Some(node)) => f(node.as_ptr()),
            ContentInC::List(Some(list)) => f(list.as_ptr().cast()),
            // The value of a constant is not a node by itself; other kinds are no links.
            _ => {}
        }
    }
}
