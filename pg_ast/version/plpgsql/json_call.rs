//! The call of libpg_query that returns functions in PL/pgSQL as JSON.

use core::borrow::Borrow;

use serde_json::{Value, json};

use super::compile::{owned, stmt_range};
use super::ffi::c_string;
use super::ffi::plpgsql_parse::PlpgsqlParse;
use super::json_fields::to_json;
use super::names::MAJOR;
use crate::foundation::arena::with_arena;
use crate::foundation::limits::{Limits, check_length};
use crate::foundation::stack;
use crate::types::error::Error;
use crate::types::options::ParserOptions;

/// The maximum stack for cloning one level of a `Value`: measured without optimisation, since a
/// program may compile serde_json that way, however this crate is compiled. Dropping, comparing and printing take
/// less.
const BYTES_PER_LEVEL: usize = 2048;

/// The stack that is assumed to be left if its size is unknown (a coroutine's).
const ASSUMED_STACK: usize = 128 * 1024;

/// Returns the maximum depth of a value that can be dropped on this stack.
fn max_depth() -> usize {
    // An eighth is kept for code that drops it from a little deeper down.
    stack::remaining().unwrap_or(ASSUMED_STACK) / 8 * 7 / BYTES_PER_LEVEL
}

/// Parses PL/pgSQL functions into JSON, in the form of libpg_query.
///
/// The result is an array with an object for each `CREATE FUNCTION`, `CREATE PROCEDURE` and `DO` in the SQL, in order:
/// `{"PLpgSQL_function": {"datums": [..], "action": {..}}}`. A function in another language has an object without `action`.
/// [`plpgsql::parse`](crate::plpgsql::parse) returns the same functions as structs, whose trees have the SQL inside as well.
///
/// # Form
///
/// Each struct is an object in an object with the name of PostgreSQL's struct, as in `{"PLpgSQL_stmt_commit": {"lineno": 1}}`,
/// and its fields have PostgreSQL's names. The form is that of libpg_query for PostgreSQL 18, for all versions:
///
/// - `false`, 0, empty lists and what is not there are left out.
/// - `datums` are the variables. Their index is what `varno`, `curvar` and other fields refer to.
/// - The expressions and statements in SQL are strings: `query`, in `PLpgSQL_expr`. In the text of a statement, `INTO` and its
///   targets are blanks.
/// - The target of `INTO`, of `FETCH` and of a loop is the record (`PLpgSQL_rec`) or the row (`PLpgSQL_row`) itself.
/// - A body without `RETURN` at its end ends in one without a `lineno`, which PostgreSQL adds; it adds a block around one with
///   a label or with handlers for that.
/// - The `expr` of a `WHEN`, and the `argquery` of a cursor, are as PostgreSQL rewrites them.
/// - `parseMode`, `direction` and `opt_type` are the numbers of constants.
///
/// libpg_query leaves fields of the structs out, or takes a type for another one. Here are all fields that the structs of
/// [`plpgsql`](crate::plpgsql) have, by the same names, but the trees of SQL (`tree`):
///
/// | where | what |
/// |---|---|
/// | all that was written | `location` and `end`, byte offsets in the SQL |
/// | statements | `stmtid`; `PLpgSQL_stmt_null`, which libpg_query drops |
/// | `PLpgSQL_stmt_return`, `PLpgSQL_stmt_return_next` | `retvarno`: the variable that is returned |
/// | `PLpgSQL_stmt_block` | `decls`: its declarations, with `ALIAS`; `initvarnos` |
/// | `PLpgSQL_exception_block`, `PLpgSQL_exception`, `PLpgSQL_condition` | `sqlstate_varno`, `sqlerrm_varno`; `lineno`; `sqlerrstate` |
/// | `PLpgSQL_case_when` | `written`: the expression as it is in the body |
/// | `PLpgSQL_stmt_open`, `PLpgSQL_stmt_forc` | `args`: the arguments as they are in the body |
/// | `PLpgSQL_type` | `text`, with precision; `collation_name`, an array of strings; `ttype`, `typisarray`, `unknown` |
/// | `PLpgSQL_var`, `PLpgSQL_rec`, `PLpgSQL_row`, `PLpgSQL_recfield` | `dno`; `promise` of a variable of a trigger; `datatype`, `isconst`, `notnull`, `default_val` of a record; `firstfield`, `nextfield` |
/// | `PLpgSQL_function` | `name`, `params`, `returns`, `is_procedure`, `is_do`, `fn_is_trigger`, `fn_retset`, `out_param_varno`, `found_varno`, `resolve_option`, `print_strict_params`, `nstatements`, `has_exception_block` |
///
/// Their constants are strings, PostgreSQL's names. A number of a variable that may not be there is left out only then, so that
/// `retvarno` may be 0. The record of a target has no more than `refname`, `lineno` and `dno`; the rest is in `datums`.
///
/// ```
/// let sql = "CREATE FUNCTION f(a int) RETURNS int AS $$ BEGIN RETURN a; END $$ LANGUAGE plpgsql";
/// let functions = pg_ast::parse_plpgsql(sql)?;
/// let function = &functions[0]["PLpgSQL_function"];
/// let stmt = &function["action"]["PLpgSQL_stmt_block"]["body"][0]["PLpgSQL_stmt_return"];
/// let variable = stmt["retvarno"].as_u64().unwrap() as usize;
/// assert_eq!(function["datums"][variable]["PLpgSQL_var"]["refname"], "a");
/// let place = |key: &str| stmt[key].as_u64().unwrap() as usize;
/// assert_eq!(&sql[place("location")..place("end")], "RETURN a;");
///
/// let error = pg_ast::parse_plpgsql("DO $$ BEGIN PERFORM 1 FROM FROM; END $$").unwrap_err();
/// assert_eq!(error.message(), "syntax error at or near \"FROM\"");
/// assert_eq!(error.cursor(), Some(27));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// PostgreSQL's grammar does not accept the SQL, or PL/pgSQL does not accept a function, or its blocks are nested too deep for
/// the stack of this thread. The first mistake is returned, and its cursor is a position in the SQL, even if it is in the body
/// of a function: for one result per function, see [`plpgsql::parse`](crate::plpgsql::parse).
pub fn parse_plpgsql(sql: &str) -> Result<Value, Error> {
    parse_plpgsql_with(sql, ParserOptions::default())
}

