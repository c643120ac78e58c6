//! Parses PL/pgSQL functions into JSON.

use serde_json::Value;

use super::ffi;
use crate::formats::plpgsql;
use crate::foundation::arena::with_arena;
use crate::foundation::limits::check_length;
use crate::types::error::Error;
use crate::types::options::ParserOptions;

/// Parses PL/pgSQL functions.
///
/// The result is an array with an object for each `CREATE FUNCTION`, `CREATE PROCEDURE` and `DO` in the SQL, in order: `{"PLpgSQL_function": {"datums": [..], "action": {..}}}`. The names are those of the
/// structs in PostgreSQL's `plpgsql.h`; fields with their default value are left out. The expressions and
/// statements in SQL are strings, in `PLpgSQL_expr`. A function in another language has an object without
/// `action`.
///
/// Mirrors `pg_query_parse_plpgsql` of libpg_query. Since PostgreSQL 18, its result is not valid JSON for trigger
/// functions: the objects for the variables `tg_op`, .. are cut off. Here they are objects like those of other variables
/// (`PLpgSQL_var`).
///
/// ```
/// let sql = "CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql";
/// let functions = pg_ast::parse_plpgsql(sql)?;
/// let block = &functions[0]["PLpgSQL_function"]["action"]["PLpgSQL_stmt_block"];
/// let expr = &block["body"][0]["PLpgSQL_stmt_return"]["expr"]["PLpgSQL_expr"];
/// assert_eq!(expr["query"], "1");
///
/// let error = pg_ast::parse_plpgsql("DO $$ BEGIN PERFORM 1 FROM FROM; END $$").unwrap_err();
/// assert_eq!(error.message(), "syntax error at or near \"FROM\"");
/// assert_eq!(error.cursor(), Some(27));
/// assert!(error.context().unwrap().ends_with("near line 1"));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's grammar does not accept the SQL, or PL/pgSQL does not accept the body of a function, or its blocks are
/// nested too deep for the stack of this thread. The first mistake is returned. Its cursor is a position in the SQL, even
/// if the mistake is in a function's body. (If the body has escapes, as in `E'..'`, it is the start of the body.)
pub fn parse_plpgsql(sql: &str) -> Result<Value, Error> {
    let max_depth = plpgsql::max_depth();
    check_length(sql, ParserOptions::default())?;
    with_arena(|arena| {
        let c_sql = ffi::c_string(sql, arena)?;
        ffi::plpgsql(c_sql, sql, |json| plpgsql::to_value(json, max_depth))
    })
}
