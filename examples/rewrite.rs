//! Rewrites a query: each table returns only the rows of one tenant, and some tables are renamed.
//!
//! ```text
//! cargo run --example rewrite -- "SELECT * FROM users WHERE active" users=accounts
//! SELECT * FROM accounts users WHERE active AND users.tenant_id = $1
//! ```
//!
//! It shows how to change a tree: with a walk over its tables, a visitor for each
//! statement, and nodes made by hand; and the pitfalls. A table may be a name defined by
//! `WITH`, which `walk_tables_mut` knows; a filter after an outer join would remove rows
//! of the other side; and the program must reject everything that it does not know.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::process::ExitCode;

use pg_ast::protobuf::{CurrentOfExpr, DeleteStmt, JoinExpr, RangeVar, SelectStmt, UpdateStmt};
use pg_ast::{JoinType, Node, NodeMut, NodeRef, VisitMut, make};

/// Returns the statement with a filter `column = $n` on each table, and with renamed tables.
///
/// `$n` is the first parameter that the statement does not use; `n` is returned as well.
///
/// # Errors
///
/// The SQL cannot be parsed, or contains something that is not supported: the error says what.
pub(crate) fn rewrite(
    sql: &str,
    column: &str,
    renames: &HashMap<String, String>,
) -> Result<(String, i32), String> {
    let mut tree = pg_ast::parse(sql).map_err(|error| error.to_string())?;
    let params = tree.nodes().filter_map(NodeRef::as_param_ref);
    let param = 1 + params.map(|param| param.number).max().unwrap_or(0);
    let mut tables = HashSet::new();
    tree.walk_tables_mut(|table, _| {
        tables.insert(table.location);
        if let Some(name) = renames.get(&table.relname) {
            let old = std::mem::replace(&mut table.relname, name.clone());
            // References to its columns stay valid.
            table.alias.get_or_insert_with(|| make::alias(&old));
        }
    });
    let mut rewrite = Rewrite { column, param, tables };
    match tree.visit_mut(&mut rewrite) {
        ControlFlow::Break(unknown) => Err(unknown),
        ControlFlow::Continue(()) => {
            let text = pg_ast::deparse(&tree).map_err(|error| error.to_string())?;
            Ok((text, param))
        }
    }
}

struct Rewrite<'a> {
    column: &'a str,
    param: i32,
    /// The locations of the tables: other names in a `FROM` are those of a `WITH`.
    tables: HashSet<i32>,
}

type Flow = ControlFlow<String>;

