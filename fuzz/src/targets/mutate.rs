//! The tree of a text, changed here and there.

use pg_ast::ParseResult;
use prost::Message as _;
use prost_reflect::DynamicMessage;

use super::mutation::{PARSE_RESULT, mutate};
use super::verbs::{Origin, of_tree};
use super::{Source, split};

/// No more changes than these: an input of many would only be slow.
const MAX_CHANGES: usize = 32;

/// The text, then the bytes that say what to change.
pub fn run(data: &[u8]) {
    let (sql, rest) = split(data);
    let Ok(tree) = pg_ast::parse(sql) else { return };
    // Some are deeper than prost reads.
    let bytes = tree.protobuf.encode_to_vec();
    let Ok(mut message) = DynamicMessage::decode(PARSE_RESULT.clone(), &*bytes) else { return };
    let source = &mut Source::new(rest);
    for _ in 0..MAX_CHANGES {
        mutate(&mut message, source);
        if source.is_empty() {
            break;
        }
    }
    let Ok(changed) = ParseResult::decode(&message.encode_to_vec()) else { return };
    of_tree(&changed, &mut Source::new(rest), Origin::Anyone);
}
