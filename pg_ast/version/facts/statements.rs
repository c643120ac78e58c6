//! The kinds of statements.

use super::ffi::raw_parse;
use super::names::views::STATEMENTS;
use super::names::{ParseResult, protobuf};
use super::view::{RawStmt, Tree, stmts};
use crate::convert::roles::{Role, Statement};
use crate::types::error::Error;
use crate::types::options::ParserOptions;

/// Tells which statements are utility statements: all but `SELECT`, `VALUES`, `INSERT`, `UPDATE`, `DELETE` and `MERGE`.
///
/// No tree is built. Mirrors `pg_query_is_utility_stmt` of libpg_query's
/// `pg_query_is_utility_stmt.c`.
///
/// ```
/// let sql = "SELECT 1; CREATE TABLE t (a int); EXPLAIN DELETE FROM t";
/// assert_eq!(pg_ast::is_utility_stmt(sql)?, [false, true, true]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// Normalized SQL is accepted, as with [`ParserOptions::normalized`].
///
/// # Errors
///
/// The errors of [`check`](super::super::check()).
pub fn is_utility_stmt(sql: &str) -> Result<Vec<bool>, Error> {
    let parse = raw_parse(sql, ParserOptions::default().normalized(true))?;
    Ok(stmts(&parse).map(RawStmt::is_utility_stmt).collect())
}

/// The end of the name of every type of statement.
const END: &[u8; 4] = b"Stmt";

const _: () = {
    let mut left = STATEMENTS;
    while let [statement, others @ ..] = left {
        let end = statement.name.as_bytes().last_chunk();
        assert!(matches!(end, Some(b"Stmt")), "a statement's name ends otherwise");
        left = others;
    }
};

/// Returns the rules for the fields of a statement type, by its C name; `None` if it is not a statement.
pub(crate) fn rules(name: &str) -> Option<&'static Statement> {
    // Most nodes are none, and need no search.
    if name.as_bytes().last_chunk() != Some(END) {
        return None;
    }
    let index = STATEMENTS.binary_search_by_key(&name, |rules| rules.name);
    STATEMENTS.get(index.ok()?)
}

/// Returns whether a statement of this type, by its C name, is a utility statement.
fn is_utility(name: &str) -> bool {
    rules(name).is_none_or(|rules| !rules.has(Role::With))
}

impl Tree {
    /// Tells which statements are utility statements, like [`is_utility_stmt`] for SQL.
    ///
    /// ```
    /// let tree = pg_ast::view::parse("VALUES (1); BEGIN")?;
    /// assert_eq!(tree.is_utility_stmt(), [false, true]);
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn is_utility_stmt(&self) -> Vec<bool> {
        self.stmts().map(RawStmt::is_utility_stmt).collect()
    }
}

impl RawStmt<'_> {
    /// Returns whether this is a utility statement.
    #[must_use]
    pub fn is_utility_stmt(self) -> bool {
        self.stmt().is_some_and(|stmt| is_utility(stmt.name()))
    }
}

impl ParseResult {
    /// Tells which statements are utility statements, like [`is_utility_stmt`] for SQL.
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
    /// Returns whether this is a utility statement; `false` if it is empty.
    #[must_use]
    pub fn is_utility_stmt(&self) -> bool {
        let stmt = self.stmt.as_ref().and_then(|stmt| stmt.to_ref());
        stmt.is_some_and(|stmt| is_utility(stmt.name()))
    }
}
