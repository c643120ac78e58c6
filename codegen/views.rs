//! Generates the types of the views: one for each node, over its C struct, with a method for each field; and the
//! table of the fields of the structs.
//!
//! It contains only a field's name in Rust, its name in C, and its type in the schema. How
//! the C type is read is implemented for that type (`FieldType`): one without an implementation, or with another
//! than the schema wants, does not compile.

use std::fmt::Write as _;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto};

use super::bindings::Bindings;
use super::comments::Api;
use super::docs::{Docs, doc};
use super::schema::{NODE, Schema, Type, is_list, is_repeated, last};
use super::{attributes, changes, fingerprint_rules, json_forms, statement_rules};

/// An item of a list of numbers is one, without a struct; so the type is written by hand.
const INTEGER: &str = "Integer";

pub(crate) fn generate(schema: &Schema, bindings: &Bindings, docs: &Docs) -> String {
    let tree = schema.of_tree();
    // The lists have one type, which is written by hand.
    let mut messages: Vec<_> = tree
        .iter()
        .map(|path| &schema.messages[*path])
        .filter(|message| bindings.is_record(message.name()) && !is_list(message.name()))
        .filter(|message| message.name() != "Node")
        .collect();
    messages.sort_unstable_by_key(|message| message.name());

    let mut code = String::from("use super::view::prelude::*;\n");
    let mut structs = Vec::new();
    for message in messages.iter().filter(|message| message.name() != INTEGER) {
        node(&mut code, message, bindings, docs);
    }
    for message in &messages {
        structs.push(table(message, bindings, schema.major));
    }
    let _ = write!(
        code,
        "/// What is where in the struct of each node.\n\
         pub(crate) static STRUCTS: [Struct; {}] = [\n{}];\n",
        structs.len(),
        structs.concat(),
    );
    sum(&mut code, &schema.messages[NODE]);
    let values = messages.iter().flat_map(|message| &message.field);
    constants(&mut code, values.filter(|field| field.oneof_index.is_some()));
    enumerations(&mut code, schema, bindings);
    children(&mut code, &messages);
    code + &changes::generate(&messages, schema, bindings, docs)
}

/// Returns the name that prost-build makes of a name.
pub(crate) fn rust_name(name: &str) -> String {
    name.to_upper_camel_case()
}

/// Returns the fields that have their own place in C: a oneof is a single field in C.
pub(crate) fn fields<'a>(
    message: &'a DescriptorProto,
    bindings: &'a Bindings,
) -> impl Iterator<Item = (&'a FieldDescriptorProto, String)> {
    let plain = message.field.iter().filter(|field| field.oneof_index.is_none());
    plain.map(|field| (field, bindings.field(message.name(), field.json_name())))
}

/// Returns a name as prost-build writes it, which marks Rust's keywords.
pub(crate) fn ident(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

/// Returns the type that a method returns, and the conversion from the C type.
fn method_type(field: &FieldDescriptorProto) -> (String, &'static str) {
    let repeated = is_repeated(field);
    let of = last(field.type_name());
    match field.r#type() {
        Type::Message if repeated || is_list(of) => ("List<'a>".to_owned(), ""),
        Type::Message => (format!("Option<{}<'a>>", rust_name(of)), ""),
        Type::Enum => (format!("protobuf::{}", rust_name(of)), ""),
        Type::String => ("&'a str".to_owned(), ""),
        Type::Bool => ("bool".to_owned(), ""),
        Type::Double => ("f64".to_owned(), ""),
        _ if repeated => ("Bitmapset<'a>".to_owned(), ""),
        // Some integers are narrower in C.
        Type::Int64 => ("i64".to_owned(), ".into()"),
        Type::Uint32 => ("u32".to_owned(), ".into()"),
        Type::Uint64 => ("u64".to_owned(), ".into()"),
        // `Schema::new` has only these.
        _ => ("i32".to_owned(), ".into()"),
    }
}

fn node(code: &mut String, message: &DescriptorProto, bindings: &Bindings, docs: &Docs) {
    let name = message.name();
    let rust = rust_name(name);
    // Writing to a String cannot fail.
    lines(code, "", &docs.node(name, Api::View));
    let _ = write!(
        code,
        "#[repr(transparent)]\npub struct {rust}<'a>(pub(super) InC<'a, raw::{name}>);\n\
         impl<'a> {rust}<'a> {{\n",
    );
    for (field, c_name) in fields(message, bindings) {
        let (ty, then) = method_type(field);
        let call = format!("part!(self.{c_name}){then}");
        let text = docs.field(message, field, Api::View);
        method(code, &ident(field.name()), &ty, &call, &text);
    }
    for oneof in &message.oneof_decl {
        let c_name = bindings.field(name, oneof.name());
        let ty = format!("Option<{}::{}<'a>>", name.to_snake_case(), rust_name(oneof.name()));
        let (call, text) = (format!("part!(self.{c_name})"), "The value; `None` for `NULL`.");
        method(code, &ident(oneof.name()), &ty, &call, text);
    }
    let _ = writeln!(code, "}}\nnode! {{ {rust} {name} }}");
}

fn method(code: &mut String, name: &str, ty: &str, call: &str, text: &str) {
    const INDENT: &str = "    ";
    lines(code, INDENT, text);
    // Writing to a String cannot fail.
    let _ = write!(
        code,
        "{INDENT}#[inline]\n{INDENT}#[must_use]\n{INDENT}pub fn {name}(self) -> {ty} {{ {call} }}\n",
    );
}

