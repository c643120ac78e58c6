//! Every change of one child of a tree.

use std::collections::HashMap;

use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};

/// What is done to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A child or an item of a list is gone.
    Remove,
    /// A child or an item is a node of its type with nothing in it.
    Empty,
    /// An item is a cell without a node.
    EmptyCell,
    /// A list has no items.
    EmptyList,
    /// An item is in its list twice.
    Double,
    /// An item changes places with the next one, a child with the next child of its parent.
    Swap,
    /// A node is one of another type.
    Replace,
    /// A child, a list or a string is there that another node of this type has.
    Fill,
}

impl Change {
    /// Those of children that stay what they are, and go elsewhere.
    pub const OF_CHILDREN: &[Self] =
        &[Self::Remove, Self::Empty, Self::EmptyCell, Self::EmptyList, Self::Double, Self::Swap];
}

/// Makes changed trees.
pub struct Mutants<'a> {
    /// What to change ...
    pub changes: &'a [Change],
    /// ... in each place, or in one of so many: which ones is the same in each run.
    pub one_of: usize,
    /// The changes so far.
    pub count: usize,
    /// Nodes to put in place of others.
    pub strangers: &'a [DynamicMessage],
    /// Values to fill fields with.
    pub donors: &'a Donors,
}

/// What the fields of a type hold elsewhere: the first value of each field, by the name of the type.
#[derive(Default)]
pub struct Donors(HashMap<String, Vec<(FieldDescriptor, Value)>>);

impl Donors {
    /// Takes the values of all fields of a tree that no node before it had.
    pub fn add(&mut self, message: &DynamicMessage) {
        for (field, value) in message.fields() {
            match value {
                Value::Message(child) => self.add(child),
                Value::List(items) => {
                    items.iter().filter_map(Value::as_message).for_each(|item| self.add(item));
                }
                Value::String(_) => {}
                _ => continue,
            }
            if message.descriptor().name() != "Node" {
                let known = self.0.entry(message.descriptor().name().to_owned()).or_default();
                if known.iter().all(|(other, _)| *other != field) {
                    known.push((field, value.clone()));
                }
            }
        }
    }
}

/// Receives a changed tree, encoded, with the change and its place: `SelectStmt.target_list`.
type Act<'a> = &'a mut dyn FnMut(&[u8], Change, &str);

