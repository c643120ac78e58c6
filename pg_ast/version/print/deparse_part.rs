//! Prints parts of statements as SQL; implements `Display`.
//!
//! The C deparser prints whole statements. So a part is put into the smallest statement that can
//! hold it, and the beginning of that statement is cut off. The part is a C node: the tree is not copied.

use core::fmt;

use super::deparse::{deparse, deparse_alone};
use super::facts::statements::rules;
use super::names::protobuf;
use super::names::protobuf::{CreateDomainStmt, ResTarget, SelectStmt, TypeName};
use super::names::views::FROM_ITEMS;
use super::names::{Node, NodeEnum, NodeRef, ParseResult, raw};
use super::tree::shapes::list_of;
use crate::convert::{IntoRaw, IntoRawContext};
use crate::types::error::{Error, ErrorKind};
use crate::types::options::DeparseOptions;

/// Prints an expression.
///
/// ```
/// let tree = pg_ast::parse("SELECT FROM t WHERE a=1 AND b like 'x'")?;
/// let select = tree.stmts().find_map(|stmt| stmt.as_select_stmt()).unwrap();
/// let condition = select.where_clause.as_ref().unwrap();
/// assert_eq!(pg_ast::deparse_expr(condition)?, "a = 1 AND b LIKE 'x'");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The node is not an expression, or cannot be printed: see [`deparse`].
pub fn deparse_expr(expr: &Node) -> Result<String, Error> {
    print_expr(expr)
}

fn print_expr(expr: impl IntoRaw<*mut raw::Node>) -> Result<String, Error> {
    inside("SELECT ", |cx| {
        let mut target: raw::ResTarget = (&ResTarget::default()).into_raw(cx);
        target.val = expr.into_raw(cx);
        let target = cx.alloc(target);
        select_target(target, cx)
    })
}

/// Prints an item of a `SELECT` list, or of `RETURNING`.
///
/// ```
/// let target = pg_ast::protobuf::ResTarget {
///     name: "b".to_owned(),
///     val: Some(Box::new(pg_ast::parse_expr("a+1")?)),
///     ..Default::default()
/// };
/// assert_eq!(pg_ast::deparse_target(&target)?, "a + 1 AS b");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse_expr`].
pub fn deparse_target(target: &ResTarget) -> Result<String, Error> {
    print_target(NodeRef::from(target))
}

fn print_target(target: impl IntoRaw<*mut raw::Node>) -> Result<String, Error> {
    inside("SELECT ", |cx| {
        let target = target.into_raw(cx);
        select_target(target.cast(), cx)
    })
}

fn select_target(target: *mut raw::ResTarget, cx: &mut IntoRawContext<'_>) -> *mut raw::Node {
    let mut stmt: raw::SelectStmt = (&SelectStmt::default()).into_raw(cx);
    stmt.targetList = list_of(target.cast(), cx);
    cx.alloc(stmt).cast()
}

/// Prints an item of `FROM`: a table, a join, a subselect or a function.
///
/// ```
/// let tree = pg_ast::parse("SELECT FROM a  left join b on true")?;
/// let select = tree.stmts().find_map(|stmt| stmt.as_select_stmt()).unwrap();
/// assert_eq!(pg_ast::deparse_from_item(&select.from_clause[0])?, "a LEFT JOIN b ON true");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse_expr`].
pub fn deparse_from_item(item: &Node) -> Result<String, Error> {
    print_from_item(item)
}

fn print_from_item(item: impl IntoRaw<*mut raw::Node>) -> Result<String, Error> {
    inside("SELECT FROM ", |cx| {
        let mut stmt: raw::SelectStmt = (&SelectStmt::default()).into_raw(cx);
        let item = item.into_raw(cx);
        stmt.fromClause = list_of(item, cx);
        cx.alloc(stmt).cast()
    })
}

/// Prints the name of a type.
///
/// ```
/// use pg_ast::{ParseMode, ParserOptions};
///
/// let options = ParserOptions::default().mode(ParseMode::TypeName);
/// let tree = pg_ast::parse_with("NUMERIC(10,2)  []", options)?;
/// let name = tree.stmts().find_map(|stmt| stmt.as_type_name()).unwrap();
/// assert_eq!(pg_ast::deparse_type_name(name)?, "numeric(10, 2)[]");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`deparse_expr`].
pub fn deparse_type_name(name: &TypeName) -> Result<String, Error> {
    print_type_name(NodeRef::from(name))
}

