//! Looks for what is seldom meant in SQL, and says where it stands.
//!
//! ```text
//! cargo run --example lint -- schema.sql queries.sql
//! queries.sql:3:7: `SELECT *` takes whatever columns there are
//!   SELECT * FROM users
//!          ^
//! ```
//!
//! It exits with 1 if it found something, with 2 if a file cannot be read or parsed.
//!
//! It shows how to find nodes, wherever they stand in a statement, and how to come from the location of
//! a node to a line of the text.

use std::fmt;
use std::process::ExitCode;

use pg_ast::Literal;
use pg_ast::protobuf::AExprKind;
use pg_ast::view::{self, AExpr, Node};

/// Something that was found.
#[derive(Debug)]
pub(crate) struct Finding {
    /// Counted from 1.
    pub(crate) line: usize,
    /// In characters, counted from 1.
    pub(crate) column: usize,
    pub(crate) message: String,
    /// The line of the text.
    pub(crate) source: String,
}

/// `3:7: message`, and below it the line with a caret.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A tab stays one, so that the caret stands below its character.
        let space = |c| if c == '\t' { '\t' } else { ' ' };
        let space: String = self.source.chars().take(self.column - 1).map(space).collect();
        let Self { line, column, message, source } = self;
        write!(f, "{line}:{column}: {message}\n  {source}\n  {space}^")
    }
}

impl Finding {
    fn new(sql: &str, offset: usize, message: impl Into<String>) -> Self {
        let start = sql[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: sql[..start].matches('\n').count() + 1,
            column: sql[start..offset].chars().count() + 1,
            message: message.into(),
            source: sql[start..].lines().next().unwrap_or_default().to_owned(),
        }
    }
}

/// What is found in a text, from its start to its end.
///
/// # Errors
///
/// The text cannot be parsed: why, and where.
pub(crate) fn lint(sql: &str) -> Result<Vec<Finding>, Finding> {
    let tree = view::parse(sql).map_err(|error| {
        Finding::new(sql, error.cursor().unwrap_or(0), format!("error: {}", error.message()))
    })?;
    let mut found = Vec::new();
    for stmt in tree.stmts() {
        // An UPDATE and a DELETE have no location of their own.
        let start = statement_start(sql, offset(stmt.stmt_location()));
        for node in Node::from(stmt).nodes() {
            found.extend(check(node, start));
        }
    }
    found.sort_by_key(|(offset, _)| *offset);
    Ok(found.into_iter().map(|(offset, message)| Finding::new(sql, offset, message)).collect())
}

/// The rules: what is wrong with a node, and where.
fn check(node: Node<'_>, start: usize) -> Option<(usize, &'static str)> {
    match node {
        Node::SelectStmt(select) => {
            let star = select.target_list().iter().find_map(star)?;
            Some((star, "`SELECT *` takes whatever columns there are"))
        }
        Node::UpdateStmt(update) if update.where_clause().is_none() => {
            let at = update.relation().map_or(start, |table| offset(table.location()));
            Some((at, "UPDATE without WHERE changes every row"))
        }
        Node::DeleteStmt(delete) if delete.where_clause().is_none() => {
            let at = delete.relation().map_or(start, |table| offset(table.location()));
            Some((at, "DELETE without WHERE takes every row"))
        }
        Node::AExpr(expr) if compares_with_null(expr) => {
            Some((offset(expr.location()), "a comparison with NULL is never true: use IS NULL"))
        }
        _ => None,
    }
}

/// Where the `*` of a `SELECT *` or `SELECT t.*` is.
fn star(target: Node<'_>) -> Option<usize> {
    let column = target.as_res_target()?.val()?.as_column_ref()?;
    column.is_star().then(|| offset(column.location()))
}

fn compares_with_null(expr: AExpr<'_>) -> bool {
    expr.kind() == AExprKind::AexprOp
        && expr.name().strs().last().is_some_and(|name| ["=", "<>", "!="].contains(&name))
        && (is_null(expr.lexpr()) || is_null(expr.rexpr()))
}

fn is_null(node: Option<Node<'_>>) -> bool {
    node.and_then(Node::literal) == Some(Literal::Null)
}

/// A location in the tree is -1 where there is none.
fn offset(location: i32) -> usize {
    usize::try_from(location).unwrap_or(0)
}

/// A statement begins where the one before it ended, with the blanks between.
fn statement_start(sql: &str, offset: usize) -> usize {
    sql.len() - sql[offset..].trim_start().len()
}

fn main() -> ExitCode {
    let (mut found, mut failed) = (false, false);
    for path in std::env::args().skip(1) {
        match std::fs::read_to_string(&path).map(|sql| lint(&sql)) {
            Ok(Ok(findings)) => {
                found |= !findings.is_empty();
                for finding in &findings {
                    println!("{path}:{finding}");
                }
            }
            Ok(Err(error)) => {
                failed = true;
                eprintln!("{path}:{error}");
            }
            Err(error) => {
                failed = true;
                eprintln!("{path}: {error}");
            }
        }
    }
    ExitCode::from(if failed { 2 } else { u8::from(found) })
}