/// Writes a text as documentation.
fn lines(code: &mut String, indent: &str, text: &str) {
    for line in doc(text) {
        // Writing to a String cannot fail.
        let _ = writeln!(code, "{indent}{line}");
    }
}

/// Returns the name of the oneof that a field is in.
pub(crate) fn oneof_name<'a>(
    message: &'a DescriptorProto,
    field: &FieldDescriptorProto,
) -> &'a str {
    let index = field.oneof_index.and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| message.oneof_decl.get(index)).map_or("", |oneof| oneof.name())
}

/// Writes the entry of a struct in the table.
fn table(message: &DescriptorProto, bindings: &Bindings, major: u32) -> String {
    let name = message.name();
    let (mut number, mut oneof, mut links) = (0, None, 0);
    // In the order of the schema: whether the field does not count in a fingerprint, its names, its place there, and its
    // numbers.
    let mut fields = Vec::new();
    for field in &message.field {
        assert!(field.number() > number, "{name}: the numbers of the fields do not ascend");
        number = field.number();
        if field.oneof_index.is_some() {
            // All of its fields are a single one in C: at the place of the first of them.
            if oneof != field.oneof_index {
                let json = oneof_name(message, field);
                let c_name = bindings.field(name, json);
                fields.push((true, json, c_name, String::new(), "(0, false)".to_owned()));
                links += 1;
            }
            oneof = field.oneof_index;
            continue;
        }
        let json = field.json_name();
        let c_name = bindings.field(name, json);
        let in_json = json_forms::is_always_written(bindings, major, message, field);
        // A header stands for the node itself, whose name says it.
        let is_header = bindings.is_header(name, &c_name);
        let is_ignored = fingerprint_rules::is_ignored(major, name, field) || is_header;
        links += usize::from(field.r#type() == Type::Message && !is_header);
        let place = fingerprint_rules::place(name, json);
        let numbers = format!("({number}, {in_json})");
        fields.push((is_ignored, json, c_name, place, numbers));
    }
    let mut sorted: Vec<_> = fields.iter().enumerate().collect();
    sorted.sort_unstable_by_key(|(_, (is_ignored, json, ..))| (*is_ignored, *json));
    let mut order = vec![0; fields.len()];
    for (index, (place, _)) in sorted.iter().enumerate() {
        order[*place] = index;
    }
    let (mut parts, mut texts, mut numbers) = (String::new(), String::new(), String::new());
    for ((_, (_, json, c_name, place, own)), in_this_place) in sorted.iter().zip(&order) {
        let _ = write!(parts, "{c_name} [{place}] ");
        let _ = write!(texts, "{json} ");
        let _ = write!(numbers, "({in_this_place}, {own}), ");
    }
    let counted = fields.iter().filter(|(is_ignored, ..)| !is_ignored).count();
    let is_stmt = statement_rules::is_statement(name);
    let (counts, before) = fingerprint_rules::counts(name);
    format!(
        "structure! {{ {name} T_{name} {counts} {before:?} {links} {counted} {is_stmt}; \
         {parts} {texts:?} [{numbers}]; {} }},\n",
        attributes::not_in_schema(major, name).join(" "),
    )
}

/// Writes `Node`, and everything that lists all of its variants.
fn sum(code: &mut String, node: &DescriptorProto) {
    code.push_str("nodes! {\n");
    for field in &node.field {
        let name = last(field.type_name());
        let variant = rust_name(field.name());
        let ty = if is_list(name) { "List".to_owned() } else { rust_name(name) };
        let (number, snake) = (field.number(), attributes::accessor(field));
        let _ = writeln!(
            code,
            "{variant} {ty} T_{name} {:?} {number} visit_{snake} as_{snake};",
            field.json_name()
        );
    }
    code.push_str("}\n");
}

/// Writes the possible values of a constant: tags, each with its Protobuf number and its name.
fn constants<'a>(code: &mut String, fields: impl Iterator<Item = &'a FieldDescriptorProto>) {
    code.push_str("pub(crate) const CONSTANTS: &[(u32, u32, &str)] = &[");
    for field in fields {
        let (tag, name) = (last(field.type_name()), field.json_name());
        let _ = write!(code, "(raw::NodeTag::T_{tag}.0, {}, {name:?}), ", field.number());
    }
    code.push_str("];\n");
}

/// Writes the C enums that have a twin in the schema.
fn enumerations(code: &mut String, schema: &Schema, bindings: &Bindings) {
    let names = schema.enums.values().map(EnumDescriptorProto::name);
    let mut names: Vec<_> = names.filter(|name| bindings.is_enum(name)).collect();
    names.sort_unstable();
    code.push_str("enumerations! { ");
    for (index, name) in names.iter().enumerate() {
        let _ = write!(code, "{index} {name} {}; ", rust_name(name));
    }
    code.push_str("}\n");
}

/// Writes the nodes that others point to by their type.
fn children(code: &mut String, messages: &[&DescriptorProto]) {
    let fields = messages.iter().flat_map(|message| &message.field);
    let mut names: Vec<_> = fields
        .filter(|field| {
            field.oneof_index.is_none() && field.r#type() == Type::Message && !is_repeated(field)
        })
        .map(|field| last(field.type_name()))
        .filter(|name| *name != "Node" && !is_list(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    code.push_str("children! { ");
    for name in names {
        let _ = write!(code, "{name} {} T_{name}; ", rust_name(name));
    }
    code.push_str("}\n");
}
