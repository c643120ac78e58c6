//! Every change of one child of a tree: removed, emptied, doubled, swapped with its neighbour.

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
}

/// Passes on each changed tree, encoded, with the change and its place: `SelectStmt.target_list`.
pub fn mutants(message: &DynamicMessage, act: &mut dyn FnMut(&[u8], Change, &str)) {
    let fields: Vec<_> = message.fields().map(|(field, value)| (field, value.clone())).collect();
    let name = message.descriptor().name().to_owned();
    // A `Node` has one child, whose place is that of the node.
    let is_node = name == "Node";
    for (at, (field, value)) in fields.iter().enumerate() {
        let place = format!("{name}.{}", field.name());
        let mut with = |value: Option<Value>, change: Change| {
            let mut mutant = message.clone();
            match value {
                Some(value) => mutant.set_field(field, value),
                None => mutant.clear_field(field),
            }
            act(&mutant.encode_to_vec(), change, &place);
        };
        match value {
            Value::List(items) if items.iter().any(|item| item.as_message().is_some()) => {
                with(None, Change::EmptyList);
                for at in 0..items.len() {
                    let mut changed = |change: Change, f: &dyn Fn(&mut Vec<Value>)| {
                        let mut items = items.clone();
                        f(&mut items);
                        with(Some(Value::List(items)), change);
                    };
                    changed(Change::Remove, &|items| drop(items.remove(at)));
                    changed(Change::Double, &|items| items.insert(at, items[at].clone()));
                    changed(Change::Empty, &|items| items[at] = emptied(&items[at]));
                    if matches!(field.kind(), Kind::Message(kind) if kind.name() == "Node") {
                        changed(Change::EmptyCell, &|items| {
                            items[at] = Value::Message(DynamicMessage::new(
                                items[at].as_message().expect("a node").descriptor(),
                            ));
                        });
                    }
                    if at + 1 < items.len() && items[at] != items[at + 1] {
                        changed(Change::Swap, &|items| items.swap(at, at + 1));
                    }
                }
            }
            Value::Message(_) if !is_node => {
                with(None, Change::Remove);
                with(Some(emptied(value)), Change::Empty);
                let next = fields[at + 1..].iter().find(|(other, _)| same_type(field, other));
                if let Some((other, theirs)) = next {
                    let mut mutant = message.clone();
                    mutant.set_field(field, theirs.clone());
                    mutant.set_field(other, value.clone());
                    act(&mutant.encode_to_vec(), Change::Swap, &place);
                }
            }
            _ => {}
        }
    }
    for (field, value) in &fields {
        let children: Vec<_> = match value {
            Value::List(children) => children.iter().filter_map(Value::as_message).collect(),
            child => child.as_message().into_iter().collect(),
        };
        let mut rest = message.clone();
        rest.clear_field(field);
        let rest = rest.encode_to_vec();
        let mut encoded: Vec<_> = children.iter().map(|child| child.encode_to_vec()).collect();
        for (at, child) in children.into_iter().enumerate() {
            let original = encoded[at].clone();
            mutants(child, &mut |mutant, change, place| {
                encoded[at] = mutant.to_vec();
                let mut whole = rest.clone();
                prost::encoding::bytes::encode_repeated(field.number(), &encoded, &mut whole);
                act(&whole, change, place);
            });
            encoded[at] = original;
        }
    }
}

fn same_type(field: &FieldDescriptor, other: &FieldDescriptor) -> bool {
    !other.is_list() && field.kind().as_message() == other.kind().as_message()
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
