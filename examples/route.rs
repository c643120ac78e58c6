//! Determines the destination of a statement, in a database whose tables are
//! sharded by a column: the values of that column, and whether it only reads.
//!
//! ```text
//! cargo run --example route -- tenant_id "SELECT * FROM orders WHERE tenant_id = 42 AND paid"
//! read, tenant_id = 42
//! ```
//!
//! A statement that it does not understand goes to every shard: a wrong answer would be worse than a slow one.

use std::collections::BTreeSet;
use std::process::ExitCode;

use pg_ast::view::{self, Node};
use pg_ast::{FilterValue, Literal};

/// The destination of a statement.
#[derive(Debug, PartialEq)]
pub(crate) struct Route {
    /// It writes, or does more than read.
    pub(crate) writes: bool,
    /// The shards of these values, as SQL; an empty list means all of them.
    pub(crate) keys: BTreeSet<String>,
}

/// Returns the destination of SQL: its statements stay together.
///
/// # Errors
///
/// The errors of [`view::parse`].
pub(crate) fn route(sql: &str, column: &str) -> Result<Route, pg_ast::Error> {
    let tree = view::parse(sql)?;
    let writes = tree.nodes().any(|node| match node {
        Node::SelectStmt(select) => {
            select.into_clause().is_some() || !select.locking_clause().is_empty()
        }
        Node::RawStmt(_) => false,
        statement => statement.name().ends_with("Stmt"),
    });
    let keys = tree.values_of(column).and_then(|values| values.iter().map(key).collect());
    Ok(Route { writes, keys: keys.unwrap_or_default() })
}

/// Returns a value as SQL.
fn key(value: &FilterValue<'_, Node<'_>>) -> Option<String> {
    Some(match value {
        FilterValue::Param(number) => format!("${number}"),
        FilterValue::Literal(Literal::Integer(number)) => number.to_string(),
        FilterValue::Literal(Literal::Float(number)) => number.to_string(),
        FilterValue::Literal(Literal::String(text)) => format!("'{}'", text.replace('\'', "''")),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [column, statements @ ..] = &arguments[..] else {
        eprintln!("usage: route COLUMN SQL ..");
        return ExitCode::from(2);
    };
    for sql in statements {
        match route(sql, column) {
            Ok(Route { writes, keys }) => {
                let verb = if writes { "write" } else { "read" };
                let keys: Vec<_> = keys.iter().map(|key| format!("{column} = {key}")).collect();
                let shards =
                    if keys.is_empty() { "every shard".to_owned() } else { keys.join(" or ") };
                println!("{verb}, {shards}");
            }
            Err(error) => {
                eprintln!("{sql}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
