//! What the npm package's generator (`npm/codegen/`) has to know of the schema and its documentation, as JSON: the types
//! of fields, the constants of enumerations, and the documentation of all of it. Offsets are not in here: the module
//! itself returns them.

use std::fmt::Write as _;

use heck::ToUpperCamelCase as _;
use prost_types::{DescriptorProto, FieldDescriptorProto};
use tinyjson::JsonValue;

use super::bindings::Bindings;
use super::comments::Api;
use super::docs::Docs;
use super::items;
use super::schema::{Schema, Type, last};

pub(crate) fn generate(schema: &Schema, bindings: &Bindings, docs: &Docs) -> String {
    let mut json = String::from("{\n");
    let mut messages: Vec<_> = schema
        .messages
        .values()
        .filter(|message| schema.is_of_tree(message.name()) && bindings.is_record(message.name()))
        .collect();
    messages.sort_unstable_by_key(|message| message.name());
    json.push_str("\"nodes\": {\n");
    entries(&mut json, messages, |json, message| node(json, message, docs));
    json.push_str("},\n\"enums\": {\n");
    let mut enums: Vec<_> =
        schema.enums.values().filter(|item| bindings.is_enum(item.name())).collect();
    enums.sort_unstable_by_key(|item| item.name());
    entries(&mut json, enums, |json, item| {
        let name = item.name();
        let text = docs.in_full(&docs.enumeration(name));
        let rust = name.to_upper_camel_case();
        // Writing to a String cannot fail.
        let _ = write!(json, "{}: {{\"rust\": {}, ", string(name), string(&rust));
        let _ = write!(json, "\"doc\": {}, \"constants\": {{", string(&text));
        for (index, value) in item.value.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let text = docs.in_full(&docs.constant(name, value));
            let _ = write!(json, "{comma}{}: {}", string(value.name()), string(&text));
        }
        json.push_str("}}");
    });
    json.push_str("}\n}\n");
    json
}

fn string(text: &str) -> String {
    // A text can always be written.
    JsonValue::String(text.trim().to_owned()).stringify().unwrap_or_default()
}

/// Writes each item on a line of its own.
fn entries<T>(json: &mut String, items: Vec<T>, f: impl Fn(&mut String, T)) {
    let count = items.len();
    for (index, item) in items.into_iter().enumerate() {
        f(json, item);
        json.push_str(if index + 1 == count { "\n" } else { ",\n" });
    }
}

fn node(json: &mut String, message: &DescriptorProto, docs: &Docs) {
    let name = message.name();
    let text = docs.in_full(&docs.node(name, Api::Tree));
    // Writing to a String cannot fail.
    let _ = write!(json, "{}: {{\"rust\": {}, ", string(name), string(&name.to_upper_camel_case()));
    let _ = write!(json, "\"doc\": {}, \"made\": {}, ", string(&text), docs.is_made(name));
    json.push_str("\"fields\": {");
    let fields = message.field.iter().filter(|field| field.oneof_index.is_none());
    for (index, field) in fields.enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let text = docs.in_full(&docs.field(message, field, Api::View));
        let items: Vec<_> = items::of_field(name, field.name()).into_iter().map(string).collect();
        let _ = write!(
            json,
            "{comma}{}: {{\"type\": {}, \"items\": [{}], \"doc\": {}}}",
            string(field.json_name()),
            string(type_name(field)),
            items.join(", "),
            string(&text),
        );
    }
    json.push_str("}}");
}

/// Returns the name of the type of nodes, or of constants, that a field has; empty for other fields.
fn type_name(field: &FieldDescriptorProto) -> &str {
    match field.r#type() {
        Type::Message | Type::Enum => last(field.type_name()),
        _ => "",
    }
}
