//! The objects that a statement is about, by the roles of its fields (`codegen/statement_rules.rs`).

use super::losses::object_name;
use super::pg::protobuf::ObjectType;
use super::pg::seam::{list_field, stmt_objects, text_field};
use super::pg::view::Node;
use super::privileges_needed::kind_name;
use pg_ast::QualifiedName;

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

/// Returns the kind and the name of what an object is owned with: a part of a table with the table. The kind is empty if there is
/// none.
pub(super) fn owned(kind: ObjectType, object: Node<'_>) -> (&'static str, Option<QualifiedName>) {
    let (name, part) = object_name(kind, object);
    let on = match kind {
        ObjectType::Undefined => "",
        ObjectType::ObjectDomconstraint => "DOMAIN",
        _ if part.is_some() => "TABLE",
        _ => kind_name(kind),
    };
    (on, name)
}

/// Returns the kinds and the names of the objects that a statement is about; the kind is empty if the statement has none.
pub(super) fn about(node: Node<'_>) -> Vec<(&'static str, Option<QualifiedName>)> {
    let Some(stmt) = stmt_objects(node) else { return Vec::new() };
    let on = if stmt.kind == ObjectType::Undefined { "" } else { kind_name(stmt.kind) };
    let objects = stmt.objects.iter().map(|object| owned(stmt.kind, *object));
    let of_relation = match (node, stmt.kind) {
        (Node::RenameStmt(rename), ObjectType::ObjectColumn | ObjectType::ObjectAttribute) => {
            kind_name(rename.relation_type())
        }
        (
            _,
            ObjectType::ObjectTabconstraint
            | ObjectType::ObjectColumn
            | ObjectType::ObjectTrigger
            | ObjectType::ObjectRule
            | ObjectType::ObjectPolicy,
        ) => "TABLE",
        _ => on,
    };
    let relations = stmt.relations.iter().map(|table| (of_relation, Some(table.qualified_name())));
    let functions = stmt.functions.iter().map(|function| owned(stmt.kind, *function));
    let mut found: Vec<_> = objects.chain(relations).chain(functions).collect();
    if found.is_empty() {
        let name = NAMES.iter().find_map(|name| {
            let list = || list_field(node, name).map(|list| Some(list.qualified_name()));
            text_field(node, name).map(|name| Some(QualifiedName::unqualified(name))).or_else(list)
        });
        found.extend(name.map(|name| (on, name)));
    }
    found
}
