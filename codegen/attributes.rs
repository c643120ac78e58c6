//! The attributes of prost-build's structs: the derives, the names in C, boxes around large nodes.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use prost_build::Config;
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto};

use super::bindings::Bindings;
use super::comments::Api;
use super::docs::{Docs, doc};
use super::required;
use super::schema::{LIST, NODE, Schema, Type, is_list, last, nested};
use super::texts::{ANY, ours};

/// The derives of what C has a twin of.
const MAPPED: &str = "#[derive(FromRaw, IntoRaw)]";

/// Nodes larger than this are boxed in the oneof, so that a `Node`, and with it each cell of a
/// list, is one word more at most. The common nodes fit: names, columns, constants.
const LARGEST_IN_PLACE: usize = 40;

/// C fields for which libpg_query's schema has no place: the planner and the executor fill them, the
/// grammar never does. Each has the first major version to which that applies. A field that is neither
/// listed here nor in the schema does not compile.
const NOT_IN_SCHEMA: &[(u32, &str, &[&str])] = &[
    (16, "Aggref", &["aggtranstype", "aggpresorted"]),
    (18, "CreateStatsStmt", &["owner"]),
    (16, "DistinctExpr", &["opfuncid"]),
    (16, "GroupingFunc", &["cols"]),
    (17, "JsonTablePath", &["value"]),
    (16, "NullIfExpr", &["opfuncid"]),
    (16, "OpExpr", &["opfuncid"]),
    (15, "Query", &["queryId"]),
    (16, "ScalarArrayOpExpr", &["opfuncid", "hashfuncid", "negfuncid"]),
    (16, "Var", &["varnosyn", "varattnosyn"]),
];

/// What is listed for a major version: a C struct, and a field of it.
fn listed(major: u32) -> impl Iterator<Item = (&'static str, &'static str)> {
    let entries = NOT_IN_SCHEMA.iter().filter(move |(since, ..)| major >= *since);
    entries.flat_map(|(_, name, fields)| fields.iter().map(|field| (*name, *field)))
}

/// Holds that table against the bindings and the schema.
///
/// # Errors
///
/// A field is in no C struct, or in the schema after all.
pub(crate) fn check(schema: &Schema, bindings: &Bindings) -> Result<(), Box<dyn Error>> {
    let known = schema.known("NOT_IN_SCHEMA");
    for (name, field) in listed(schema.major) {
        known.message(name)?;
        if known.field(name, field).is_ok() || !bindings.fields(name).any(|it| it == field) {
            return Err(known.missing(&format!("field {field} in C alone, in {name}")));
        }
    }
    Ok(())
}

/// Returns the C fields of a message that its schema lacks.
pub(crate) fn not_in_schema(major: u32, message: &str) -> Vec<&'static str> {
    listed(major).filter(|(name, _)| *name == message).map(|(_, field)| field).collect()
}

/// Gives prost-build the attributes of every type and field.
///
/// prost-build's keys are paths. One without a dot before it is for that path alone, and not for what is inside of it.
pub(crate) fn add(config: &mut Config, schema: &Schema, bindings: &Bindings, docs: &Docs) {
    let mut adder = Adder { config, schema, bindings };
    for message in schema.messages.values() {
        adder.message(message, docs);
        for oneof in 0..message.oneof_decl.len() {
            adder.oneof(message, oneof);
        }
    }
    for item in schema.enums.values() {
        adder.enumeration(item, docs);
    }
}

struct Adder<'a> {
    config: &'a mut Config,
    schema: &'a Schema,
    bindings: &'a Bindings,
}

