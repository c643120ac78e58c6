//! The tree of SQL with random changes.

use pg_ast::ParseResult;
use prost::Message as _;
use prost_reflect::DynamicMessage;

use super::mutation::{PARSE_RESULT, mutate};
use super::verbs::{Origin, of_tree};
use super::{Source, split};

/// The maximum number of changes: an input with more would only be slow.
const MAX_CHANGES: usize = 32;

/// SQL, followed by the bytes that select the changes.
pub fn run(data: &[u8]) {
    let (sql, rest) = split(data);
    let Ok(tree) = pg_ast::parse(sql) else { return };
    // Some are deeper than prost can read.
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
