//! Changes to a tree of any type, by its schema.

use std::fs;
use std::sync::LazyLock;

use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage as _,
    Value,
};

use super::Source;

const SCHEMA: &str = env!("PG_AST_SCHEMA");

/// The message of an entire tree.
pub static PARSE_RESULT: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let files = fs::read(SCHEMA).expect("a schema");
    let pool = DescriptorPool::decode(files.as_slice()).expect("a pool");
    pool.get_message_by_name("pg_query.ParseResult").expect("ParseResult")
});

/// A change does not make a list longer than this.
const LONG_LIST: usize = 300;

/// Strings with a meaning for the deparser or the scanner, or without one.
const STRINGS: [&str; 24] = [
    "",
    "a",
    "\"",
    "'",
    "\\",
    "\u{e9}",
    "a b",
    "SELECT",
    "pg_catalog",
    "interval",
    "bpchar",
    "bit",
    "numeric",
    "+",
    "~~",
    "OPERATOR(",
    "/*",
    "--",
    "$1",
    "0",
    "-1",
    "1e400",
    "a\0b",
    "\u{10FFFD}",
];

/// Changes a tree in one place, by numbers from `source`.
pub fn mutate(tree: &mut DynamicMessage, source: &mut Source<'_>) {
    let messages = count(tree);
    let place = source.below(messages);
    match source.below(8) {
        // Copies a part of the tree to another place.
        0 | 1 => {
            let donor = nth(tree, place).clone();
            let kind = donor.descriptor();
            let slot = source.below(count_of(tree, &kind));
            *nth_of(tree, slot, &kind) = donor;
        }
        // Swaps two parts of the same type.
        2 => {
            let one = nth(tree, place).clone();
            let kind = one.descriptor();
            let slot = source.below(count_of(tree, &kind));
            let other = core::mem::replace(nth_of(tree, slot, &kind), one);
            // If it was inside, it no longer exists.
            if place < count(tree) && nth(tree, place).descriptor() == kind {
                *nth(tree, place) = other;
            }
        }
        3 => {
            let message = nth(tree, place);
            let set: Vec<_> = message.fields().map(|(field, _)| field).collect();
            if !set.is_empty() {
                message.clear_field(&set[source.below(set.len())]);
            }
        }
        4 => list(nth(tree, place), source),
        _ => {
            let message = nth(tree, place);
            let fields = message.descriptor().fields().len();
            if fields > 0 {
                let index = source.below(fields);
                let field = message.descriptor().fields().nth(index).expect("one of them");
                let value = value(&field, source);
                if field.is_list() {
                    if let Value::List(items) = message.get_field_mut(&field) {
                        items.push(value);
                    }
                } else {
                    message.set_field(&field, value);
                }
            }
        }
    }
}

/// Changes a list of the message, if it has one.
fn list(message: &mut DynamicMessage, source: &mut Source<'_>) {
    let lists: Vec<_> =
        message.fields().map(|(field, _)| field).filter(FieldDescriptor::is_list).collect();
    if lists.is_empty() {
        return;
    }
    let field = &lists[source.below(lists.len())];
    let Value::List(items) = message.get_field_mut(field) else { return };
    if items.is_empty() {
        return;
    }
    let at = source.below(items.len());
    match source.below(6) {
        0 => drop(items.remove(at)),
        1 => items.truncate(at),
        2 => items.reverse(),
        3 => items.push(items[at].clone()),
        4 => {
            let other = source.below(items.len());
            items.swap(at, other);
        }
        _ => {
            let times = source.below(64).min(LONG_LIST / items.len());
            let item = items[at].clone();
            items.extend(core::iter::repeat_n(item, times));
        }
    }
}

/// Returns a value for one place of a field.
fn value(field: &FieldDescriptor, source: &mut Source<'_>) -> Value {
    let kind = field.kind();
    // Small values, extreme values, and any others.
    let number = match source.below(4) {
        0 => u64::from(source.byte()),
        1 => 0_u64.wrapping_sub(u64::from(source.byte())),
        2 => (1_u64 << source.below(64)).wrapping_sub(u64::from(source.byte() & 3)),
        _ => source.number(),
    };
    // Like the cast, uses the bits that fit.
    #[allow(clippy::cast_possible_truncation)]
    match kind {
        Kind::Bool => Value::Bool(number & 1 == 1),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number.cast_signed()),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(number as u32),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(number),
        Kind::Float => Value::F32(f32::from_bits(number as u32)),
        Kind::Double => Value::F64(f64::from_bits(number)),
        Kind::Bytes => Value::Bytes(prost::bytes::Bytes::new()),
        Kind::String => {
            let text = STRINGS[source.below(STRINGS.len())];
            let times = if source.below(8) == 0 { 100 } else { 1 };
            Value::String(text.repeat(times))
        }
        Kind::Enum(kind) => {
            let constants: Vec<_> = kind.values().map(|value| value.number()).collect();
            let any = source.below(constants.len() + 1);
            Value::EnumNumber(constants.get(any).copied().unwrap_or(number as i32))
        }
        Kind::Message(kind) => Value::Message(fresh(&kind, source)),
    }
}

/// Returns an empty message; for a node, one of any type.
fn fresh(kind: &MessageDescriptor, source: &mut Source<'_>) -> DynamicMessage {
    let mut message = DynamicMessage::new(kind.clone());
    if let Some(oneof) = kind.oneofs().next()
        && source.chance()
    {
        let index = source.below(oneof.fields().len());
        let field = oneof.fields().nth(index).expect("one of them");
        if let Kind::Message(kind) = field.kind() {
            message.set_field(&field, Value::Message(DynamicMessage::new(kind)));
        }
    }
    message
}

/// Returns the number of messages in a tree, including itself.
fn count(tree: &mut DynamicMessage) -> usize {
    let mut messages = 0;
    visit(tree, &mut |_| {
        messages += 1;
        false
    });
    messages
}

fn count_of(tree: &mut DynamicMessage, kind: &MessageDescriptor) -> usize {
    let mut messages = 0;
    visit(tree, &mut |message| {
        messages += usize::from(message.descriptor() == *kind);
        false
    });
    messages
}

/// Returns the message with that number, each one before its contents.
fn nth(tree: &mut DynamicMessage, number: usize) -> &mut DynamicMessage {
    let mut before = 0;
    let is_it = &mut |_: &DynamicMessage| {
        before += 1;
        before > number
    };
    visit(tree, is_it).expect("there are as many")
}

fn nth_of<'a>(
    tree: &'a mut DynamicMessage,
    number: usize,
    kind: &MessageDescriptor,
) -> &'a mut DynamicMessage {
    let mut before = 0;
    let is_it = &mut |message: &DynamicMessage| {
        before += usize::from(message.descriptor() == *kind);
        before > number
    };
    visit(tree, is_it).expect("there are as many")
}

/// Returns the first message for which `is_it` is true.
fn visit<'a>(
    message: &'a mut DynamicMessage,
    is_it: &mut dyn FnMut(&DynamicMessage) -> bool,
) -> Option<&'a mut DynamicMessage> {
    if is_it(message) {
        return Some(message);
    }
    for (_, value) in message.fields_mut() {
        let found = match value {
            Value::Message(child) => visit(child, is_it),
            Value::List(children) => children.iter_mut().find_map(|child| match child {
                Value::Message(child) => visit(child, is_it),
                _ => None,
            }),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
