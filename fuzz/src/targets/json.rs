//! A tree as JSON.

use pg_ast::json::{from_str, to_string};
use pg_ast::{Node, protobuf};
use prost::Message as _;

use super::verbs::of_tree;
use super::{Source, known, split};

/// JSON, then the bytes that options are taken from.
pub fn run(data: &[u8]) {
    let (json, rest) = split(data);
    let json: &str = &Box::<str>::from(json);
    if let Ok(node) = from_str::<Node>(json) {
        let again = to_string(&node).and_then(|json| from_str::<Node>(&json)).expect("comes back");
        assert_eq!(again.encode_to_vec(), node.encode_to_vec());
    }
    let Ok(tree) = from_str::<protobuf::ParseResult>(json) else { return };
    if !known::tree(&tree) {
        of_tree(&tree, &mut Source::new(rest), false);
    }
}

/// What is written is read again as the same tree.
pub(super) fn round_trip(tree: &protobuf::ParseResult, from_text: bool) {
    match to_string(tree) {
        Ok(json) => match from_str::<protobuf::ParseResult>(&json) {
            Ok(back) => assert_eq!(back.encode_to_vec(), tree.encode_to_vec(), "{json}"),
            // JSON has no infinity, and a string of one character may be anything in a tree.
            Err(error) => assert!(!from_text, "{error} for {json}"),
        },
        Err(error) => assert!(!from_text, "{error} for {tree:?}"),
    }
}
