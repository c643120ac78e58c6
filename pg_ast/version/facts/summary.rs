//! libpg_query's summary of a query.

use super::view;
use crate::types::analysis::{Analysis, Summary};
use crate::types::error::Error;

/// Lists what statements name, and cuts the SQL to a length if there is a `truncate_limit`.
///
/// The result has the fields of libpg_query's summary, and covers the same: of a utility statement, the table that
/// it is about and the query in it. [`ParseResult::analyze`](super::super::ParseResult::analyze) covers everything.
///
/// It finds what libpg_query finds, each once, except for what libpg_query gets wrong:
///
/// - A column after a subselect in a `WHERE` is a filter as well.
/// - A function, a table or a `WITH` in `RETURNING` counts; libpg_query 18 loses it.
/// - Which names in `FROM` are those of a `WITH` follows PostgreSQL's rules of scope; libpg_query 17
///   and 18 each have a simpler rule.
/// - The source of a `MERGE` counts, and so does each function of a `DROP FUNCTION`.
///
/// The limit is in bytes, see [`ParseResult::deparse_truncated`](super::super::ParseResult::deparse_truncated).
///
/// Mirrors `pg_query_summary` of libpg_query's `pg_query_summary.c`, which the versions before 17 do not
/// have.
///
/// ```
/// let sql = "SELECT a, b FROM s.t WHERE t.id = 1";
/// let summary = pg_ast::summary(sql, Some(30))?;
/// assert_eq!(summary.tables[0].name, "s.t");
/// assert_eq!(summary.filter_columns[0].table.as_ref().unwrap(), "t");
/// assert_eq!(summary.statement_types, ["SelectStmt"]);
/// assert_eq!(summary.truncated_query.as_deref(), Some("SELECT a, b FROM s.t WHERE ..."));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`view::parse`] and, with a limit, [`deparse`](super::super::deparse()).
pub fn summary(sql: &str, truncate_limit: Option<usize>) -> Result<Summary, Error> {
    let mut tree = view::parse(sql)?;
    let Analysis { tables, aliases, cte_names, functions, filter_columns, statement_types } =
        tree.summarize();
    let truncated_query = truncate_limit.map(|limit| tree.deparse_truncated(limit)).transpose()?;
    let warnings = tree.take_warnings();
    Ok(Summary {
        tables,
        aliases,
        cte_names,
        functions,
        filter_columns,
        statement_types,
        truncated_query,
        warnings,
    })
}
