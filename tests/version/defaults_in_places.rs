//! Messages with nothing in them, in each place of a statement that has their type: printed, the statement is an error, or
//! SQL that parses.

use std::collections::{BTreeMap, BTreeSet};

use pg_ast::ErrorKind;
use prost::Message as _;
use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};

use super::pg::protobuf::ParseResult as Tree;
use super::pg::{self, ParseResult};
use super::{NAME, schema};
use crate::common::corpus;

/// The way from a tree to a message in it: fields by their numbers, with the index in a list.
type Way = Vec<(u32, usize)>;

/// The kind of a place: the message that has it, the field, and the type of the message there.
type Place = (String, String, String);

/// How many places of a kind are tried.
const TRIED: usize = 4;

/// Lists the messages below one that are nodes, apart from the `RawStmt`s.
fn places(message: &DynamicMessage, way: &mut Way, found: &mut Vec<(Place, Way)>) {
    let name = message.descriptor().name().to_owned();
    for (field, value) in message.fields() {
        let children: Vec<_> = match value {
            Value::List(items) => items.iter().filter_map(Value::as_message).collect(),
            value => value.as_message().into_iter().collect(),
        };
        for (index, child) in children.into_iter().enumerate() {
            way.push((field.number(), index));
            let ty = child.descriptor().name().to_owned();
            // An empty string is a value in one place, and a name in another: `""`, which no scanner reads.
            if !["Node", "RawStmt", "String"].contains(&&*ty) {
                found.push(((name.clone(), field.name().to_owned(), ty), way.clone()));
            }
            places(child, way, found);
            way.pop();
        }
    }
}

/// Empties the message at the end of the way.
fn empty(message: &mut DynamicMessage, way: &[(u32, usize)]) {
    let Some(((number, index), rest)) = way.split_first() else {
        *message = DynamicMessage::new(message.descriptor());
        return;
    };
    let child = match message.get_field_by_number_mut(*number) {
        Some(Value::List(items)) => &mut items[*index],
        Some(value) => value,
        None => panic!("no field {number}"),
    };
    let Value::Message(child) = child else { panic!("{child:?} is no message") };
    empty(child, rest);
}

#[test]
fn statements_with_an_empty_message_are_refused_or_parse() {
    let mut tried: BTreeMap<Place, usize> = BTreeMap::new();
    let mut types = BTreeSet::new();
    let (mut refused, mut printed) = (0, 0);
    let mut failed = Vec::new();
    for sql in corpus::own_statements() {
        let Ok(tree) = pg::parse(&sql) else { continue };
        let dynamic = schema::dynamic(&tree.protobuf);
        let mut found = Vec::new();
        places(&dynamic, &mut Vec::new(), &mut found);
        for (place, way) in found {
            let count = tried.entry(place.clone()).or_default();
            *count += 1;
            if *count > TRIED {
                continue;
            }
            let mut mutant = dynamic.clone();
            empty(&mut mutant, &way);
            let mutant = Tree::decode(&*mutant.encode_to_vec()).expect("decodes");
            types.insert(place.2.clone());
            match ParseResult::from(mutant).deparse() {
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Deparse, "{place:?}: {error:?}");
                    refused += 1;
                }
                Ok(text) if pg::parse(&text).is_ok() => printed += 1,
                Ok(text) => failed.push((place, text)),
            }
        }
    }
    println!("{NAME}: {refused} refused, {printed} printed, {} types", types.len());
    let kinds: BTreeMap<_, _> = failed.iter().map(|(place, text)| (place, text)).collect();
    assert!(failed.is_empty(), "no SQL: {} places, {kinds:#?}", kinds.len());
    assert!(refused > 800 && printed > 80 && types.len() > 150, "{refused}, {printed}");
}
