//! What the feature `serde` adds to prost's structs: serde's derives, with the names that libpg_query
//! writes in its JSON, and what it leaves out there (`pg_query_outfuncs_json.c`).

use std::collections::HashSet;

use crate::descriptor::{DescriptorProto, FieldDescriptorProto, Type};
use heck::ToUpperCamelCase as _;

use crate::bindings::Bindings;
use crate::rewrite::Additions;
use crate::schema::{NODE, Schema};
use crate::view::ident;

const ROOT: &str = ".pg_query.ParseResult";
/// Its oneof stands among its other fields; pg_ast/version/tree/json_nodes.rs has its impls.
const CONSTANT: &str = ".pg_query.A_Const";

/// Strings that the grammar never leaves NULL. Before 18, libpg_query leaves out what is NULL, and
/// writes an empty string; elsewhere the tree cannot tell the one from the other.
const NEVER_NULL: &[(&str, &str)] = &[
    ("AlterEnumStmt", "newVal"),
    ("CreateConversionStmt", "for_encoding_name"),
    ("CreateConversionStmt", "to_encoding_name"),
    ("CreateSubscriptionStmt", "conninfo"),
    ("CreateTableSpaceStmt", "location"),
    ("LoadStmt", "filename"),
];
/// The versions of which that holds.
const WITH_EMPTY_STRINGS: &[&str] = &["pg15", "pg16", "pg17"];

const DERIVES: &str = "#[derive(::serde::Serialize, ::serde::Deserialize)]";

pub(crate) fn add(added: &mut Additions, schema: &Schema, bindings: &Bindings, version: &str) {
    for path in in_tree(schema) {
        let message = &schema.messages[path];
        match path {
            NODE => oneof(added, message),
            CONSTANT => {}
            _ => {
                let added = added.item(message.name());
                added.attribute(DERIVES);
                added.attribute("#[serde(default, deny_unknown_fields)]");
                for field in &message.field {
                    let written = is_always_written(bindings, version, message, field);
                    let attribute = attribute(message, field, written);
                    added.member(ident(field.name())).attribute(&attribute);
                }
            }
        }
    }
}

/// The messages that a tree consists of.
fn in_tree(schema: &Schema) -> HashSet<&str> {
    let mut seen = HashSet::new();
    let mut queue = vec![ROOT];
    while let Some(path) = queue.pop() {
        // Enums are no messages.
        if let Some(message) = schema.messages.get(path)
            && seen.insert(path)
        {
            queue.extend(message.field.iter().map(FieldDescriptorProto::type_name));
        }
    }
    seen
}

/// The object around each node: `{"SelectStmt": ..}`.
fn oneof(added: &mut Additions, message: &DescriptorProto) {
    for oneof in &message.oneof_decl {
        let added = added.inside(message.name(), oneof.name());
        added.attribute(DERIVES);
        for field in &message.field {
            let rename = format!("#[serde(rename = {:?})]", field.json_name());
            added.member(field.name().to_upper_camel_case()).attribute(&rename);
        }
    }
}

fn attribute(message: &DescriptorProto, field: &FieldDescriptorProto, written: bool) -> String {
    let mut keys = vec![format!("rename = {:?}", field.json_name())];
    // Full names begin with a dot.
    let ty = rust_name(field.type_name().rsplit('.').next().unwrap_or_default());
    match (message.name(), field.r#type()) {
        ("IntList", Type::Message) => {
            keys.push("with = \"super::json_nodes::int_list\"".to_owned());
        }
        ("OidList", Type::Message) => {
            keys.push("with = \"super::json_nodes::oid_list\"".to_owned());
        }
        (_, Type::Message) => keys.push("with = \"crate::runtime::json::nested\"".to_owned()),
        (_, Type::Enum) => {
            keys.push(format!("with = \"crate::runtime::json::Enumeration::<{ty}>\""));
        }
        _ => {}
    }
    if !written {
        keys.push("skip_serializing_if = \"crate::runtime::json::is_default\"".to_owned());
    }
    format!("#[serde({})]", keys.join(", "))
}

/// Whether libpg_query writes a field even if it has its default value.
pub(crate) fn is_always_written(
    bindings: &Bindings,
    version: &str,
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
) -> bool {
    let name = message.name();
    let never_null = if WITH_EMPTY_STRINGS.contains(&version) { NEVER_NULL } else { &[] };
    match field.r#type() {
        _ if name == "ParseResult" => true,
        // As in pg_ast/version/tree/json_nodes.rs.
        _ if name == "A_Const" => field.json_name() == "location",
        Type::Enum | Type::Double => true,
        Type::Message => ["List", "IntList", "OidList"].contains(&name),
        Type::String if never_null.contains(&(name, field.json_name())) => true,
        Type::String | Type::Bool => bindings.is_value_node(name),
        _ => false,
    }
}

/// Tells pg_ast/runtime/json.rs of the enums.
pub(crate) fn enumerations(schema: &Schema) -> String {
    let mut names: Vec<_> = schema.enums.values().map(|item| rust_name(item.name())).collect();
    names.sort_unstable();
    format!("crate::runtime::json::enumerations! {{ {} }}\n", names.join(" "))
}

/// What prost-build makes of the name of an enum.
fn rust_name(name: &str) -> String {
    name.to_upper_camel_case()
}
