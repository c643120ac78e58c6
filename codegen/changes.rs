//! Generates the handles by which a tree is changed in its place: one for each node type, with a method for each field that
//! its view has. Nodes that the grammar never makes have no methods.
//!
//! As for views, the C type of the field decides what is written there. A method whose types do not fit does not compile, nor does
//! a field of a type that nothing changes.

use std::fmt::Write as _;

use prost_types::{DescriptorProto, FieldDescriptorProto};

use super::bindings::Bindings;
use super::docs::Docs;
use super::required;
use super::schema::{NODE, Schema, Type, is_list, is_repeated, last};
use super::views::{fields, rust_name};

/// What an item of a list of numbers is, too: its view is that of the number.
const INTEGER: &str = "Integer";

/// Writes the module with all of them.
pub(crate) fn generate(
    messages: &[&DescriptorProto],
    schema: &Schema,
    bindings: &Bindings,
    docs: &Docs,
) -> String {
    let mut code = String::from(
        "/// The handles by which a tree is changed in its place.\n\
         pub(crate) mod changes {\nuse super::*;\nuse super::super::view::edit::prelude::*;\n",
    );
    for message in messages {
        handle(&mut code, message);
        // Who wants to change a node that parsed trees do not contain can put another one in its place.
        if docs.is_made(message.name()) {
            methods(&mut code, message, schema, bindings);
        }
    }
    code.push_str("nodes_mut! {\n");
    for field in &schema.messages[NODE].field {
        let name = last(field.type_name());
        let variant = rust_name(field.name());
        let ty = if is_list(name) { "List".to_owned() } else { rust_name(name) };
        let _ = writeln!(code, "{variant} {ty}Mut T_{name};");
    }
    code.push_str("}\n}\n");
    code + &required::of_views(schema)
}

/// Writes the handle of a node type.
fn handle(code: &mut String, message: &DescriptorProto) {
    let name = message.name();
    let rust = rust_name(name);
    let number = if name == INTEGER { "ival" } else { "" };
    // Writing to a String cannot fail.
    let _ = writeln!(code, "handle! {{ {rust} {rust}Mut {name} T_{name} {number} }}");
}

/// Writes the methods that change the fields of a node.
fn methods(code: &mut String, message: &DescriptorProto, schema: &Schema, bindings: &Bindings) {
    let name = message.name();
    // Writing to a String cannot fail.
    let _ = writeln!(code, "impl<'t> {}Mut<'_, 't> {{", rust_name(name));
    for (field, c_name) in fields(message, bindings) {
        if !bindings.is_header(name, &c_name) {
            method(code, message, field, &c_name, schema, bindings);
        }
    }
    for oneof in &message.oneof_decl {
        let (field, c_name) = (oneof.name(), bindings.field(name, oneof.name()));
        let module = format!("a_const::{}", rust_name(field));
        let _ = write!(
            code,
            "    /// Sets the value; `None` is that of `NULL`, with [`set_isnull`](Self::set_isnull).\n    #[inline]\n    \
             pub fn set_{field}(&mut self, value: Option<protobuf::{module}>) {{ change!(set::<_, Option<protobuf::{module}>>, self.{name}.{c_name}, value) }}\n    \
             /// Changes the value, if there is one: it is a part of this node.\n    #[inline]\n    #[must_use]\n    \
             pub fn {field}_mut(&mut self) -> Option<NodeMut<'_, 't>> {{ change!(constant, self.{name}.{c_name}) }}\n",
        );
    }
    code.push_str("}\n");
}

/// Writes the method that changes a field.
fn method(
    code: &mut String,
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
    c_name: &str,
    schema: &Schema,
    bindings: &Bindings,
) {
    let of = last(field.type_name());
    let (rust, name) = (rust_name(message.name()), field.name());
    let place = format!("self.{}.{c_name}", message.name());
    let handle = |ty: String, how: &str| {
        format!(
            "    /// Changes [`{name}`]({rust}::{name}).\n    #[inline]\n    \
             pub fn {name}_mut(&mut self) -> {ty} {{ change!({how}, {place}) }}\n"
        )
    };
    let needs = required::counts(schema.major, message.name(), name);
    let change = if needs { "change_needed" } else { "change" };
    let setter = |ty: &str, how: &str, more: &str| {
        format!(
            "    /// Sets [`{name}`]({rust}::{name}).\n    #[inline]\n    \
             pub fn set_{name}(&mut self, value: {ty}) {{ {change}!({how}, {place}, value{more}) }}\n"
        )
    };
    let value = |ty: &str| setter(ty, &format!("set::<_, {ty}>"), "");
    code.push_str(&match field.r#type() {
        Type::Message if is_repeated(field) || is_list(of) => {
            handle("ListMut<'_, 't>".to_owned(), "list")
        }
        Type::Message if of == last(NODE) => handle("Slot<'_, 't>".to_owned(), "slot"),
        Type::Message if bindings.is_embedded(message.name(), c_name) => {
            handle(format!("{}Mut<'_, 't>", rust_name(of)), "embedded")
        }
        Type::Message => handle(format!("Slot<'_, 't, protobuf::{}>", rust_name(of)), "slot"),
        Type::String => {
            let is_value = bindings.is_value_node(message.name());
            setter("&str", "text", &format!(", {is_value}"))
        }
        Type::Enum => value(&format!("protobuf::{}", rust_name(of))),
        Type::Bool => value("bool"),
        Type::Double => value("f64"),
        _ if is_repeated(field) => value("Vec<u64>"),
        Type::Int64 => value("i64"),
        Type::Uint32 => value("u32"),
        Type::Uint64 => value("u64"),
        // `Schema::new` has only these.
        _ => value("i32"),
    });
}
