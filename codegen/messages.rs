//! The tables of messages: a call of a macro for each, `pg_ast/convert/message_impls.rs`, with what the impls that all messages share
//! need to know of its fields.

use std::fmt::Write as _;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use prost_types::{DescriptorProto, FieldDescriptorProto};

use super::attributes::is_boxed;
use super::bindings::Bindings;
use super::json_forms;
use super::schema::{NODE, Schema, Type, is_repeated, last, nested};
use super::views::{ident, rust_name};

/// Writes the tables of all messages and of all enums of nodes, in the order of their names.
pub(crate) fn tables(schema: &Schema, bindings: &Bindings) -> String {
    let mut code = String::from("use crate::convert::message_impls::{message, oneof};\n");
    let mut messages: Vec<_> = schema.messages.values().collect();
    messages.sort_unstable_by_key(|message| message.name());
    for message in messages {
        let writer = Writer { schema, bindings, has_json: schema.is_of_tree(message.name()) };
        writer.message(&mut code, message, "");
        let module = format!("{}::", message.name().to_snake_case());
        for oneof in 0..message.oneof_decl.len() {
            writer.oneof(&mut code, message, &module, oneof);
        }
        for nested in nested(message) {
            Writer { has_json: false, ..writer }.message(&mut code, nested, &module);
        }
    }
    code
}

struct Writer<'a> {
    schema: &'a Schema,
    bindings: &'a Bindings,
    has_json: bool,
}

// Writing to a String cannot fail.
impl Writer<'_> {
    fn message(&self, code: &mut String, message: &DescriptorProto, module: &str) {
        let name = rust_name(message.name());
        // prost puts an enum of nodes after the other fields; a table has the order of the numbers.
        let plain = message.field.iter().filter(|field| field.oneof_index.is_none());
        let mut fields: Vec<_> =
            plain.map(|field| (field.number(), self.field(message, field))).collect();
        for (index, oneof) in message.oneof_decl.iter().enumerate() {
            let [first, last] = ends(of_oneof(message, index).map(FieldDescriptorProto::number));
            let name = oneof.name();
            // Its variants have the names in JSON.
            let row = format!("{name} {name:?} \"\" [other] ({first}, {last}, 0, 0) + {name}");
            fields.push((first, row));
        }
        fields.sort_unstable();
        let is_map = |field: &FieldDescriptorProto| {
            message.nested_type.iter().any(|entry| {
                entry.name() == last(field.type_name())
                    && entry.options.as_ref().is_some_and(prost_types::MessageOptions::map_entry)
            })
        };
        // A map cannot be made at compile time.
        let defaults = if message.field.iter().any(is_map) { "computed" } else { "constant" };
        let json = if self.has_json { "json" } else { "plain" };
        let _ = writeln!(code, "message! {{ [{module}{name}] {name:?} {json} {defaults}");
        for (_, field) in fields {
            let _ = writeln!(code, "    {field};");
        }
        code.push_str("}\n");
    }

    /// The row of a field: its name, that in JSON, the function of the table for its type, its numbers; its name again if it
    /// owns memory; the accessors of the constant that it holds.
    fn field(&self, message: &DescriptorProto, field: &FieldDescriptorProto) -> String {
        let name = field.name();
        let rust = ident(name);
        let (json, form) = if self.has_json {
            (field.json_name(), json_forms::form(self.bindings, self.schema.major, message, field))
        } else {
            ("", 0)
        };
        let place = match name {
            "location" | "stmt_location" => 1,
            "stmt_len" => 3,
            _ if ["_location", "list_start", "list_end"].iter().any(|end| name.ends_with(end)) => 2,
            _ => 0,
        };
        let number = field.number();
        let is_node = field.r#type() == Type::Message && field.type_name() == NODE;
        let (mut owns, mut accessors) = (true, String::new());
        let function = match (field.r#type(), is_repeated(field)) {
            (Type::Bool | Type::Int32, false) => {
                owns = false;
                if field.r#type() == Type::Bool { "flag" } else { "number" }.to_owned()
            }
            (Type::Enum, false) => {
                owns = false;
                let path = path(field.type_name());
                accessors = format!(" ({rust} set_{name} {path})");
                format!("constant::<{path}, _>")
            }
            (Type::String, false) => "text".to_owned(),
            _ if is_node => if is_repeated(field) { "nodes" } else { "node" }.to_owned(),
            _ => "other".to_owned(),
        };
        let owned = if owns { format!(" + {rust}") } else { String::new() };
        let numbers = format!("({number}, {number}, {place}, {form})");
        format!("{rust} {name:?} {json:?} [{function}] {numbers}{owned}{accessors}")
    }

    fn oneof(&self, code: &mut String, message: &DescriptorProto, module: &str, index: usize) {
        let name = rust_name(message.oneof_decl[index].name());
        let fields: Vec<_> = of_oneof(message, index).collect();
        let mut by_json: Vec<_> = (0..fields.len()).collect();
        by_json.sort_by_key(|index| fields[*index].json_name());
        let by_json: Vec<_> = by_json.iter().map(usize::to_string).collect();
        let _ = writeln!(code, "oneof! {{ [{module}{name}] [{}]", by_json.join(", "));
        for (index, field) in fields.into_iter().enumerate() {
            let variant = field.name().to_upper_camel_case();
            let (json, number) = (field.json_name(), field.number());
            let message = path(field.type_name());
            let held = if is_boxed(self.schema, field.type_name()) {
                format!("[*] empty_box {message}")
            } else {
                "[] empty".to_owned()
            };
            let _ = writeln!(code, "    {index} {variant} {json:?} {number} {held};");
        }
        code.push_str("}\n");
    }
}

fn of_oneof(
    message: &DescriptorProto,
    index: usize,
) -> impl Iterator<Item = &FieldDescriptorProto> {
    let index = i32::try_from(index).ok();
    message.field.iter().filter(move |field| field.oneof_index == index)
}

/// Returns the smallest and the largest number.
fn ends(numbers: impl Iterator<Item = i32>) -> [i32; 2] {
    let (first, last) =
        numbers.fold((i32::MAX, 0), |(a, b), number| (a.min(number), b.max(number)));
    [first, last]
}

/// Returns the path of a type in Rust: `.pg_query.SummaryResult.Context` is in the module `summary_result`.
fn path(name: &str) -> String {
    let mut parts: Vec<_> = name.split('.').skip(2).collect();
    let name = rust_name(parts.pop().unwrap_or_default());
    let modules = parts.iter().map(|part| format!("{}::", part.to_snake_case()));
    modules.collect::<String>() + &name
}
