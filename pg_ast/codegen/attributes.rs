//! The additions to prost's structs: the derives, the names in C, boxes around large nodes. `prost_code.rs`
//! puts them there.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use crate::descriptor::{DescriptorProto, FieldDescriptorProto, Type};
use heck::{ToSnakeCase as _, ToUpperCamelCase as _};

use crate::bindings::Bindings;
use crate::prost_code::{Addition, Additions};
use crate::required;
use crate::schema::{LIST, NODE, Schema, is_list, last};
use crate::views::ident;

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

/// The enumeration of the scanner's tokens.
const TOKEN: &str = ".pg_query.Token";

const DERIVES: &str = "#[derive(::pg_ast_derive::FromRaw, ::pg_ast_derive::IntoRaw)]";

// Paths are short, as the compiler keeps each part of them: the modules `raw` and `message` are in scope.
const MESSAGE: &str = "#[derive(::pg_ast_derive::Message)] #[pg_ast(tree = message)]";
const INSIDE: &str = "#[derive(::pg_ast_derive::Message)] #[pg_ast(tree = super::message)]";

pub(crate) fn add(added: &mut Additions, schema: &Schema, bindings: &Bindings) {
    let generator = Generator { schema, bindings };
    // Tokens that are characters are named by their numbers.
    for token in schema.enums.get(TOKEN).into_iter().flat_map(|tokens| &tokens.value) {
        let number =
            token.name().strip_prefix("ASCII_").and_then(|number| number.parse::<u8>().ok());
        if let Some(number) = number {
            let doc = format!("#[doc = \"`{}`\"]", char::from(number).escape_default());
            added.item(last(TOKEN)).member(token.number().to_string()).attribute(&doc);
        }
    }
    for message in schema.messages.values() {
        for nested in message.nested_type.iter().filter(|nested| !nested.is_map_entry) {
            added.inside(message.name(), nested.name()).message(INSIDE);
        }
        added.item(message.name()).message(MESSAGE);
        for oneof in &message.oneof_decl {
            added.inside(message.name(), oneof.name()).message(INSIDE);
        }
    }
    for (path, message) in &schema.messages {
        if !message.oneof_decl.is_empty() {
            generator.oneof(added, message);
        }
        if path != NODE && !is_list(message.name()) && bindings.is_record(message.name()) {
            generator.message(added.item(message.name()), message);
            if required::has_rule(schema.major, message.name()) {
                added.item(message.name()).attribute("#[pg_ast(complete)]");
            }
        }
    }
    for item in schema.enums.values().filter(|item| bindings.is_enum(item.name())) {
        let added = added.item(item.name());
        added.attribute(&Generator::container(&format!("raw::{}", item.name()), None));
        for value in &item.value {
            // proto3 requires a constant for 0, which libpg_query adds; C has none.
            let attribute = match value.number() {
                0 => "#[pg_ast(skip)]".to_owned(),
                _ => format!("#[pg_ast(name = {:?})]", value.name()),
            };
            added.member(value.number().to_string()).attribute(&attribute);
        }
    }
}

struct Generator<'a> {
    schema: &'a Schema,
    bindings: &'a Bindings,
}

