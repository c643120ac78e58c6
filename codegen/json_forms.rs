//! The forms of fields in libpg_query's JSON, for the feature `serde`: which of them it leaves out
//! there (`pg_query_outfuncs_json.c`).

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

/// Returns the form of a field in JSON, as a number from 1 on. `pg_ast/version/tree/messages/contents.rs` has the forms.
pub(crate) fn form(
    bindings: &Bindings,
    major: u32,
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
) -> u8 {
    match message.name() {
        "IntList" => 3,
        "OidList" => 4,
        _ if is_always_written(bindings, major, message, field) => 2,
        _ => 1,
    }
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
