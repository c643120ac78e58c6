//! The documentation of generated code: marks for PostgreSQL's comments, and our own sentences.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use heck::ToUpperCamelCase as _;
use prost_types::{DescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto};

use super::bindings::Bindings;
use super::comments::{Api, BEGIN, Comments, END, Marks};
use super::items;
use super::schema::{Schema, Type, is_list, last};
use super::texts::{by_name, ours};

/// Comments that only point to another one.
const EMPTY: [&str; 4] = ["see above", "see below", "As above", "as above"];

/// The files of the parser that make nodes: the grammar's actions, and what they call.
const MAKERS: [&str; 3] =
    ["src_backend_parser_gram.c", "src_backend_nodes_makefuncs.c", "src_backend_nodes_value.c"];

/// The enumeration of the scanner's tokens.
const TOKEN: &str = "Token";

pub(crate) struct Docs<'a> {
    /// The comments, and the types that can be linked.
    marks: Marks<'a>,
    bindings: &'a Bindings,
    /// The nodes that the grammar makes.
    made: HashSet<String>,
}

/// Returns the mark in the place of the comment on a type, or on a part of it: both by their names in C.
fn mark(ty: &str, member: Option<&str>) -> String {
    match member {
        Some(member) => format!("{BEGIN}{ty}.{member}{END}"),
        None => format!("{BEGIN}{ty}{END}"),
    }
}

/// Writes a text as the lines of a documentation comment.
pub(crate) fn doc(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| format!("/// {line}").trim_end().to_owned())
}

/// Returns the nodes that C code makes: the arguments of `makeNode`.
fn made(source: &Path) -> std::io::Result<HashSet<String>> {
    let mut made = HashSet::new();
    for file in MAKERS {
        let code = fs::read_to_string(source.join("src/postgres").join(file))?;
        let nodes = code.split("makeNode(").skip(1).filter_map(|rest| rest.split(')').next());
        made.extend(nodes.map(str::to_owned));
    }
    Ok(made)
}

impl<'a> Docs<'a> {
    /// # Errors
    ///
    /// The sources lack one of the files of the parser.
    pub(crate) fn new(
        schema: &'a Schema,
        bindings: &'a Bindings,
        comments: &'a Comments,
        source: &Path,
    ) -> std::io::Result<Self> {
        let nodes = schema.messages.values().map(DescriptorProto::name);
        let nodes = nodes.filter(|name| schema.is_of_tree(name) && bindings.is_record(name));
        let nodes = nodes.map(|name| (name, false));
        let enums = schema.enums.values().map(|item| (item.name(), true));
        let types = nodes.chain(enums.filter(|(name, _)| bindings.is_enum(name)));
        let types = types.map(|(name, is_enum)| (name, (name.to_upper_camel_case(), is_enum)));
        let marks = Marks { comments, types: types.collect() };
        Ok(Self { marks, bindings, made: made(source)? })
    }

    /// Returns a documentation with the comments in the places of their marks.
    pub(crate) fn in_full(&self, text: &str) -> String {
        self.marks.replace(text, Api::Tree)
    }

    /// Returns the documentation of a message in the owned tree.
    pub(crate) fn message(&self, name: &str) -> String {
        if self.bindings.is_record(name) {
            self.node(name, Api::Tree)
        } else {
            ours(name, "").unwrap_or_default()
        }
    }

    /// Returns the documentation of a node.
    pub(crate) fn node(&self, name: &str, api: Api) -> String {
        let comment = self.marks.comments.of_type(name).map(|_| mark(name, None));
        let mut text: Vec<_> = ours(name, "").or(comment).into_iter().collect();
        let raw = if api == Api::Tree { "super::raw" } else { "raw" };
        let node = format!("PostgreSQL's node [`{name}`]({raw}::{name}).");
        text.push(match api {
            Api::Tree => node,
            Api::View => {
                let rust = name.to_upper_camel_case();
                format!("{node} The owned one is [`protobuf::{rust}`].")
            }
        });
        if !self.is_made(name) {
            text.push("The grammar never makes this node: parsed trees do not contain it.".into());
        }
        text.join("\n\n")
    }

