//! The items of the lists in all trees of the tests, and the table that the documentation of the fields is made of.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};

use super::{NAME, pg, schema};
use crate::common::corpus;
use crate::common::list_items::{self, Items};

/// The items of each list field, over all SQL of the tests.
pub static FOUND: LazyLock<Items> = LazyLock::new(|| {
    let mut found = Items::new();
    // The packages have many statements in common.
    // Trees of normalized statements have parameters in more places.
    let normalized = corpus::NORMALIZED.iter().map(|sql| (*sql).to_owned());
    let statements =
        corpus::own_statements().into_iter().chain(corpus::statements()).chain(normalized);
    let grammar = pg_ast::ParserOptions::default().normalized(true);
    for sql in statements.collect::<BTreeSet<_>>() {
        let Ok(tree) = pg::parse_with(&sql, grammar) else { continue };
        schema::walk(&schema::dynamic(&tree.protobuf), &mut |message| add(message, &mut found));
    }
    found
});

/// Adds the items of the fields of a message.
fn add(message: &DynamicMessage, found: &mut Items) {
    let name = message.descriptor().name().to_owned();
    for (field, value) in message.fields() {
        // The lists themselves are items of others.
        if let Value::List(items) = value
            && name != "List"
        {
            let nodes: Vec<_> = items.iter().filter_map(node).collect();
            if !nodes.is_empty() {
                let types = found.entry(format!("{name}.{}", field.name())).or_default();
                for item in &nodes {
                    add_type(item.as_ref(), "", types);
                }
            }
        }
    }
}

/// The node that a `Node` is, if this is one. It is none for `NULL`.
#[allow(clippy::option_option, reason = "an item that is no node, and one that is none")]
fn node(item: &Value) -> Option<Option<DynamicMessage>> {
    let item = item.as_message().filter(|item| item.descriptor().name() == "Node")?;
    Some(item.fields().next().and_then(|(_, value)| value.as_message().cloned()))
}

/// Adds the type of an item: `String`, and `List/String` for a list of these.
fn add_type(item: Option<&DynamicMessage>, within: &str, types: &mut BTreeSet<String>) {
    let Some(item) = item else {
        types.insert(format!("{within}NULL"));
        return;
    };
    let descriptor = item.descriptor();
    let items = item.get_field_by_name("items").filter(|_| descriptor.name() == "List");
    let items: Vec<_> =
        items.iter().filter_map(|items| items.as_list()).flatten().filter_map(node).collect();
    if items.is_empty() {
        types.insert(format!("{within}{}", descriptor.name()));
    }
    for item in items {
        add_type(item.as_ref(), &format!("{within}List/"), types);
    }
}

/// Each item is one that the documentation of its field names.
#[test]
fn lists_hold_what_the_documentation_says() {
    let table = list_items::table();
    for (field, types) in &*FOUND {
        let allowed = table.get(field).unwrap_or_else(|| panic!("{NAME}: the table lacks {field}"));
        for ty in types {
            assert!(list_items::allows(allowed, ty), "{NAME}: {field}: {ty}");
        }
    }
    assert!(FOUND.len() > 150, "{NAME}: {}", FOUND.len());
}
