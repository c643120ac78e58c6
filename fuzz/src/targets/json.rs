//! A tree in JSON.

use pg_ast::json::{from_str, to_string};
use pg_ast::{Node, ParseResult, protobuf};
use prost::Message as _;

use super::verbs::{Origin, of_tree};
use super::{Source, split};

/// JSON, followed by the bytes for options.
pub fn run(data: &[u8]) {
    let (json, rest) = split(data);
    let json: &str = &Box::<str>::from(json);
    if let Ok(node) = from_str::<Node>(json) {
        match to_string(&node) {
            Ok(json) => {
                let again = from_str::<Node>(&json).expect("comes back");
                assert_eq!(again.encode_to_vec(), node.encode_to_vec());
                again.drop_iteratively();
            }
            // A list of numbers that contains other nodes.
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        node.drop_iteratively();
    }
    let Ok(tree) = from_str::<protobuf::ParseResult>(json) else { return };
    of_tree(&ParseResult::from(tree), &mut Source::new(rest), Origin::Anyone);
}

/// JSON that was written reads back to the same tree.
pub(super) fn round_trip(tree: &ParseResult, origin: Origin) {
    match to_string(&tree.protobuf) {
        Ok(json) => match from_str::<protobuf::ParseResult>(&json).map(ParseResult::from) {
            Ok(back) => {
                let (back, tree) = (&back.protobuf, &tree.protobuf);
                assert_eq!(back.encode_to_vec(), tree.encode_to_vec(), "{json}");
            }
            // JSON has no infinity.
            Err(error) => assert!(origin == Origin::Anyone, "{error} for {json}"),
        },
        Err(error) => assert!(origin == Origin::Anyone, "{error} for {tree:?}"),
    }
}
