//! The rules of `codegen/names.txt` against the schemas of all versions, which are committed: a field without a rule does not build
//! either, but only where its version is built; and nothing else says that a rule is of no field.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use prost_reflect::{DescriptorPool, FieldDescriptor, Kind};

use crate::common::scripts::root;

/// Returns the fields that the rules of a message name.
fn rules() -> BTreeMap<String, Vec<String>> {
    let table = fs::read_to_string(root().join("codegen/names.txt")).expect("the rules");
    let mut rules = BTreeMap::new();
    for line in table.lines() {
        let mut words = line.split(' ').map(str::to_owned);
        let message = words.next().expect("a message");
        let fields = words.map(|word| {
            let end = word.find(['=', ':', '*']).unwrap_or(word.len());
            word[..end].to_owned()
        });
        let before = rules.insert(message.clone(), fields.collect());
        assert!(before.is_none(), "{message} has two lines");
    }
    rules
}

/// Whether a field could hold a name by its type.
fn can_name(field: &FieldDescriptor) -> bool {
    let is_named = match field.kind() {
        Kind::String => true,
        Kind::Message(message) => message.full_name() == "pg_query.Node",
        _ => false,
    };
    is_named && field.containing_oneof().is_none() && field.json_name() != "xpr"
}

#[test]
fn each_rule_is_of_a_field_and_each_field_has_one() {
    let mut rules = rules();
    let never = rules.remove("never").expect("what is never parsed");
    let folder = fs::read_dir(root().join("libpg_query")).expect("a folder");
    let schemas: Vec<_> = folder
        .filter_map(|entry| fs::read(entry.expect("an entry").path().join("schema.binpb")).ok())
        .map(|bytes| DescriptorPool::decode(&*bytes).expect("a schema"))
        .collect();
    assert!(schemas.len() >= 4, "only {} schemas", schemas.len());
    let messages = |name: &str| {
        let name = format!("pg_query.{name}");
        schemas.iter().filter_map(move |schema| schema.get_message_by_name(&name))
    };
    let mut wrong = BTreeSet::new();
    for name in never.iter().filter(|name| messages(name).next().is_none()) {
        wrong.insert(format!("never {name}: no version has it"));
    }
    for (message, fields) in &rules {
        for field in fields {
            let known = messages(message).any(|it| it.get_field_by_json_name(field).is_some());
            if !known {
                wrong.insert(format!("{message}.{field}: no version has it"));
            }
            if fields.iter().filter(|other| *other == field).count() > 1 {
                wrong.insert(format!("{message}.{field}: two rules"));
            }
        }
        for field in messages(message).flat_map(|it| it.fields().collect::<Vec<_>>()) {
            if can_name(&field) && !fields.iter().any(|name| name == field.json_name()) {
                wrong.insert(format!("{message}.{}: no rule", field.json_name()));
            }
        }
    }
    assert!(wrong.is_empty() && rules.len() > 200, "{wrong:#?}");
}
