//! The functions of `make` for statements, and for what is between them and their expressions.

use super::make::{NOWHERE, alias};
use super::names::ParseResult;
use super::names::protobuf;
use super::names::protobuf::{
    DeleteStmt, InsertStmt, LimitOption, List, Node, OverridingKind, RangeSubselect, RangeVar,
    RawStmt, ResTarget, SelectStmt, SetOperation, UpdateStmt,
};
use super::names::raw;

fn nodes<T: Into<Node>>(nodes: impl IntoIterator<Item = T>) -> Vec<Node> {
    nodes.into_iter().map(Into::into).collect()
}

/// A list in a list: a row of `VALUES`, the values of `IN (..)`.
///
/// ```
/// use pg_ast::{Node, make};
///
/// let row = make::list([Node::from(make::int_const(1)), make::string_const("a").into()]);
/// assert_eq!(row.items.len(), 2);
/// ```
#[must_use]
pub fn list<T: Into<Node>>(items: impl IntoIterator<Item = T>) -> List {
    List { items: nodes(items) }
}

/// What a `SELECT` or `RETURNING` returns: `val`, or `val AS name`. In an `UPDATE`, `SET name = val`.
///
/// ```
/// use pg_ast::make;
///
/// let mut tree = pg_ast::parse("SELECT a FROM t")?;
/// for stmt in tree.stmts_mut() {
///     if let Some(select) = stmt.as_select_stmt_mut() {
///         select.target_list.push(make::res_target(None, make::column_ref(["b"])).into());
///         select.target_list.push(make::res_target(Some("n"), make::int_const(1)).into());
///     }
/// }
/// assert_eq!(tree.deparse()?, "SELECT a, b, 1 AS n FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn res_target(name: Option<&str>, val: impl Into<Node>) -> ResTarget {
    let name = name.unwrap_or_default().to_owned();
    ResTarget { name, val: Some(Box::new(val.into())), location: NOWHERE, ..ResTarget::default() }
}

/// A column that an `INSERT` names: `a` in `INSERT INTO t (a)`. It has no value.
///
/// ```
/// use pg_ast::make;
///
/// let column = make::insert_column("a");
/// assert_eq!((column.name.as_str(), column.val), ("a", None));
/// ```
#[must_use]
pub fn insert_column(name: &str) -> ResTarget {
    ResTarget { name: name.to_owned(), location: NOWHERE, ..ResTarget::default() }
}

/// A subselect in a `FROM`: `(subquery) AS name`.
///
/// ```
/// use pg_ast::{deparse_from_item, make};
///
/// let mut all = make::select_stmt([make::res_target(None, make::star())]);
/// all.from_clause = vec![make::range_var(None, "t").into()];
/// let item = make::range_subselect(all, "s");
/// assert_eq!(deparse_from_item(&item.into())?, "(SELECT * FROM t) s");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn range_subselect(subquery: impl Into<Node>, name: &str) -> RangeSubselect {
    let subquery = Some(Box::new(subquery.into()));
    RangeSubselect { lateral: false, subquery, alias: Some(alias(name)) }
}

/// A `SELECT` of these targets, as [`res_target`] makes them; its other clauses are empty.
///
/// ```
/// use pg_ast::make;
///
/// let mut select = make::select_stmt([make::res_target(None, make::column_ref(["a"]))]);
/// select.from_clause.push(make::range_var(None, "t").into());
/// assert_eq!(make::tree(select).deparse()?, "SELECT a FROM t");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn select_stmt<T: Into<Node>>(target_list: impl IntoIterator<Item = T>) -> SelectStmt {
    SelectStmt {
        target_list: nodes(target_list),
        limit_option: LimitOption::Default.into(),
        op: SetOperation::SetopNone.into(),
        ..SelectStmt::default()
    }
}

/// `VALUES` with these rows, as [`list`] makes them.
///
/// ```
/// use pg_ast::make;
///
/// let values = make::values([make::list([make::int_const(1)]), make::list([make::int_const(2)])]);
/// assert_eq!(make::tree(values).deparse()?, "VALUES (1), (2)");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn values<T: Into<Node>>(rows: impl IntoIterator<Item = T>) -> SelectStmt {
    SelectStmt { values_lists: nodes(rows), ..select_stmt([] as [Node; 0]) }
}

/// `INSERT INTO relation (cols) source`, where the source is a `SELECT` or [`values`]. Without columns, it is for all of them.
///
/// ```
/// use pg_ast::make;
///
/// let rows = make::values([make::list([make::param_ref(1)])]);
/// let insert = make::insert_stmt(make::range_var(None, "t"), [make::insert_column("a")], rows);
/// assert_eq!(make::tree(insert).deparse()?, "INSERT INTO t (a) VALUES ($1)");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn insert_stmt<T: Into<Node>>(
    relation: RangeVar,
    cols: impl IntoIterator<Item = T>,
    source: impl Into<Node>,
) -> InsertStmt {
    InsertStmt {
        relation: Some(relation),
        cols: nodes(cols),
        select_stmt: Some(Box::new(source.into())),
        r#override: OverridingKind::OverridingNotSet.into(),
        ..InsertStmt::default()
    }
}

/// `UPDATE relation SET targets`, each of them by [`res_target`] with the name of its column.
///
/// ```
/// use pg_ast::make;
///
/// let set = make::res_target(Some("a"), make::param_ref(1));
/// let update = make::update_stmt(make::range_var(None, "t"), [set]);
/// assert_eq!(make::tree(update).deparse()?, "UPDATE t SET a = $1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn update_stmt<T: Into<Node>>(
    relation: RangeVar,
    target_list: impl IntoIterator<Item = T>,
) -> UpdateStmt {
    let target_list = nodes(target_list);
    UpdateStmt { relation: Some(relation), target_list, ..UpdateStmt::default() }
}

/// `DELETE FROM relation`.
///
/// ```
/// use pg_ast::make;
///
/// let mut delete = make::delete_stmt(make::range_var(None, "t"));
/// let condition = make::a_expr("=", make::column_ref(["a"]), make::param_ref(1));
/// delete.where_clause = Some(Box::new(condition.into()));
/// assert_eq!(make::tree(delete).deparse()?, "DELETE FROM t WHERE a = $1");
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn delete_stmt(relation: RangeVar) -> DeleteStmt {
    DeleteStmt { relation: Some(relation), ..DeleteStmt::default() }
}

/// The tree of a single statement, as [`parse`](super::super::parse()) returns it for the same SQL.
///
/// ```
/// use pg_ast::make;
///
/// let select = make::select_stmt([make::res_target(None, make::int_const(1))]);
/// let tree = make::tree(select);
/// assert_eq!(tree.protobuf.version, pg_ast::parse("SELECT 1")?.protobuf.version);
/// assert_eq!(tree.fingerprint(), pg_ast::fingerprint("SELECT 1")?);
/// # Ok::<(), pg_ast::Error>(())
/// ```
#[must_use]
pub fn tree(stmt: impl Into<Node>) -> ParseResult {
    let stmt = RawStmt { stmt: Some(Box::new(stmt.into())), ..RawStmt::default() };
    let version = raw::PG_VERSION_NUM.cast_signed();
    protobuf::ParseResult { version, stmts: vec![stmt] }.into()
}
