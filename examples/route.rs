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
use std::fmt;
use std::process::ExitCode;

use pg_ast::view::{self, InsertStmt, Node};
use pg_ast::{AExprKind, BoolExprType, Literal};

/// A value in the SQL, or a parameter of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Param(i32),
    Number(String),
    Text(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(number) => write!(f, "${number}"),
            Self::Number(number) => f.write_str(number),
            Self::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}

/// The destination of a statement.
#[derive(Debug, PartialEq)]
pub(crate) struct Route {
    /// It writes, or does more than read.
    pub(crate) writes: bool,
    /// The shards of these values; an empty list means all of them.
    pub(crate) keys: BTreeSet<Key>,
}

/// Returns the destination of SQL: its statements stay together.
///
/// The tree is read and dropped, so it is a view: nothing is copied.
///
/// # Errors
///
/// The errors of [`view::parse`].
pub(crate) fn route(sql: &str, column: &str) -> Result<Route, pg_ast::Error> {
    let tree = view::parse(sql)?;
    let mut route = Route { writes: false, keys: BTreeSet::new() };
    let mut everywhere = false;
    for node in tree.nodes() {
        route.writes |= match node {
            Node::SelectStmt(select) => {
                select.into_clause().is_some() || !select.locking_clause().is_empty()
            }
            Node::RawStmt(_) => false,
            statement => statement.name().ends_with("Stmt"),
        };
        let keys = match node {
            // The branches of a UNION, and subselects, are visited separately.
            Node::SelectStmt(select) if select.from_clause().is_empty() => continue,
            Node::SelectStmt(select) => condition(select.where_clause(), column),
            Node::UpdateStmt(update) => condition(update.where_clause(), column),
            Node::DeleteStmt(delete) => condition(delete.where_clause(), column),
            Node::InsertStmt(insert) => rows(insert, column),
            // Nothing is known about other statements that write.
            Node::RawStmt(_) => continue,
            statement if statement.name().ends_with("Stmt") => None,
            _ => continue,
        };
        match keys {
            Some(keys) => route.keys.extend(keys),
            None => everywhere = true,
        }
    }
    if everywhere {
        route.keys.clear();
    }
    Ok(route)
}

/// Returns the values that a condition allows for the column: `column = value`,
/// `column IN (..)`; for AND, one such condition is enough, for OR each one is required.
fn condition(node: Option<Node<'_>>, column: &str) -> Option<BTreeSet<Key>> {
    match node? {
        // The grammar limits their depth.
        Node::BoolExpr(expr) => {
            let mut args = expr.args().iter().map(|arg| condition(Some(arg), column));
            match expr.boolop() {
                BoolExprType::AndExpr => args.flatten().next(),
                BoolExprType::OrExpr => args.try_fold(BTreeSet::new(), |mut all, keys| {
                    all.extend(keys?);
                    Some(all)
                }),
                _ => None,
            }
        }
        Node::AExpr(expr) if expr.operator() == Some("=") => {
            let (left, right) = (expr.lexpr()?, expr.rexpr()?);
            match expr.kind() {
                AExprKind::AexprOp if is_column(left, column) => Some([key(right)?].into()),
                AExprKind::AexprOp if is_column(right, column) => Some([key(left)?].into()),
                AExprKind::AexprIn if is_column(left, column) => match right {
                    Node::List(values) => values.iter().map(key).collect(),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the values of the column in the rows of an INSERT.
fn rows(insert: InsertStmt<'_>, column: &str) -> Option<BTreeSet<Key>> {
    let index = insert.columns().position(|name| name == column)?;
    let keys: BTreeSet<_> =
        insert.source()?.rows().map(|row| key(row.get(index)?)).collect::<Option<_>>()?;
    // Without rows, it is a SELECT, whose values are not known.
    if keys.is_empty() { None } else { Some(keys) }
}

/// Returns whether this is the column, possibly qualified by a table.
fn is_column(node: Node<'_>, column: &str) -> bool {
    node.as_column_ref().is_some_and(|name| name.names().next_back() == Some(column))
}

/// Returns a constant or a parameter, possibly with casts.
fn key(node: Node<'_>) -> Option<Key> {
    match node.literal() {
        Some(Literal::Integer(number)) => Some(Key::Number(number.to_string())),
        Some(Literal::Float(number)) => Some(Key::Number(number.into_owned())),
        Some(Literal::String(text)) => Some(Key::Text(text.to_owned())),
        Some(_) => None,
        None => param(node),
    }
}

/// A parameter. `literal` passes over casts, but only to a constant.
fn param(mut node: Node<'_>) -> Option<Key> {
    while let Node::TypeCast(cast) = node {
        node = cast.arg()?;
    }
    Some(Key::Param(node.as_param_ref()?.number()))
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
