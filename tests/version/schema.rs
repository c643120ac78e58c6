//! The schema of the tree, and operations on any tree based on it.

use std::fs;
use std::sync::LazyLock;

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, Value};

use super::SCHEMA;
use super::pg::Node;
use super::pg::protobuf::ParseResult;

/// Returns the descriptors of `pg_query.proto`.
pub static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let files = fs::read(SCHEMA).expect("a schema");
    DescriptorPool::decode(files.as_slice()).expect("a pool")
});

/// Returns a message of the schema, by its C name.
pub fn message(name: &str) -> MessageDescriptor {
    POOL.get_message_by_name(&format!("pg_query.{name}"))
        .unwrap_or_else(|| panic!("the schema has no {name}"))
}

/// Returns the node types: the possible values of a `Node`.
pub fn node_types() -> Vec<MessageDescriptor> {
    let node = message("Node").oneofs().next().expect("Node is a oneof");
    node.fields().map(|field| field.kind().as_message().expect("a message").clone()).collect()
}

/// Returns a tree as a value that can be walked.
pub fn dynamic(tree: &ParseResult) -> DynamicMessage {
    DynamicMessage::decode(message("ParseResult"), &*tree.encode_to_vec())
        .expect("what encodes decodes")
}

/// Returns a node of the tree from a value of its type (or from none).
pub fn node(value: Option<DynamicMessage>) -> Node {
    Node::decode(&*dynamic_node(value).encode_to_vec()).expect("what encodes decodes")
}

/// Returns the `Node` around a value.
pub fn dynamic_node(value: Option<DynamicMessage>) -> DynamicMessage {
    use prost_reflect::ReflectMessage as _;

    let descriptor = message("Node");
    let mut node = DynamicMessage::new(descriptor.clone());
    if let Some(value) = value {
        let field = descriptor
            .fields()
            .find(|field| field.kind().as_message() == Some(&value.descriptor()))
            .unwrap_or_else(|| panic!("{} is no node", value.descriptor().name()));
        node.set_field(&field, Value::Message(value));
    }
    node
}

/// Calls `visit` for each message of a tree, outer ones first.
pub fn walk(message: &DynamicMessage, visit: &mut impl FnMut(&DynamicMessage)) {
    visit(message);
    for (_, value) in message.fields() {
        match value {
            Value::Message(child) => walk(child, visit),
            Value::List(items) => {
                items.iter().filter_map(Value::as_message).for_each(|child| walk(child, visit));
            }
            _ => {}
        }
    }
}
