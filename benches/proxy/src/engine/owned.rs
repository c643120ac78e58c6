//! pg_ast, with the tree as Rust structs.

use std::ops::ControlFlow;

use pg_ast::{Error, Literal, Node, NodeEnum, NodeMut};

use super::{KEYS, Key, Route, SCHEMA, TABLE};

pub(super) fn route(sql: &str) -> Result<Route, Error> {
    let mut tree = pg_ast::parse(sql)?;
    let mut route = Route::default();
    let mut renamed = false;
    let _ = tree.walk_mut(|node| {
        match node {
            NodeMut::InsertStmt(_)
            | NodeMut::UpdateStmt(_)
            | NodeMut::DeleteStmt(_)
            | NodeMut::MergeStmt(_) => route.writes = true,
            NodeMut::AExpr(expr) if route.key.is_none() && is_equals(&expr.name) => {
                route.key = key(expr.lexpr.as_deref(), expr.rexpr.as_deref());
            }
            NodeMut::RangeVar(table) if table.relname == TABLE && table.schemaname.is_empty() => {
                SCHEMA.clone_into(&mut table.schemaname);
                renamed = true;
            }
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    });
    if renamed {
        route.sql = Some(tree.deparse()?);
    }
    Ok(route)
}

fn is_equals(name: &[Node]) -> bool {
    matches!(name, [name] if name.as_str() == Some("="))
}

fn key(left: Option<&Node>, right: Option<&Node>) -> Option<Key> {
    let column = left?.as_column_ref()?;
    if !KEYS.contains(&column.names().next_back()?) {
        return None;
    }
    let right = right?;
    match &right.node {
        Some(NodeEnum::ParamRef(param)) => Some(Key::Param(param.number)),
        _ => match right.literal()? {
            Literal::Integer(number) => Some(Key::Number(number)),
            _ => None,
        },
    }
}
