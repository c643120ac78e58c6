//! pg_ast, without a copy of the tree.

use std::sync::Arc;

use moka::sync::Cache;
use pg_ast::view::{self, Node, Tree};
use pg_ast::{Error, HeapSize as _, Literal};

use super::{KEYS, Key, Route, SCHEMA, TABLE};

pub(super) fn route(tree: &Tree) -> Result<Route, Error> {
    let mut route = Route::default();
    let mut rewrite = tree.rewrite();
    let mut renamed = false;
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
            Node::RangeVar(table) if table.relname() == TABLE && table.schemaname().is_empty() => {
                let mut table = table.to_owned_tree()?;
                SCHEMA.clone_into(&mut table.schemaname);
                rewrite.replace(node, table);
                renamed = true;
            }
            _ => {}
        }
    }
    if renamed {
        route.sql = Some(rewrite.deparse()?);
    }
    Ok(route)
}

fn key(left: Option<Node<'_>>, right: Option<Node<'_>>) -> Option<Key> {
    let Some(Node::ColumnRef(column)) = left else { return None };
    if !KEYS.contains(&column.names().next_back()?) {
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

pub(super) fn cached(cache: &Cache<String, Arc<Tree>>, sql: &str) -> Result<Arc<Tree>, Error> {
    if let Some(tree) = cache.get(sql) {
        return Ok(tree);
    }
    let tree = Arc::new(view::parse(sql)?.compact());
    cache.insert(sql.to_owned(), Arc::clone(&tree));
    Ok(tree)
}
