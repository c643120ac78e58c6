//! The objects that a statement is about, by the roles of its fields (`codegen/statement_rules.rs`).

use super::facts::analysis::statement::Stmt;
use super::losses::{object_name, plain_name};
use super::names::protobuf::ObjectType;
use super::privileges_needed::kind_name;
use super::view::Node;
use super::view::fields::{FieldValue, field};
use crate::convert::roles::Role;

/// Fields with the name of an object in statements that say in no field which kind it is of.
const NAMES: [&str; 14] = [
    "dbname",
    "defnames",
    "domainname",
    "collname",
    "typeName",
    "fdwname",
    "servername",
    "trigname",
    "extname",
    "pubname",
    "subname",
    "tablespacename",
    "cfgname",
    "dictname",
];

/// Returns the kinds and the names of the objects that a statement is about; the kind is empty if the statement has none.
pub(super) fn about(node: Node<'_>) -> Vec<(&'static str, String)> {
    let Some(stmt) = Stmt::new(node) else { return Vec::new() };
    let kind = stmt.kind();
    let on = if kind == ObjectType::Undefined { "" } else { kind_name(kind) };
    let mut found: Vec<_> =
        stmt.nodes(Role::Object).map(|object| (on, object_name(object))).collect();
    for role in [Role::Table, Role::OtherRelation] {
        let tables = stmt.nodes(role).filter_map(Node::as_range_var);
        found.extend(tables.map(|table| (on, plain_name(table))));
    }
    found.extend(stmt.nodes(Role::Function).map(|function| (on, object_name(function))));
    if found.is_empty() {
        let name = NAMES.iter().find_map(|name| match field(node, name)?.1 {
            FieldValue::Text(text) => Some(text.to_owned()),
            FieldValue::List(list) => Some(object_name(Node::List(list))),
            _ => None,
        });
        found.extend(name.map(|name| (on, name)));
    }
    if let Node::AlterSystemStmt(alter) = node
        && let Some(set) = alter.setstmt()
    {
        found.push((on, set.name().to_owned()));
    }
    found
}