fn print_type_name(name: impl IntoRaw<*mut raw::Node>) -> Result<String, Error> {
    inside("CREATE DOMAIN d AS ", |cx| {
        let domain = protobuf::String { sval: "d".to_owned() };
        let domain = vec![Node { node: Some(NodeEnum::String(domain)) }];
        let stmt = CreateDomainStmt { domainname: domain, ..CreateDomainStmt::default() };
        let mut stmt: raw::CreateDomainStmt = (&stmt).into_raw(cx);
        stmt.typeName = name.into_raw(cx).cast();
        cx.alloc(stmt).cast()
    })
}

/// Prints any node that can be printed by itself: a statement, an expression, a target, an item of `FROM`, the name of
/// a type.
///
/// ```
/// let tree = pg_ast::parse("SELECT lower( a ) FROM t")?;
/// let select = tree.stmts().find_map(|stmt| stmt.as_select_stmt()).unwrap();
/// assert_eq!(pg_ast::deparse_node(&select.target_list[0])?, "lower(a)");
/// assert_eq!(pg_ast::deparse_node(&select.from_clause[0])?, "t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
///
/// # Errors
///
/// The node cannot be printed by itself, or not at all: see [`deparse`].
pub fn deparse_node(node: &Node) -> Result<String, Error> {
    let node = node.to_ref();
    node.map_or_else(|| Err(no_node()), print)
}

/// The error for a place without a node.
pub(super) fn no_node() -> Error {
    Error::new(ErrorKind::Deparse, "an empty node cannot be printed")
}

fn print(node: NodeRef<'_>) -> Result<String, Error> {
    if rules(node.name()).is_some() { node.deparse() } else { print_part(node.name(), node) }
}

/// Prints a part of a statement: a node with this name, which is not a statement.
pub(super) fn print_part(name: &str, node: impl IntoRaw<*mut raw::Node>) -> Result<String, Error> {
    match name {
        "TypeName" => print_type_name(node),
        "ResTarget" => print_target(node),
        _ if FROM_ITEMS.contains(&name) => print_from_item(node),
        _ => print_expr(node),
    }
}

/// Prints a statement that contains a part, and cuts off the text before the part.
fn inside(
    prefix: &str,
    stmt: impl FnOnce(&mut IntoRawContext<'_>) -> *mut raw::Node,
) -> Result<String, Error> {
    let mut text = deparse_alone(&DeparseOptions::default(), stmt)?;
    if text.len() > prefix.len() && text.starts_with(prefix) {
        text.drain(..prefix.len());
        return Ok(text);
    }
    Err(Error::new(ErrorKind::Deparse, "the node cannot be printed by itself"))
}

/// Prints the SQL of a tree, or the error in a comment if the tree cannot be printed.
fn show(text: Result<String, Error>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match text {
        Ok(text) => f.write_str(&text),
        Err(error) => write!(f, "/* {} */", error.message().replace("*/", "* /")),
    }
}

/// Prints the SQL, like [`deparse`]. If the tree cannot be printed, prints the error in a comment instead.
///
/// ```
/// assert_eq!(pg_ast::parse("select  1;select 2")?.to_string(), "SELECT 1; SELECT 2");
/// # Ok::<(), pg_ast::Error>(())
/// ```
impl fmt::Display for ParseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(deparse(self), f)
    }
}

/// Prints the node's SQL, like [`deparse_node`]. If the node cannot be printed, prints the error in a comment instead.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(deparse_node(self), f)
    }
}

/// As a [`Node`] is printed.
///
/// ```
/// use pg_ast::NodeRef;
///
/// let tree = pg_ast::parse("select a+1 from T  where lower( b )=$1")?;
/// let calls = tree.nodes().filter(|node| matches!(node, NodeRef::FuncCall(_) | NodeRef::RangeVar(_)));
/// assert_eq!(calls.map(|node| node.to_string()).collect::<Vec<_>>(), ["t", "lower(b)"]);
/// # Ok::<(), pg_ast::Error>(())
/// ```
impl fmt::Display for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(print(*self), f)
    }
}