impl Adder<'_> {
    fn message(&mut self, message: &DescriptorProto, docs: &Docs) {
        let name = message.name();
        let major = self.schema.major;
        let mut attributes = Vec::new();
        let is_mapped = name != last(NODE) && !is_list(name) && self.bindings.is_record(name);
        if is_mapped {
            attributes.push(format!("raw = raw::{name}"));
            let header = self.bindings.header(name).filter(|header| header != "type_");
            attributes.extend(header.map(|header| format!("header = {header:?}")));
        }
        if is_mapped && required::has_rule(major, name) {
            attributes.push("internal(complete)".to_owned());
        }
        let unmapped = not_in_schema(major, name);
        if !unmapped.is_empty() {
            attributes.push(format!("skip_raw({})", unmapped.join(", ")));
        }
        self.ty(name, &docs.message(name), if is_mapped { MAPPED } else { "" });
        self.of_type(name, &attributes);
        for field in message.field.iter().filter(|field| field.oneof_index.is_none()) {
            let path = format!("{name}.{}", field.name());
            let text = docs.field(message, field, Api::Tree);
            let attributes = if is_mapped { self.of_field(name, field) } else { Vec::new() };
            self.field(&path, &text, &attributes);
        }
    }

    /// What the schema does not say about a field.
    fn of_field(&self, message: &str, field: &FieldDescriptorProto) -> Vec<String> {
        let mut attributes = Vec::new();
        let c_name = self.bindings.field(message, field.json_name());
        if c_name != field.name() {
            attributes.push(format!("name = {c_name:?}"));
        }
        if field.r#type() == Type::String && self.bindings.is_value_node(message) {
            attributes.push("not_null".to_owned());
        }
        if is_location(field) {
            attributes.push("location".to_owned());
        }
        attributes
    }

    /// A oneof holds nodes: each variant says which C struct it is, by its type.
    fn oneof(&mut self, message: &DescriptorProto, index: usize) {
        let oneof = message.oneof_decl[index].name();
        let path = format!("{}.{oneof}", message.name());
        let text = |of| ours(message.name(), of).unwrap_or_default();
        self.field(&path, &text(oneof), &[]);
        self.ty(&path, &text(ANY), MAPPED);
        self.of_type(&path, &["raw = raw::Node".to_owned()]);
        let index = i32::try_from(index).ok();
        for field in message.field.iter().filter(|field| field.oneof_index == index) {
            let name = last(field.type_name());
            let attributes = if is_list(name) {
                vec![format!("raw = raw::{LIST}"), format!("tag = \"T_{name}\"")]
            } else {
                vec![format!("raw = raw::{name}")]
            };
            let path = format!("{path}.{}", field.name());
            self.field(&path, "", &attributes);
            if is_boxed(self.schema, field.type_name()) {
                self.config.boxed(key(&path));
            }
        }
    }

    fn enumeration(&mut self, item: &EnumDescriptorProto, docs: &Docs) {
        let name = item.name();
        let is_mapped = self.bindings.is_enum(name);
        self.ty(name, &docs.enumeration(name), if is_mapped { MAPPED } else { "" });
        if is_mapped {
            self.of_type(name, &[format!("raw = raw::{name}")]);
        }
        for value in &item.value {
            let attribute = match value.number() {
                _ if !is_mapped => None,
                // proto3 requires a constant for 0, which libpg_query adds; C has none.
                0 => Some("skip".to_owned()),
                _ => Some(format!("name = {:?}", value.name())),
            };
            let path = format!("{name}.{}", value.name());
            self.field(&path, &docs.constant(name, value), attribute.as_slice());
        }
    }

    /// Adds a type's documentation, and its derives.
    fn ty(&mut self, path: &str, text: &str, derives: &str) {
        for line in doc(text).chain([derives.to_owned()]).filter(|line| !line.is_empty()) {
            self.config.type_attribute(key(path), line);
        }
    }

    fn of_type(&mut self, path: &str, attributes: &[String]) {
        if !attributes.is_empty() {
            let attributes = format!("#[pg_ast({})]", attributes.join(", "));
            self.config.type_attribute(key(path), attributes);
        }
    }

    /// Adds the documentation and the attributes of a field, a variant or a constant.
    fn field(&mut self, path: &str, text: &str, attributes: &[String]) {
        for line in doc(text) {
            self.config.field_attribute(key(path), line);
        }
        if !attributes.is_empty() {
            let attributes = format!("#[pg_ast({})]", attributes.join(", "));
            self.config.field_attribute(key(path), attributes);
        }
    }
}

/// The key of a path in the schema.
fn key(path: &str) -> String {
    format!("pg_query.{path}")
}

/// Returns whether a message is boxed in a oneof.
pub(crate) fn is_boxed(schema: &Schema, message: &str) -> bool {
    schema.size(message) > LARGEST_IN_PLACE
}

/// Returns whether a number is a location, by its name: before 17, its C type does not tell.
pub(crate) fn is_location(field: &FieldDescriptorProto) -> bool {
    const ENDS: [&str; 3] = ["location", "list_start", "list_end"];
    field.r#type() == Type::Int32 && ENDS.iter().any(|end| field.name().ends_with(end))
}

