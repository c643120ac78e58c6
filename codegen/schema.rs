//! The Protobuf schema: its messages and enums, the sizes of the Rust structs, their recursion.

use std::collections::{HashMap, HashSet};
use std::error::Error;

use prost_types::field_descriptor_proto::Label;
pub(crate) use prost_types::field_descriptor_proto::Type;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorSet, MessageOptions,
};

/// The message for any node, and its oneof.
pub(crate) const NODE: &str = ".pg_query.Node";

/// The message that is the whole tree.
const TREE: &str = ".pg_query.ParseResult";

/// The types of fields that there are.
const TYPES: [Type; 9] = [
    Type::Bool,
    Type::Double,
    Type::Enum,
    Type::Int32,
    Type::Int64,
    Type::Message,
    Type::String,
    Type::Uint32,
    Type::Uint64,
];

/// The struct that all lists are in C, told apart by the tag.
pub(crate) const LIST: &str = "List";

/// The messages of these.
const LISTS: [&str; 3] = ["IntList", LIST, "OidList"];

/// Whether a message is a list.
pub(crate) fn is_list(name: &str) -> bool {
    LISTS.contains(&name)
}

/// The last part of a full name, which begins with a dot.
pub(crate) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a field has any number of values.
pub(crate) fn is_repeated(field: &FieldDescriptorProto) -> bool {
    field.label() == Label::Repeated
}

/// The messages inside of a message that have a struct: not the entries of a map.
pub(crate) fn nested(message: &DescriptorProto) -> impl Iterator<Item = &DescriptorProto> {
    let is_entry =
        |it: &DescriptorProto| it.options.as_ref().is_some_and(MessageOptions::map_entry);
    message.nested_type.iter().filter(move |it| !is_entry(it))
}

pub(crate) struct Schema {
    /// The major version of PostgreSQL.
    pub(crate) major: u32,
    /// The messages that a tree consists of, by full name.
    of_tree: HashSet<String>,
    /// By full name: `.pg_query.SelectStmt`.
    pub(crate) messages: HashMap<String, DescriptorProto>,
    pub(crate) enums: HashMap<String, EnumDescriptorProto>,
}

impl Schema {
    /// # Errors
    ///
    /// A field has a type that libpg_query's schemas did not have until now.
    pub(crate) fn new(files: &FileDescriptorSet, major: u32) -> Result<Self, Box<dyn Error>> {
        let (messages, enums) = (HashMap::new(), HashMap::new());
        let mut schema = Self { major, of_tree: HashSet::new(), messages, enums };
        for file in &files.file {
            for message in &file.message_type {
                let mut types = message.field.iter().map(FieldDescriptorProto::r#type);
                if let Some(ty) = types.find(|ty| !TYPES.contains(ty)) {
                    return Err(format!("{} has a field of type {ty:?}", message.name()).into());
                }
                let name = format!(".{}.{}", file.package(), message.name());
                schema.messages.insert(name, message.clone());
            }
            for item in &file.enum_type {
                let name = format!(".{}.{}", file.package(), item.name());
                schema.enums.insert(name, item.clone());
            }
        }
        schema.of_tree = schema.of_tree().into_iter().map(str::to_owned).collect();
        Ok(schema)
    }

    /// Whether a message is part of a tree.
    pub(crate) fn is_of_tree(&self, name: &str) -> bool {
        self.of_tree.contains(&format!(".pg_query.{name}"))
    }

    /// A message, by its name in C.
    pub(crate) fn message(&self, name: &str) -> Option<&DescriptorProto> {
        self.messages.get(&format!(".pg_query.{name}"))
    }

    /// The constants of an enumeration, by its name in C; none if there is no such one.
    pub(crate) fn constants(&self, item: &str) -> impl Iterator<Item = &EnumValueDescriptorProto> {
        let item = self.enums.get(&format!(".pg_query.{item}"));
        item.into_iter().flat_map(|item| &item.value)
    }

    /// Returns the messages that a tree consists of, by full name.
    pub(crate) fn of_tree(&self) -> HashSet<&str> {
        let mut seen = HashSet::new();
        let mut queue = vec![TREE];
        while let Some(name) = queue.pop() {
            let Some((name, message)) = self.messages.get_key_value(name) else { continue };
            if seen.insert(name.as_str()) {
                queue.extend(message.field.iter().map(FieldDescriptorProto::type_name));
            }
        }
        seen
    }

    /// Returns whether a message holds another one, at any depth, through fields that `through` accepts.
    fn reaches(
        &self,
        from: &str,
        to: &str,
        through: impl Fn(&str, &FieldDescriptorProto) -> bool,
    ) -> bool {
        let mut seen = HashSet::new();
        let mut queue = vec![from];
        while let Some(name) = queue.pop() {
            let Some(message) = self.messages.get(name) else { continue };
            if name == to {
                return true;
            }
            if seen.insert(name) {
                let fields = message.field.iter().filter(|field| through(name, field));
                queue.extend(fields.map(FieldDescriptorProto::type_name));
            }
        }
        false
    }

    /// Returns an upper bound for the size of the struct that prost makes of a message.
    pub(crate) fn size(&self, name: &str) -> usize {
        let fields = &self.messages[name].field;
        let size = |field| self.field_size(name, field);
        let plain: usize = fields.iter().filter(|f| f.oneof_index.is_none()).map(size).sum();
        let oneof = fields.iter().filter(|f| f.oneof_index.is_some()).map(size).max();
        // rustc sorts fields by alignment, so that only the end is padded.
        (plain + oneof.unwrap_or(0)).next_multiple_of(8)
    }

    fn field_size(&self, message: &str, field: &FieldDescriptorProto) -> usize {
        if is_repeated(field) {
            return size_of::<Vec<()>>();
        }
        // prost boxes a field that leads back to its own message.
        let singular = |_: &str, field: &FieldDescriptorProto| !is_repeated(field);
        match field.r#type() {
            Type::Bool => 1,
            Type::Int32 | Type::Uint32 | Type::Enum => 4,
            Type::String => size_of::<String>(),
            Type::Message if self.reaches(field.type_name(), message, singular) => 8,
            // In place, with at most one word to say whether it is there.
            Type::Message => 8 + self.size(field.type_name()),
            _ => 8,
        }
    }
}
