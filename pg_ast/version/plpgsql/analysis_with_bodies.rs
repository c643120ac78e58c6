//! What statements name, with the bodies of the functions that they create.

use super::super::super::plpgsql_tree::Function;
use super::body_facts::merged;
use super::names::{NodeRef, ParseResult};
use super::sql_body;
use crate::types::analysis::Analysis;
use crate::types::error::Error;

/// What statements name, with the bodies in them; see [`ParseResult::analyze_with_bodies`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AnalysisWithBodies {
    /// What the statements and the bodies name.
    pub analysis: Analysis,
    /// The errors of bodies that are wrong, in order. The cursors are positions in the bodies.
    pub errors: Vec<Error>,
    /// How many pieces of dynamic SQL could not be read.
    pub unread: usize,
    /// How many bodies are in other languages than PL/pgSQL and SQL.
    pub other_languages: usize,
}

impl ParseResult {
    /// Lists what the statements name, like [`analyze`](Self::analyze), with the bodies of `CREATE FUNCTION`, `CREATE PROCEDURE`
    /// and `DO`: those in PL/pgSQL, with dynamic SQL as far as it is known, and those in SQL.
    ///
    /// It compiles the bodies; `analyze` does not look into them.
    ///
    /// ```
    /// let sql = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
    ///     BEGIN EXECUTE 'TRUNCATE ' || quote_ident('a'); INSERT INTO b TABLE c; END $$;
    ///     CREATE FUNCTION g() RETURNS void LANGUAGE sql AS 'DELETE FROM d WHERE e';
    ///     CREATE FUNCTION h() RETURNS void LANGUAGE plperl AS '..'";
    /// let tree = pg_ast::parse(sql)?;
    /// assert!(tree.tables().is_empty());
    /// let found = tree.analyze_with_bodies();
    /// let tables: Vec<_> = found.analysis.tables.iter().map(|table| &*table.name.name).collect();
    /// assert_eq!(tables, ["a", "b", "c", "d"]);
    /// assert_eq!(found.analysis.filter_columns[0].column, "e");
    /// assert_eq!((found.errors.len(), found.unread, found.other_languages), (0, 0, 1));
    /// # Ok::<(), pg_ast::Error>(())
    /// ```
    #[must_use]
    pub fn analyze_with_bodies(&self) -> AnalysisWithBodies {
        let mut found = AnalysisWithBodies::default();
        let mut all = vec![self.analyze()];
        for stmt in self.stmts() {
            let function = match stmt {
                NodeRef::CreateFunctionStmt(stmt) => match sql_body(stmt) {
                    Some(Ok(body)) => {
                        // A body after BEGIN ATOMIC is part of the tree.
                        if stmt.sql_body.is_none() {
                            all.push(body.analyze());
                        }
                        continue;
                    }
                    Some(Err(error)) => {
                        found.errors.push(error);
                        continue;
                    }
                    None => Function::of(stmt),
                },
                NodeRef::DoStmt(stmt) => Function::of_do(stmt),
                _ => continue,
            };
            match function {
                Some(Ok(function)) => {
                    let facts = function.facts();
                    all.extend(facts.sql.iter().map(|sql| sql.names.clone()));
                    found.unread += facts.unread.len();
                }
                Some(Err(error)) => found.errors.push(error),
                None => found.other_languages += 1,
            }
        }
        found.analysis = merged(|| all.iter());
        found
    }
}