impl VisitMut for Rewrite<'_> {
    type Break = String;

    /// Other statements are not supported.
    fn enter(&mut self, node: NodeMut<'_>) -> Flow {
        match node {
            NodeMut::RawStmt(stmt) => match stmt.stmt.as_deref().and_then(Node::to_ref) {
                Some(NodeRef::SelectStmt(_) | NodeRef::UpdateStmt(_) | NodeRef::DeleteStmt(_)) => {
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break("only SELECT, UPDATE and DELETE are known".to_owned()),
            },
            NodeMut::InsertStmt(_) | NodeMut::MergeStmt(_) | NodeMut::IntoClause(_) => {
                ControlFlow::Break("INSERT, MERGE and SELECT INTO are not known".to_owned())
            }
            // One of the names may hide the column.
            NodeMut::RangeVar(RangeVar { alias: Some(alias), .. })
                if !alias.colnames.is_empty() =>
            {
                ControlFlow::Break(
                    "other names for the columns of a table are not known".to_owned(),
                )
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn visit_current_of_expr(&mut self, _: &mut CurrentOfExpr) -> Flow {
        ControlFlow::Break("WHERE CURRENT OF takes no other condition".to_owned())
    }

    // Subselects first, so that the wrappers of tables here are not visited.
    fn visit_select_stmt(&mut self, select: &mut SelectStmt) -> Flow {
        self.visit_children(NodeMut::from(&mut *select))?;
        let filters = self.filters(&mut select.from_clause);
        add(&mut select.where_clause, filters);
        ControlFlow::Continue(())
    }

    fn visit_update_stmt(&mut self, update: &mut UpdateStmt) -> Flow {
        self.visit_children(NodeMut::from(&mut *update))?;
        let target = update.relation.as_ref().map(|table| self.filter(table));
        let filters = target.into_iter().chain(self.filters(&mut update.from_clause));
        add(&mut update.where_clause, filters);
        ControlFlow::Continue(())
    }

    fn visit_delete_stmt(&mut self, delete: &mut DeleteStmt) -> Flow {
        self.visit_children(NodeMut::from(&mut *delete))?;
        let target = delete.relation.as_ref().map(|table| self.filter(table));
        let filters = target.into_iter().chain(self.filters(&mut delete.using_clause));
        add(&mut delete.where_clause, filters);
        ControlFlow::Continue(())
    }
}

impl Rewrite<'_> {
    /// Returns the filter for the rows of a table.
    fn filter(&self, table: &RangeVar) -> Node {
        let column = make::column_ref([visible_name(table), self.column]);
        make::a_expr("=", column, make::param_ref(self.param)).into()
    }

    /// Returns the filters for the tables of a `FROM`.
    fn filters(&self, from: &mut [Node]) -> Vec<Node> {
        let mut filters = Vec::new();
        // The remaining items, the next one last; and whether a filter may
        // follow them. No recursion, because joins can have any depth.
        let mut items: Vec<(&mut Node, bool)> =
            from.iter_mut().rev().map(|item| (item, true)).collect();
        while let Some((item, behind)) = items.pop() {
            if let Some(table) = table_of(item) {
                if !self.tables.contains(&table.location) {
                    continue;
                }
                let filter = self.filter(table);
                if behind {
                    filters.push(filter);
                } else {
                    let name = visible_name(table).to_owned();
                    put_around(item, &name, filter);
                }
            } else if let Some(join) = item.as_join_expr_mut() {
                let [left, right] = filtered_behind(join).map(|side| behind && side);
                items.extend(join.rarg.as_deref_mut().map(|item| (item, right)));
                items.extend(join.larg.as_deref_mut().map(|item| (item, left)));
            }
            // Subselects have already been visited, and functions have no tables.
        }
        filters
    }
}

/// Returns the table of an item of a `FROM`, including a sample of it.
fn table_of(item: &Node) -> Option<&RangeVar> {
    match item.as_range_table_sample() {
        Some(sample) => sample.relation.as_ref()?.as_range_var(),
        None => item.as_range_var(),
    }
}

/// Returns the qualifier of the table's column names.
fn visible_name(table: &RangeVar) -> &str {
    table.alias.as_ref().map_or(&table.relname, |alias| &alias.aliasname)
}

/// Returns whether a `WHERE` after a join can filter its left and its right side: not if
/// it adds rows to that side, nor if the alias of the join hides the names of its sides.
fn filtered_behind(join: &JoinExpr) -> [bool; 2] {
    if join.alias.is_some() {
        return [false, false];
    }
    match join.jointype() {
        JoinType::JoinInner => [true, true],
        JoinType::JoinLeft => [true, false],
        JoinType::JoinRight => [false, true],
        _ => [false, false],
    }
}

/// Replaces an item by `(SELECT * FROM item WHERE filter) AS name`.
fn put_around(item: &mut Node, name: &str, filter: Node) {
    let mut select = make::select_stmt([make::res_target(None, make::star())]);
    select.from_clause.push(std::mem::take(item));
    select.where_clause = Some(Box::new(filter));
    *item = make::range_subselect(select, name).into();
}

/// Adds conditions to a `WHERE`.
fn add(condition: &mut Option<Box<Node>>, filters: impl IntoIterator<Item = Node>) {
    for filter in filters {
        let both = match condition.take() {
            Some(condition) => make::and_expr(*condition, filter).into(),
            None => filter,
        };
        *condition = Some(Box::new(both));
    }
}

/// Parses the statement, and pairs like `users=accounts`.
fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(sql) = args.next() else {
        eprintln!("usage: rewrite SQL [TABLE=OTHER ..]");
        return ExitCode::from(2);
    };
    let renames: HashMap<_, _> = args
        .filter_map(|arg| arg.split_once('=').map(|(old, new)| (old.to_owned(), new.to_owned())))
        .collect();
    match rewrite(&sql, "tenant_id", &renames) {
        Ok((text, _)) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