impl Generator<'_> {
    fn container(raw: &str, header: Option<&str>) -> String {
        let mut attributes = format!("{DERIVES} #[pg_ast(raw = {raw}");
        if let Some(header) = header.filter(|header| *header != "type_") {
            // Writing to a String cannot fail.
            let _ = write!(attributes, ", header = {header:?}");
        }
        attributes + ")]"
    }

    fn message(&self, added: &mut Addition, message: &DescriptorProto) {
        let name = message.name();
        let header = self.bindings.header(name);
        added.attribute(&Self::container(&format!("raw::{name}"), header.as_deref()));
        let unmapped = not_in_schema(self.schema.major, name);
        if !unmapped.is_empty() {
            added.attribute(&format!("#[pg_ast(skip_raw({}))]", unmapped.join(", ")));
        }
        for field in message.field.iter().filter(|field| field.oneof_index.is_none()) {
            let mut attributes = Vec::new();
            let c_name = self.bindings.field(name, field.json_name());
            if c_name != field.name() {
                attributes.push(format!("name = {c_name:?}"));
            }
            if field.r#type() == Type::String && self.bindings.is_value_node(name) {
                attributes.push("not_null".to_owned());
            }
            if is_location(field) {
                attributes.push("location".to_owned());
            }
            if !attributes.is_empty() {
                let attribute = format!("#[pg_ast({})]", attributes.join(", "));
                added.member(ident(field.name())).attribute(&attribute);
            }
        }
    }

    /// A oneof holds nodes: each variant says which C struct it is, by its type.
    fn oneof(&self, added: &mut Additions, message: &DescriptorProto) {
        for (index, oneof) in message.oneof_decl.iter().enumerate() {
            let added = added.inside(message.name(), oneof.name());
            added.attribute(&Self::container("super::raw::Node", None));
            if message.name() == last(NODE) {
                // `downcast.rs` needs this layout.
                added.attribute("#[repr(u16)]");
            }
            let index = i32::try_from(index).ok();
            for field in message.field.iter().filter(|field| field.oneof_index == index) {
                let variant = added.member(field.name().to_upper_camel_case());
                let ty = field.type_name();
                let name = last(ty);
                variant.attribute(&if is_list(name) {
                    format!("#[pg_ast(raw = super::raw::{LIST}, tag = \"T_{name}\")]")
                } else {
                    format!("#[pg_ast(raw = super::raw::{name})]")
                });
                variant.is_boxed = Some(is_boxed(self.schema, ty));
            }
        }
    }
}

/// Returns whether a number is a location, by its name: before 17, its C type does not tell.
pub(crate) fn is_location(field: &FieldDescriptorProto) -> bool {
    const ENDS: [&str; 3] = ["location", "list_start", "list_end"];
    field.r#type() == Type::Int32 && ENDS.iter().any(|end| field.name().ends_with(end))
}

/// Returns whether a message is boxed in a oneof.
fn is_boxed(schema: &Schema, message: &str) -> bool {
    schema.size(message) > LARGEST_IN_PLACE
}

/// Writes a macro that passes each node type to another macro: the index of its variant in the oneof, the
/// variant, its message, whether that is boxed there, its C struct, its name in C, the method of a visitor,
/// and those that tell whether a node is one.
pub(crate) fn each_node_macro(schema: &Schema) -> String {
    let mut nodes = String::new();
    for (index, field) in schema.messages[NODE].field.iter().enumerate() {
        let (ty, snake) = (field.type_name(), field.name());
        let (variant, name) = (snake.to_upper_camel_case(), last(ty));
        let message = name.to_upper_camel_case();
        let held = if is_boxed(schema, ty) { "boxed" } else { "in_place" };
        let raw = if is_list(name) { LIST } else { name };
        // Writing to a String cannot fail.
        let _ = writeln!(
            nodes,
            "{index} {variant} {message} {held} {raw} {name} visit_{snake} as_{snake} as_{snake}_mut;"
        );
    }
    format!(
        "macro_rules! each_node {{ ($then:ident) => {{ $then! {{ {nodes} }} }}; }}\npub(crate) use each_node;\n"
    )
}

/// Writes a macro that passes the messages that are not part of a tree to another macro.
pub(crate) fn each_other_message_macro(schema: &Schema) -> String {
    let tree = schema.of_tree();
    let mut names = Vec::new();
    for (_, message) in schema.messages.iter().filter(|(path, _)| !tree.contains(path.as_str())) {
        names.push(message.name().to_upper_camel_case());
        for nested in message.nested_type.iter().filter(|nested| !nested.is_map_entry) {
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
