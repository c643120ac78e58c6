//! pg_ast, without a copy of the tree.

use std::sync::Arc;

use moka::sync::Cache;
use pg_ast::view::edit::NodeMut;
use pg_ast::view::{self, Node, RangeVar, Tree};
use pg_ast::{Error, HeapSize, Literal, ShapeCache, ShapeOptions};

use super::{KEYS, Key, Route, SCHEMA, TABLE};

/// Parses SQL, and renames the table where it is in the tree.
pub(super) fn route(sql: &str) -> Result<Route, Error> {
    let mut tree = view::parse(sql)?;
    let found = read(&tree);
    found.with_sql(&mut tree)
}

/// What is read from a tree.
#[derive(Default)]
struct Found {
    route: Route,
    /// Whether it names the table.
    renames: bool,
}

impl Found {
    fn with_sql(mut self, tree: &mut Tree) -> Result<Route, Error> {
        if self.renames {
            self.route.sql = Some(renamed(tree)?);
        }
        Ok(self.route)
    }
}

fn is_renamed(table: RangeVar<'_>) -> bool {
    table.relname() == TABLE && table.schemaname().is_empty()
}

fn read(tree: &Tree) -> Found {
    let mut found = Found::default();
    let route = &mut found.route;
    for node in tree.nodes() {
        match node {
            Node::InsertStmt(_)
            | Node::UpdateStmt(_)
            | Node::DeleteStmt(_)
            | Node::MergeStmt(_) => {
                route.writes = true;
            }
            Node::AExpr(expr) if route.key.is_none() && expr.name().strs().eq(["="]) => {
                route.key = key(expr.lexpr(), expr.rexpr());
            }
            Node::RangeVar(table) if is_renamed(table) => found.renames = true,
            _ => {}
        }
    }
    found
}

/// Renames the table, and prints the tree.
fn renamed(tree: &mut Tree) -> Result<String, Error> {
    tree.edit(|mut stmts, _| {
        let mut nodes = stmts.nodes_mut();
        while let Some(mut slot) = nodes.next() {
            if let Some(NodeMut::RangeVar(mut table)) = slot.get_mut()
                && is_renamed(table.view())
            {
                table.set_schemaname(SCHEMA);
            }
        }
    });
    tree.deparse()
}

fn is_key(node: Node<'_>) -> bool {
    let Node::ColumnRef(column) = node else { return false };
    column.names().next_back().is_some_and(|name| KEYS.contains(&name))
}

fn key(left: Option<Node<'_>>, right: Option<Node<'_>>) -> Option<Key> {
    if !is_key(left?) {
        return None;
    }
    match right? {
        Node::ParamRef(param) => Some(Key::Param(param.number())),
        value => match value.literal()? {
            Literal::Integer(number) => Some(Key::Number(number)),
            _ => None,
        },
    }
}

/// Keeps at most this many bytes of trees.
pub(super) fn cache(bytes: u64) -> Cache<String, Arc<Tree>> {
    let weight = |sql: &String, tree: &Arc<Tree>| {
        u32::try_from(sql.capacity() + tree.heap_size()).unwrap_or(u32::MAX)
    };
    Cache::builder().max_capacity(bytes).weigher(weight).build()
}

pub(super) fn route_cached(cache: &Cache<String, Arc<Tree>>, sql: &str) -> Result<Route, Error> {
    let tree = match cache.get(sql) {
        Some(tree) => tree,
        None => {
            let tree = Arc::new(view::parse(sql)?.compact());
            cache.insert(sql.to_owned(), Arc::clone(&tree));
            tree
        }
    };
    let found = read(&tree);
    if found.renames { found.with_sql(&mut Tree::clone(&tree)) } else { Ok(found.route) }
}

/// What is the same for all SQL of a shape.
#[derive(Clone, Copy)]
pub(crate) struct OfShape {
    writes: bool,
    /// Whether a key or the table is named. Only the constant tells whether it is a key: `2147483648` is, `1.5` is not.
    needs_tree: bool,
}

impl HeapSize for OfShape {
    fn heap_size(&self) -> usize {
        0
    }
}

pub(super) fn shapes(bytes: usize) -> ShapeCache<OfShape> {
    ShapeCache::new(bytes, ShapeOptions::default().ignore_layout(true))
}

pub(super) fn route_by_shape(cache: &ShapeCache<OfShape>, sql: &str) -> Result<Route, Error> {
    let hit = cache.get(sql, |tree| {
        let Found { route, renames } = read(tree);
        OfShape { writes: route.writes, needs_tree: renames || tree.nodes().any(is_key) }
    })?;
    let OfShape { writes, needs_tree } = *hit.value();
    if !needs_tree {
        return Ok(Route { writes, ..Route::default() });
    }
    let mut tree = hit.into_tree()?;
    let found = read(&tree);
    found.with_sql(&mut tree)
}
