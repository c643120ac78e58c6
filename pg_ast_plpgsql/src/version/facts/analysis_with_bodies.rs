//! What statements name, with the bodies of the functions that they create.

use pg_ast::{Analysis, Error};

use super::body_facts::facts;
use super::pg::plpgsql::{Function, sql_body};
use super::pg::{NodeRef, ParseResult};

/// What statements name, with the bodies in them; see [`analyze_with_bodies`].
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

/// Lists what the statements name, like [`analyze`](ParseResult::analyze), with the bodies of `CREATE FUNCTION`, `CREATE PROCEDURE`
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
/// let found = pg_ast_plpgsql::analyze_with_bodies(&tree);
/// let tables: Vec<_> = found.analysis.tables.iter().map(|table| &*table.name.name).collect();
/// assert_eq!(tables, ["a", "b", "c", "d"]);
/// assert_eq!(found.analysis.filter_columns[0].column, "e");
/// assert_eq!((found.errors.len(), found.unread, found.other_languages), (0, 0, 1));
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn analyze_with_bodies(tree: &ParseResult) -> AnalysisWithBodies {
    let mut found = AnalysisWithBodies::default();
    let mut all = vec![tree.analyze()];
    for stmt in tree.stmts() {
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
                let facts = facts(&function);
                all.extend(facts.sql.iter().map(|sql| sql.names.clone()));
                found.unread += facts.unread.len();
            }
            Some(Err(error)) => found.errors.push(error),
            None => found.other_languages += 1,
        }
    }
    found.analysis = all.iter().collect();
    found
}
