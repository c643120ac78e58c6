//! Values for the fields of messages, generated from the schema.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use super::schema::{self, message};

/// Strings that are a `char` in C: one byte.
const CHARS: &[&str] = &[
    "AlterDomainStmt.subtype",
    "AlterEventTrigStmt.tgenabled",
    "Aggref.aggkind",
    "ColumnDef.generated",
    "ColumnDef.identity",
    "ColumnDef.storage",
    "Constraint.fk_del_action",
    "Constraint.fk_matchtype",
    "Constraint.fk_upd_action",
    "Constraint.generated_kind",
    "Constraint.generated_when",
    "CreateAmStmt.amtype",
    "PartitionBoundSpec.strategy",
    "RangeTblEntry.relkind",
    "RangeVar.relpersistence",
    "ReplicaIdentityStmt.identity_type",
];

/// Headers that C embeds in a node. They contain its tag and no child,
/// so there is no place for the fields of the schema: they are `None`.
const HEADERS: &[&str] = &["*.xpr", "JsonTablePathScan.plan", "JsonTableSiblingJoin.plan"];

/// Embedded by value, so always present: `None` comes back as the default.
pub const BY_VALUE: &str = "CreateForeignTableStmt.base_stmt";

pub fn path(field: &FieldDescriptor) -> String {
    format!("{}.{}", field.parent_message().name(), field.name())
}

pub fn is_header(field: &FieldDescriptor) -> bool {
    HEADERS.contains(&&*path(field)) || HEADERS.contains(&&*format!("*.{}", field.name()))
}

pub fn is_char(field: &FieldDescriptor) -> bool {
    CHARS.contains(&&*path(field))
}

/// The types that are lists of numbers.
fn is_number_list(descriptor: &MessageDescriptor) -> bool {
    ["IntList", "OidList"].contains(&descriptor.name())
}

/// Generates values for the fields of a message.
#[derive(Default)]
pub struct Maker<'a> {
    /// Counts the values, so that all of them differ.
    pub next: i32,
    /// The value of every string, if they should not differ.
    pub string: Option<&'a str>,
    /// True if headers get a child as well, for which C has no place.
    pub headers: bool,
}

impl Maker<'_> {
    /// Returns a message with every field set, and as many levels of messages in it.
    pub fn message(&mut self, descriptor: &MessageDescriptor, depth: usize) -> DynamicMessage {
        let headers = self.headers;
        let mut made = DynamicMessage::new(descriptor.clone());
        for field in descriptor.fields().filter(|field| headers || !is_header(field)) {
            if let Some(value) = self.field(&field, depth) {
                made.set_field(&field, value);
            }
        }
        made
    }

    pub fn field(&mut self, field: &FieldDescriptor, depth: usize) -> Option<Value> {
        self.next += 1;
        Some(match field.kind() {
            Kind::Uint64 if field.is_list() => {
                Value::List([0, 1, 63, 64, 200].map(Value::U64).to_vec())
            }
            Kind::Message(child) if field.is_list() => {
                assert_eq!(child.name(), "Node");
                Value::List(self.list(field.parent_message()))
            }
            Kind::Message(child) if child.name() == "Node" => Value::Message(self.node(depth)),
            Kind::Message(child) => {
                if depth == 0 && path(field) != BY_VALUE {
                    return None;
                }
                Value::Message(self.message(&child, depth.saturating_sub(1)))
            }
            Kind::Enum(item) => {
                let constants: Vec<_> = item.values().filter(|value| value.number() != 0).collect();
                let index = usize::try_from(self.next).expect("positive") % constants.len();
                Value::EnumNumber(constants[index].number())
            }
            Kind::String if is_char(field) => Value::String(self.letter()),
            Kind::String => Value::String(match self.string {
                Some(string) => string.to_owned(),
                None => format!("string {}", self.next),
            }),
            Kind::Bool => Value::Bool(true),
            Kind::Int32 => Value::I32(self.next),
            Kind::Int64 => Value::I64((1 << 40) + i64::from(self.next)),
            Kind::Uint32 => Value::U32((1 << 31) + self.next.cast_unsigned()),
            Kind::Uint64 => Value::U64((1 << 63) + u64::from(self.next.cast_unsigned())),
            Kind::Double => Value::F64(f64::from(self.next) / 8.0),
            kind => panic!("{}: no value for {kind:?}", path(field)),
        })
    }

    fn letter(&self) -> String {
        match self.string {
            Some("") => String::new(),
            _ => char::from(b'a' + u8::try_from(self.next % 26).expect("small")).to_string(),
        }
    }

    /// Returns a child of any type; the types alternate.
    fn node(&mut self, depth: usize) -> DynamicMessage {
        if depth == 0 {
            return self.integer();
        }
        let types = schema::node_types();
        let index = usize::try_from(self.next).expect("positive") % types.len();
        let child = self.message(&types[index], depth - 1);
        schema::dynamic_node(Some(child))
    }

    pub fn integer(&mut self) -> DynamicMessage {
        self.next += 1;
        let mut integer = DynamicMessage::new(message("Integer"));
        integer.set_field_by_name("ival", Value::I32(-self.next));
        schema::dynamic_node(Some(integer))
    }

    /// Returns the cells of a list: numbers, and, where allowed, an empty cell
    /// and a list of an empty cell. (An empty list is an empty cell in C.)
    fn list(&mut self, of: &MessageDescriptor) -> Vec<Value> {
        let mut cells = vec![self.integer(), self.integer()];
        if !is_number_list(of) {
            let empty = schema::dynamic_node(None);
            let mut hollow = DynamicMessage::new(message("List"));
            hollow.set_field_by_name("items", Value::List(vec![Value::Message(empty.clone())]));
            cells.push(empty);
            cells.push(schema::dynamic_node(Some(hollow)));
        }
        cells.into_iter().map(Value::Message).collect()
    }
}
