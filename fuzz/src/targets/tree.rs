//! Any tree, as bytes of Protobuf.

use pg_ast::protobuf::ParseResult;
use prost::Message as _;

use super::verbs::of_tree;
use super::{Source, known};

/// The bytes of a tree; they are, once more, what the options are taken from.
pub fn run(data: &[u8]) {
    let Ok(tree) = ParseResult::decode(data) else { return };
    if known::tree(&tree) {
        return;
    }
    let tail = &data[data.len().saturating_sub(16)..];
    of_tree(&tree, &mut Source::new(tail), false);
}