/// Like [`parse_plpgsql`], with the given settings of the parser.
///
/// ```
/// use pg_ast::ParserOptions;
///
/// // The operator is missing.
/// let sql = "DO $$ DECLARE a int = 1; BEGIN a = a $1; END $$";
/// assert!(pg_ast::parse_plpgsql(sql).is_err());
/// assert!(pg_ast::parse_plpgsql_with(sql, ParserOptions::default().normalized(true)).is_ok());
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`parse_plpgsql`].
pub fn parse_plpgsql_with(sql: &str, options: impl Borrow<ParserOptions>) -> Result<Value, Error> {
    let max_depth = max_depth();
    let options = *options.borrow();
    check_length(sql, options)?;
    let parse = with_arena(|arena| PlpgsqlParse::new(c_string(sql, arena)?, options))?;
    if let Some(error) = parse.error(sql) {
        return Err(error.of_grammar(MAJOR, options));
    }
    let mut limits = Limits::new(sql, options);
    let mut functions = Vec::new();
    for compiled in parse.functions(sql) {
        functions.push(match compiled.function {
            None => json!({"PLpgSQL_function": {"datums": []}}),
            Some(function) => {
                let start = compiled.stmt.map_or(0, |stmt| stmt_range(stmt, sql).start);
                let function = owned(function?, &mut limits, start)?;
                to_json(&function, max_depth).ok_or_else(|| Error::too_deep(max_depth))?
            }
        });
    }
    Ok(Value::Array(functions))
}
