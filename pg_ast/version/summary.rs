//! What libpg_query calls the summary of a text.

use super::view;
use crate::types::analysis::{Analysis, Summary};
use crate::types::error::Error;

/// Tells what the statements of a text name, and cuts the text to a length if `truncate_limit`
/// gives one.
///
/// This has the fields of libpg_query's summary, and goes as far as that does: of a utility statement it
/// looks at the table that it is about and at the query in it. To look at everything, see
/// [`ParseResult::analyze`](super::ParseResult::analyze).
///
/// What it finds is what libpg_query finds, each once, but for what that gets wrong:
///
/// - A column that stands after a subselect in a `WHERE` filters as well.
/// - A function, a table or a `WITH` in `RETURNING` counts, which PostgreSQL 18's loses.
/// - Which names in `FROM` are those of a `WITH` follows PostgreSQL's rules of scope; libpg_query 17
///   and 18 each have a simpler rule.
/// - The source of a `MERGE` counts, and each function of a `DROP FUNCTION`.
///
/// The limit of the text is in bytes, see [`ParseResult::truncate`](super::ParseResult::truncate).
///
/// Mirrors `pg_query_summary` of libpg_query's `pg_query_summary.c`, which the versions before 17 do not
/// have.
///
/// ```
/// let sql = "SELECT a, b FROM s.t WHERE t.id = 1";
/// let summary = pg_ast::summary(sql, Some(30))?;
/// assert_eq!(summary.tables[0].name, "s.t");
/// assert_eq!(summary.filter_columns[0].table_name.as_deref(), Some("t"));
/// assert_eq!(summary.statement_types, ["SelectStmt"]);
/// assert_eq!(summary.truncated_query.as_deref(), Some("SELECT a, b FROM s.t WHERE ..."));
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// As [`view::parse`] and, with a limit, [`deparse`](super::deparse()).
pub fn summary(sql: &str, truncate_limit: Option<usize>) -> Result<Summary, Error> {
    let mut tree = view::parse(sql)?;
    let Analysis { tables, aliases, cte_names, functions, filter_columns, statement_types } =
        tree.summarize();
    let truncated_query = truncate_limit.map(|limit| tree.truncate(limit)).transpose()?;
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