impl Mutants<'_> {
    /// Returns whether this change is one to make.
    fn takes(&mut self, change: Change) -> bool {
        if !self.changes.contains(&change) {
            return false;
        }
        self.count += 1;
        self.count.is_multiple_of(self.one_of)
    }

    /// Passes on each changed tree.
    pub fn of(&mut self, message: &DynamicMessage, act: Act<'_>) {
        self.children(message, act);
        for (field, value) in message.fields() {
            let children: Vec<_> = match value {
                Value::List(children) => children.iter().filter_map(Value::as_message).collect(),
                child => child.as_message().into_iter().collect(),
            };
            let mut rest = None;
            for (at, child) in children.iter().enumerate() {
                self.of(child, &mut |mutant, change, place| {
                    let rest = rest.get_or_insert_with(|| {
                        let mut rest = message.clone();
                        rest.clear_field(&field);
                        rest.encode_to_vec()
                    });
                    let mut encoded: Vec<_> =
                        children.iter().map(|child| child.encode_to_vec()).collect();
                    encoded[at] = mutant.to_vec();
                    let mut whole = rest.clone();
                    prost::encoding::bytes::encode_repeated(field.number(), &encoded, &mut whole);
                    act(&whole, change, place);
                });
            }
        }
    }

    /// Changes the children of a node.
    fn children(&mut self, message: &DynamicMessage, act: Act<'_>) {
        let strangers = self.strangers;
        let fields: Vec<_> = message.fields().collect();
        let donors = self.donors;
        for (field, value) in donors.0.get(message.descriptor().name()).into_iter().flatten() {
            // A constant has one value.
            let is_free = !message.has_field(field) && field.containing_oneof().is_none();
            if is_free && self.takes(Change::Fill) {
                let filled = changed(message, field, Some(value.clone()));
                act(&filled, Change::Fill, &place(message, field));
            }
        }
        for (at, (field, value)) in fields.iter().enumerate() {
            let is_node = matches!(field.kind(), Kind::Message(kind) if kind.name() == "Node");
            let mut with = |change: Change, value: &dyn Fn() -> Option<Value>| {
                if self.takes(change) {
                    act(&changed(message, field, value()), change, &place(message, field));
                }
            };
            match value {
                Value::List(items) if items.iter().any(|item| item.as_message().is_some()) => {
                    with(Change::EmptyList, &|| None);
                    for at in 0..items.len() {
                        let mut with = |change: Change, f: &dyn Fn(&mut Vec<Value>)| {
                            with(change, &|| {
                                let mut items = items.clone();
                                f(&mut items);
                                Some(Value::List(items))
                            });
                        };
                        with(Change::Remove, &|items| drop(items.remove(at)));
                        with(Change::Double, &|items| items.insert(at, items[at].clone()));
                        with(Change::Empty, &|items| items[at] = emptied(&items[at]));
                        if is_node {
                            with(Change::EmptyCell, &|items| {
                                items[at] = Value::Message(DynamicMessage::new(
                                    items[at].as_message().expect("a node").descriptor(),
                                ));
                            });
                            for stranger in strangers_of(strangers, &items[at]) {
                                with(Change::Replace, &|items| {
                                    items[at] = Value::Message(stranger.clone());
                                });
                            }
                        }
                        if at + 1 < items.len() && items[at] != items[at + 1] {
                            with(Change::Swap, &|items| items.swap(at, at + 1));
                        }
                    }
                }
                // A `Node` has one child, whose place is that of the node.
                Value::Message(_) if message.descriptor().name() != "Node" => {
                    with(Change::Remove, &|| None);
                    with(Change::Empty, &|| Some(emptied(value)));
                    if is_node {
                        for stranger in strangers_of(strangers, value) {
                            with(Change::Replace, &|| Some(Value::Message(stranger.clone())));
                        }
                    }
                    let next = fields[at + 1..].iter().find(|(other, _)| same_type(field, other));
                    if let Some((other, theirs)) = next
                        && self.takes(Change::Swap)
                    {
                        let mut mutant = message.clone();
                        mutant.set_field(field, (*theirs).clone());
                        mutant.set_field(other, (*value).clone());
                        act(&mutant.encode_to_vec(), Change::Swap, &place(message, field));
                    }
                }
                _ => {}
            }
        }
    }
}

fn place(message: &DynamicMessage, field: &FieldDescriptor) -> String {
    format!("{}.{}", message.descriptor().name(), field.name())
}

/// Encodes a message with another value of a field, or none.
fn changed(message: &DynamicMessage, field: &FieldDescriptor, value: Option<Value>) -> Vec<u8> {
    let mut mutant = message.clone();
    match value {
        Some(value) => mutant.set_field(field, value),
        None => mutant.clear_field(field),
    }
    mutant.encode_to_vec()
}

fn same_type(field: &FieldDescriptor, other: &FieldDescriptor) -> bool {
    !other.is_list() && field.kind().as_message() == other.kind().as_message()
}

/// Returns the type of a `Node`.
fn type_of(node: &DynamicMessage) -> Option<FieldDescriptor> {
    node.fields().next().map(|(field, _)| field)
}

/// Returns the nodes of other types than this one.
fn strangers_of<'a>(
    strangers: &'a [DynamicMessage],
    node: &Value,
) -> impl Iterator<Item = &'a DynamicMessage> {
    let own = node.as_message().and_then(type_of);
    strangers.iter().filter(move |stranger| type_of(stranger) != own)
}

/// A node of the same type, with nothing in it.
fn emptied(value: &Value) -> Value {
    let Value::Message(message) = value else { return value.clone() };
    let mut empty = DynamicMessage::new(message.descriptor());
    if message.descriptor().name() == "Node"
        && let Some((field, Value::Message(node))) = message.fields().next()
    {
        // Of `merge_action()`, which has no children, the only field is a constant.
        if node.descriptor().name() == "MergeSupportFunc" {
            return value.clone();
        }
        empty.set_field(&field, Value::Message(DynamicMessage::new(node.descriptor())));
    }
    Value::Message(empty)
}
