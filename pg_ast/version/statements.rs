//! What kind of statement each one is.

use super::parse::raw_parse;
use super::protobuf;
use super::raw::NodeTag;
use super::{NodeEnum, ParseResult};
use crate::error::Error;
use crate::options::ParserOptions;

/// Whether each statement of a text is a utility statement: one that has no plan of its own, as all
/// but `SELECT`, `VALUES`, `INSERT`, `UPDATE`, `DELETE` and `MERGE`.
///
/// No tree is made. Mirrors `pg_query_is_utility_stmt` of libpg_query's
/// `pg_query_is_utility_stmt.c`.
///
/// ```
/// let sql = "SELECT 1; CREATE TABLE t (a int); EXPLAIN DELETE FROM t";
/// assert_eq!(pg_ast::is_utility_stmt(sql)?, [false, true, true]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// As [`check`](super::check()).
pub fn is_utility_stmt(sql: &str) -> Result<Vec<bool>, Error> {
    let parse = raw_parse(sql, ParserOptions::default())?;
    let is_utility = |tag| {
        !matches!(
            tag,
            NodeTag::T_SelectStmt
                | NodeTag::T_InsertStmt
                | NodeTag::T_UpdateStmt
                | NodeTag::T_DeleteStmt
                | NodeTag::T_MergeStmt
        )
    };
    Ok(parse
        .stmts()
        // SAFETY: the parser's result is a whole tree, which `parse` keeps alive; a RawStmt always
        // has its statement, and that begins with its tag.
        .map(|stmt| is_utility(unsafe { (*(*stmt).stmt).type_ }))
        .collect())
}

impl ParseResult {
    /// Whether each statement is a utility statement, as [`is_utility_stmt`] tells it of a text.
    ///
    /// ```
    /// let tree = pg_ast::parse("VALUES (1); BEGIN")?;
    /// assert_eq!(tree.is_utility_stmt(), [false, true]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_utility_stmt(&self) -> Vec<bool> {
        self.protobuf.stmts.iter().map(protobuf::RawStmt::is_utility_stmt).collect()
    }
}

impl protobuf::RawStmt {
    /// Whether this is a utility statement; `false` if there is none in it.
    #[must_use]
    pub fn is_utility_stmt(&self) -> bool {
        let node = self.stmt.as_ref().and_then(|stmt| stmt.node.as_ref());
        node.is_some_and(|node| {
            !matches!(
                node,
                NodeEnum::SelectStmt(_)
                    | NodeEnum::InsertStmt(_)
                    | NodeEnum::UpdateStmt(_)
                    | NodeEnum::DeleteStmt(_)
                    | NodeEnum::MergeStmt(_)
            )
        })
    }
}