    /// Returns whether the grammar makes a node. A header is none: it is a part of others.
    pub(crate) fn is_made(&self, name: &str) -> bool {
        let is_header = self.bindings.bare_headers().any(|header| header == name);
        is_header || is_list(name) || self.made.contains(name)
    }

    /// Returns the documentation of an enum.
    pub(crate) fn enumeration(&self, name: &str) -> String {
        if let Some(ours) = ours(name, "") {
            return ours;
        }
        let mut text: Vec<_> =
            self.marks.comments.of_type(name).map(|_| mark(name, None)).into_iter().collect();
        text.push(format!("PostgreSQL's enumeration [`{name}`](super::raw::{name})."));
        text.join("\n\n")
    }

    /// Returns the documentation of a constant of an enum, if there is any.
    pub(crate) fn constant(&self, item: &str, value: &EnumValueDescriptorProto) -> String {
        if value.number() == 0 {
            return "Not PostgreSQL's: Protobuf requires a constant for 0.".to_owned();
        }
        // Tokens that are characters are named by their numbers.
        let number = value.name().strip_prefix("ASCII_").filter(|_| item == TOKEN);
        if let Some(number) = number.and_then(|number| number.parse::<u8>().ok()) {
            return format!("`{}`", char::from(number));
        }
        let comment = self.marks.comments.of_member(item, value.name());
        comment.map(|_| mark(item, Some(value.name()))).unwrap_or_default()
    }

    /// Returns the documentation of a field.
    pub(crate) fn field(
        &self,
        message: &DescriptorProto,
        field: &FieldDescriptorProto,
        api: Api,
    ) -> String {
        let c_name = field.json_name();
        let record = self.bindings.record_name(message.name());
        let comment = self.marks.comments.of_member(record, c_name);
        let comment = comment.filter(|comment| !EMPTY.contains(comment));
        let mut sentences: Vec<_> = match (comment, ours(message.name(), field.name())) {
            (_, Some(ours)) => vec![ours],
            (Some(_), None) => vec![mark(record, Some(c_name))],
            (None, None) if self.bindings.is_header(record, c_name) => {
                vec!["The header of a node in C. Always `None`.".to_owned()]
            }
            (None, None) => by_name(c_name).into_iter().collect(),
        };
        let says_nothing = sentences.is_empty();
        // A method returns the enum itself.
        if field.r#type() == Type::Enum && api == Api::Tree {
            let name = last(field.type_name());
            sentences.push(format!("A constant of [`{}`].", name.to_upper_camel_case()));
        }
        if let Some(items) = self.items(message, field, &sentences) {
            sentences.push(items);
        }
        if c_name != field.name() || (says_nothing && api == Api::View) {
            sentences.push(format!("In C: `{c_name}`."));
        }
        sentences.join(" ")
    }

    /// What is in a list, unless the text says it already.
    fn items(
        &self,
        message: &DescriptorProto,
        field: &FieldDescriptorProto,
        text: &[String],
    ) -> Option<String> {
        let types = items::of_field(message.name(), field.name());
        // Not each version has each type.
        let rust = |name: &str| self.marks.types.get(name).map(|(rust, _)| rust);
        let text = self.marks.replace(&text.join("\n"), Api::Tree);
        let is_said = |ty: &&str| {
            rust(ty.rsplit('/').next().unwrap_or(ty)).is_some_and(|rust| {
                text.contains(&format!("[`{rust}`]")) || text.contains(&format!("]({rust})"))
            })
        };
        if types.iter().all(is_said) {
            return None;
        }
        let items = items::markdown(&types, &|name| Some(format!("[`{}`]", rust(name)?)))?;
        Some(format!("Items: {items}."))
    }
}
