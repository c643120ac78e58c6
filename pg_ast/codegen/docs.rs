//! The documentation of generated code: PostgreSQL's comments, and additions to them.

use crate::descriptor::{DescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto, Type};
use heck::ToUpperCamelCase as _;

use crate::bindings::Bindings;
use crate::comments::Comments;
use crate::items;
use crate::markdown::{Api, Names, Types};
use crate::prost_code::Additions;
use crate::schema::{Schema, is_list, last};
use crate::texts::{ANY, by_name, ours};
use crate::views::ident;

/// Comments that only point to another one.
const EMPTY: [&str; 4] = ["see above", "see below", "As above", "as above"];

pub(crate) struct Docs<'a> {
    schema: &'a Schema,
    comments: &'a Comments,
    bindings: &'a Bindings,
    /// The types of the schema by their names in C: their names in Rust, and whether
    /// they are enums.
    types: Types<'a>,
}

/// Writes a text as an attribute; none if it is empty.
fn doc(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("#[doc = {text:?}]") }
}

impl<'a> Docs<'a> {
    pub(crate) fn new(schema: &'a Schema, bindings: &'a Bindings, comments: &'a Comments) -> Self {
        let tree = schema.of_tree();
        let nodes = tree.iter().filter_map(|path| schema.messages.get(*path));
        let nodes = nodes.map(|message| (message.name(), false));
        let enums = schema.enums.values().map(|item| (item.name(), true));
        let types = nodes
            .chain(enums)
            .filter(|(name, _)| bindings.is_record(name) || bindings.is_enum(name))
            .map(|(name, is_enum)| (name, (name.to_upper_camel_case(), is_enum)))
            .collect();
        Self { schema, comments, bindings, types }
    }

    /// Adds the documentation of the owned tree.
    pub(crate) fn add(&self, added: &mut Additions) {
        for message in self.schema.messages.values() {
            let name = message.name();
            let item = added.item(name);
            item.attribute(&doc(&if self.bindings.is_record(name) {
                self.node(name, Api::Tree)
            } else {
                ours(name, "").unwrap_or_default()
            }));
            for field in message.field.iter().filter(|field| field.oneof_index.is_none()) {
                let text = self.field(message, field, Api::Tree);
                item.member(ident(field.name())).attribute(&doc(&text));
            }
            for oneof in &message.oneof_decl {
                let text = ours(name, oneof.name()).unwrap_or_default();
                item.member(ident(oneof.name())).attribute(&doc(&text));
            }
            for oneof in &message.oneof_decl {
                let text = ours(name, ANY).unwrap_or_default();
                added.inside(name, oneof.name()).attribute(&doc(&text));
            }
        }
        for item in self.schema.enums.values() {
            let name = item.name();
            let added = added.item(name);
            added.attribute(&doc(&ours(name, "").unwrap_or_else(|| self.enumeration(name))));
            for value in &item.value {
                let text = self.constant(name, value).unwrap_or_default();
                added.member(value.number().to_string()).attribute(&doc(&text));
            }
        }
    }

    /// Returns the documentation of a node.
    pub(crate) fn node(&self, name: &str, api: Api) -> String {
        let mut text = match (ours(name, ""), self.comments.of_type(name)) {
            (Some(ours), _) => vec![ours],
            (None, Some(comment)) => self.paragraphs(name, comment, api),
            (None, None) => Vec::new(),
        };
        let raw = if api == Api::Tree { "super::raw" } else { "raw" };
        let node = format!("PostgreSQL's node [`{name}`]({raw}::{name}).");
        text.push(match api {
            Api::Tree => node,
            Api::View => {
                let rust = name.to_upper_camel_case();
                format!("{node} The owned one is [`protobuf::{rust}`].")
            }
        });
        let is_concrete = !self.bindings.bare_headers().any(|header| header == name);
        if is_concrete && self.comments.is_never_made(name) && !is_list(name) {
            text.push("The grammar never makes this node: parsed trees do not contain it.".into());
        }
        text.join("\n\n")
    }

    /// Returns the documentation of an enum.
    fn enumeration(&self, name: &str) -> String {
        let text = self.comments.of_type(name).map(|text| self.paragraphs(name, text, Api::Tree));
        let mut text = text.unwrap_or_default();
        text.push(format!("PostgreSQL's enumeration [`{name}`](super::raw::{name})."));
        text.join("\n\n")
    }

    /// Returns the documentation of a constant of an enum, if there is any.
    fn constant(&self, item: &str, value: &EnumValueDescriptorProto) -> Option<String> {
        if value.number() == 0 {
            return Some("Not PostgreSQL's: Protobuf requires a constant for 0.".to_owned());
        }
        let comment = self.comments.of_member(item, value.name())?;
        Some(self.paragraphs(item, comment, Api::Tree).join("\n\n"))
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
        let comment = self.comments.of_member(record, c_name);
        let comment = comment.filter(|comment| !EMPTY.contains(comment));
        let mut sentences: Vec<_> = match (comment, ours(message.name(), field.name())) {
            (_, Some(ours)) => vec![ours],
            (Some(comment), None) => vec![self.paragraphs(record, comment, api).join("\n\n")],
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
        let declaration = self.comments.declaration(record, c_name);
        match declaration.filter(|_| says_nothing) {
            Some(declaration) => sentences.push(format!("In C: `{declaration}`.")),
            None if c_name != field.name() || (says_nothing && api == Api::View) => {
                sentences.push(format!("In C: `{c_name}`."));
            }
            None => {}
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
        let rust = |name: &str| self.types.get(name).map(|(rust, _)| rust);
        let is_said = |ty: &&str| {
            rust(ty.rsplit('/').next().unwrap_or(ty)).is_some_and(|rust| {
                let links = [format!("[`{rust}`]"), format!("]({rust})")];
                text.iter().any(|text| links.iter().any(|link| text.contains(link)))
            })
        };
        if types.iter().all(is_said) {
            return None;
        }
        let items = items::markdown(&types, &|name| Some(format!("[`{}`]", rust(name)?)))?;
        Some(format!("Items: {items}."))
    }

    /// Converts a comment on a type, or on one of its members, to paragraphs of Markdown.
    fn paragraphs(&self, ty: &str, comment: &str, api: Api) -> Vec<String> {
        let is_member = |name: &str| self.comments.of_member(ty, name).is_some();
        Names { types: &self.types, is_member: &is_member, api }.paragraphs(comment)
    }
}