/// Returns what the methods for a type of node end with: its name in snake case. libpg_query's name of the field
/// has no underscore after an abbreviation (`ctecycle_clause`). Three types are one struct, `List`.
pub(crate) fn accessor(field: &FieldDescriptorProto) -> String {
    let name = last(field.type_name());
    if is_list(name) { field.name().to_owned() } else { name.to_snake_case() }
}

/// Writes a macro that passes each node type to another macro: its variant in the oneof, its message, whether that is boxed there, its C struct, its name in C, the method of a visitor,
/// and those that tell whether a node is one.
pub(crate) fn each_node_macro(schema: &Schema) -> String {
    let mut nodes = String::new();
    for field in &schema.messages[NODE].field {
        let ty = field.type_name();
        let (variant, name) = (field.name().to_upper_camel_case(), last(ty));
        let snake = accessor(field);
        let message = name.to_upper_camel_case();
        let held = if is_boxed(schema, ty) { "boxed" } else { "in_place" };
        let raw = if is_list(name) { LIST } else { name };
        // Writing to a String cannot fail.
        let _ = writeln!(
            nodes,
            "{variant} {message} {held} {raw} {name} visit_{snake} as_{snake} as_{snake}_mut;"
        );
    }
    format!(
        "macro_rules! each_node {{ ($then:ident) => {{ $then! {{ {nodes} }} }}; }}\npub(crate) use each_node;\n"
    )
}

/// Writes a macro that passes the messages that are not part of a tree to another macro.
pub(crate) fn each_other_message_macro(schema: &Schema) -> String {
    let mut names = Vec::new();
    for message in schema.messages.values().filter(|message| !schema.is_of_tree(message.name())) {
        names.push(message.name().to_upper_camel_case());
        for nested in nested(message) {
            let module = message.name().to_snake_case();
            names.push(format!("{module}::{}", nested.name().to_upper_camel_case()));
        }
    }
    names.sort_unstable();
    let names = names.join("; ");
    format!(
        "macro_rules! each_other_message {{ ($then:ident) => {{ $then! {{ {names}; }} }}; }}\npub(crate) use each_other_message;\n"
    )
}

/// Writes a macro that passes the headers of nodes to another macro, as shapes.rs needs them.
pub(crate) fn headers_macro(schema: &Schema, bindings: &Bindings) -> String {
    let is_child = |name: &str| {
        let path = format!(".pg_query.{name}");
        path != NODE && schema.messages.contains_key(&path)
    };
    let mut headers: Vec<_> = bindings.bare_headers().filter(|name| !is_child(name)).collect();
    headers.sort_unstable();
    format!(
        "macro_rules! headers {{ ($then:ident) => {{ $then! {{ {} }} }}; }}\npub(crate) use headers;\n",
        headers.join(" ")
    )
}

/// Writes a macro that passes each node's C struct and tag to another macro: tags.rs implements
/// `Tagged` for them.
pub(crate) fn tags_macro(bindings: &Bindings) -> String {
    let tags: Vec<_> = bindings.tags().map(|(raw, tag)| format!("{raw} {tag};")).collect();
    let tags = tags.join(" ");
    format!(
        "macro_rules! tags {{ ($then:ident) => {{ $then! {{ {tags} }} }}; }}\npub(crate) use tags;\n"
    )
}

/// Writes a macro that passes each C struct that a pointer describes to another macro: tags.rs implements
/// `Pointee` for them.
pub(crate) fn pointees_macro(bindings: &Bindings) -> String {
    let names: BTreeSet<_> = bindings.pointees().collect();
    let names = names.into_iter().collect::<Vec<_>>().join(" ");
    format!(
        "macro_rules! pointees {{ ($then:ident) => {{ $then! {{ {names} }} }}; }}\npub(crate) use pointees;\n"
    )
}

/// Writes a macro that keeps the tokens after a C type's name if that type is a node: before 16, a `Bitmapset`
/// is not one.
pub(crate) fn if_node_macro(bindings: &Bindings) -> String {
    let arm = match bindings.header("Bitmapset") {
        Some(_) => "(Bitmapset $($kept:tt)*) => { $($kept)* };",
        None => "(Bitmapset $($dropped:tt)*) => {};",
    };
    format!("macro_rules! if_node {{ {arm} }}\npub(crate) use if_node;\n")
}
