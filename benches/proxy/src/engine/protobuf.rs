//! pg_query: the tree is serialised in C, and decoded in Rust.

use pg_query::protobuf::{Node, a_const::Val};
use pg_query::{DeparseOptions, NodeEnum, NodeMut, NodeRef, ParserOptions, Result};

use super::{KEYS, Key, Route, SCHEMA, TABLE};

pub(super) fn route(sql: &str) -> Result<Route> {
    let mut tree = pg_query::parse(sql, ParserOptions::default())?;
    let mut route = Route::default();
    let mut found = false;
    for (node, ..) in tree.protobuf.nodes() {
        match node {
            NodeRef::InsertStmt(_)
            | NodeRef::UpdateStmt(_)
            | NodeRef::DeleteStmt(_)
            | NodeRef::MergeStmt(_) => route.writes = true,
            NodeRef::AExpr(expr) if route.key.is_none() && is_equals(&expr.name) => {
                route.key = key(expr.lexpr.as_deref(), expr.rexpr.as_deref());
            }
            NodeRef::RangeVar(table) if table.relname == TABLE && table.schemaname.is_empty() => {
                found = true;
            }
            _ => {}
        }
    }
    if found {
        // SAFETY: nothing else reads the tree, and only fields of nodes are changed, not nodes that contain others.
        unsafe {
            for (node, ..) in tree.protobuf.nodes_mut() {
                if let NodeMut::RangeVar(table) = node {
                    let table = &mut *table;
                    if table.relname == TABLE && table.schemaname.is_empty() {
                        SCHEMA.clone_into(&mut table.schemaname);
                    }
                }
            }
        }
        route.sql = Some(tree.deparse(DeparseOptions::default())?);
    }
    Ok(route)
}

fn is_equals(name: &[Node]) -> bool {
    matches!(name, [Node { node: Some(NodeEnum::String(name)) }] if name.sval == "=")
}

fn key(left: Option<&Node>, right: Option<&Node>) -> Option<Key> {
    let NodeEnum::ColumnRef(column) = left?.node.as_ref()? else { return None };
    match column.fields.last()?.node.as_ref()? {
        NodeEnum::String(name) if KEYS.contains(&name.sval.as_str()) => {}
        _ => return None,
    }
    match right?.node.as_ref()? {
        NodeEnum::ParamRef(param) => Some(Key::Param(param.number)),
        NodeEnum::AConst(value) => match value.val.as_ref()? {
            Val::Ival(number) => Some(Key::Number(number.ival.into())),
            _ => None,
        },
        _ => None,
    }
}
