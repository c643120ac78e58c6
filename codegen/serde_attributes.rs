//! The attributes for the feature `serde`: the names in libpg_query's JSON, and the fields that it leaves
//! out there (`pg_query_outfuncs_json.c`).

use std::error::Error;

use prost_types::{DescriptorProto, FieldDescriptorProto};

use super::bindings::Bindings;
use super::schema::{Schema, Type, is_list};

/// Strings that the grammar never leaves NULL. Before 18, libpg_query leaves out NULL, and
/// writes an empty string; elsewhere the tree cannot distinguish the two.
const NEVER_NULL: &[(&str, &str)] = &[
    ("AlterEnumStmt", "newVal"),
    ("CreateConversionStmt", "for_encoding_name"),
    ("CreateConversionStmt", "to_encoding_name"),
    ("CreateSubscriptionStmt", "conninfo"),
    ("CreateTableSpaceStmt", "location"),
    ("LoadStmt", "filename"),
];
/// The last major version of which that holds.
const LAST_WITH_EMPTY_STRINGS: u32 = 17;

/// Holds the table of the strings against the schema.
///
/// # Errors
///
/// One of them is none of the version's.
pub(crate) fn check(schema: &Schema) -> Result<(), Box<dyn Error>> {
    NEVER_NULL
        .iter()
        .try_for_each(|(message, name)| schema.known("NEVER_NULL").field(message, name))
}

/// Returns the attributes of a field that has this name in C: another name in JSON, and a form there that is not the
/// usual one. `pg_ast/version/tree/contents.rs` has the forms.
pub(crate) fn of_field(
    bindings: &Bindings,
    major: u32,
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
    c_name: &str,
) -> Vec<String> {
    let mut attributes = Vec::new();
    if field.json_name() != c_name {
        attributes.push(format!("json = {:?}", field.json_name()));
    }
    let form = match message.name() {
        "IntList" => Some("Signed"),
        "OidList" => Some("Unsigned"),
        _ => is_always_written(bindings, major, message, field).then_some("Always"),
    };
    attributes.extend(form.map(|form| format!("json_form = {form:?}")));
    attributes
}

/// Returns whether libpg_query writes a field even if it has its default value.
pub(crate) fn is_always_written(
    bindings: &Bindings,
    major: u32,
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
) -> bool {
    let name = message.name();
    let never_null = if major <= LAST_WITH_EMPTY_STRINGS { NEVER_NULL } else { &[] };
    match field.r#type() {
        _ if name == "ParseResult" => true,
        _ if name == "A_Const" => field.json_name() == "location",
        Type::Enum | Type::Double => true,
        Type::Message => is_list(name),
        Type::String if never_null.contains(&(name, field.json_name())) => true,
        Type::String | Type::Bool => bindings.is_value_node(name),
        _ => false,
    }
}
