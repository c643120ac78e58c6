//! Any tree, as Protobuf.

use pg_ast::{ErrorKind, ParseResult, protobuf};
use prost::Message as _;

use super::Source;
use super::verbs::{Origin, of_tree};

/// The bytes of a tree; the last ones also select the options.
pub fn run(data: &[u8]) {
    let by_prost = protobuf::ParseResult::decode(data);
    match ParseResult::decode(data) {
        Ok(tree) => {
            // A tree with a NaN is not equal to itself.
            let same = |other: protobuf::ParseResult| {
                assert_eq!(other.encode_to_vec(), tree.protobuf.encode_to_vec());
            };
            // prost has a lower depth limit.
            by_prost.map(same).unwrap_or_default();
            let tail = &data[data.len().saturating_sub(16)..];
            of_tree(&tree, &mut Source::new(tail), Origin::Anyone);
        }
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Decode | ErrorKind::TooDeep), "{error:?}");
            assert!(by_prost.is_err(), "{error:?}");
        }
    }
}
