//! Mutators that know the schema: randomly changed bytes are rarely a tree.

use libfuzzer_sys::fuzzer_mutate;
use prost::Message as _;
use prost_reflect::DynamicMessage;

use pg_ast_fuzz::targets::Source;
use pg_ast_fuzz::targets::mutation::{PARSE_RESULT, mutate};

/// One of this many mutations changes bytes.
const ONE_IN: u32 = 8;

/// Mutates a tree in Protobuf.
pub(crate) fn tree(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    if seed.is_multiple_of(ONE_IN) {
        return fuzzer_mutate(data, size, max_size);
    }
    let changed = change(&data[..size], seed);
    put(changed, data, size, max_size)
}

/// Mutates a tree in JSON.
#[cfg(feature = "serde")]
pub(crate) fn json(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    use pg_ast::{json, protobuf::ParseResult};

    if seed.is_multiple_of(2) {
        return fuzzer_mutate(data, size, max_size);
    }
    let text = str::from_utf8(&data[..size]).unwrap_or("{}");
    let bytes = json::from_str::<ParseResult>(text).unwrap_or_default().encode_to_vec();
    let changed = change(&bytes, seed).and_then(|bytes| {
        Some(json::to_string(&ParseResult::decode(&*bytes).ok()?).ok()?.into_bytes())
    });
    put(changed, data, size, max_size)
}

/// Applies a few changes; `None` if the input is not a tree.
fn change(bytes: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut message = DynamicMessage::decode(PARSE_RESULT.clone(), bytes).ok()?;
    // Numbers for some changes, from Marsaglia's xorshift generator.
    let mut state = u64::from(seed) | 1 << 32;
    let numbers: Vec<u8> = core::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    })
    .take(256)
    .collect();
    let source = &mut Source::new(&numbers);
    for _ in 0..=seed / ONE_IN % 4 {
        mutate(&mut message, source);
    }
    Some(message.encode_to_vec())
}

/// Writes the changed tree; mutates bytes if it is missing or too large.
fn put(changed: Option<Vec<u8>>, data: &mut [u8], size: usize, max_size: usize) -> usize {
    match changed {
        Some(bytes) if bytes.len() <= max_size => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}
