//! The additions of feature `serde` to prost's structs: the names in libpg_query's JSON, and the fields that it leaves
//! out there (`pg_query_outfuncs_json.c`).

use std::error::Error;

use crate::descriptor::{DescriptorProto, FieldDescriptorProto, Type};
use heck::ToUpperCamelCase as _;

use crate::bindings::Bindings;
use crate::prost_code::Additions;
use crate::schema::{Schema, is_list};
use crate::views::{ident, oneof_name};

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

pub(crate) fn add(added: &mut Additions, schema: &Schema, bindings: &Bindings) {
    for path in schema.of_tree() {
        let message = &schema.messages[path];
        for field in &message.field {
            let name = format!("json = {:?}", field.json_name());
            if field.oneof_index.is_some() {
                let added = added.inside(message.name(), oneof_name(message, field));
                let variant = field.name().to_upper_camel_case();
                added.member(variant).attribute(&format!("#[pg_ast({name})]"));
            } else {
                let written = is_always_written(bindings, schema.major, message, field);
                let form = form(message, written);
                let member = added.item(message.name()).member(ident(field.name()));
                member.attribute(&format!("#[pg_ast({name}{form})]"));
            }
        }
        added.item(message.name()).attribute("#[pg_ast(json)]");
    }
}

/// Returns the form of a field, if it is not the usual one; pg_ast/version/tree/messages/contents.rs has the forms.
fn form(message: &DescriptorProto, is_always_written: bool) -> &'static str {
    match message.name() {
        "IntList" => ", json_form = \"Signed\"",
        "OidList" => ", json_form = \"Unsigned\"",
        _ if is_always_written => ", json_form = \"Always\"",
        _ => "",
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
