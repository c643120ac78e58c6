//! What tells a finding again in a changed script.

use core::ops::Range;

use pg_ast::{Error, ParseResult};

/// Returns the fingerprint of a statement, which depends neither on constants nor on layout; that of its words if it is wrong.
pub(crate) fn of_stmt(
    script: &str,
    range: &Range<usize>,
    result: &Result<ParseResult, Error>,
) -> u64 {
    match result {
        Ok(tree) => tree.fingerprint().value,
        Err(_) => of_words(script.get(range.clone()).unwrap_or_default()),
    }
}

/// Returns that of the lines around a range: of a long function, only they matter.
pub(crate) fn of_lines(script: &str, range: &Range<usize>) -> u64 {
    let before = script.get(..range.start).unwrap_or_default();
    let behind = script.get(range.end..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = behind.find('\n').map_or(script.len(), |at| range.end + at);
    of_words(script.get(start..end).unwrap_or_default())
}

/// Returns the hash of the words of a text: 64-bit FNV-1a, which stays the same in files.
fn of_words(text: &str) -> u64 {
    let bytes = text.split_whitespace().flat_map(|word| word.bytes().chain([b' ']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{of_lines, of_words};

    #[test]
    fn layout_does_not_matter() {
        // That of the reference implementation for "a ".
        assert_eq!(of_words("\n a\t"), 0x089c_0207_b545_2844);
        assert_eq!(of_words("a  b\r\n c"), of_words("a b c"));
        assert_ne!(of_words("a b"), of_words("ab"));
        let text = "one\n two three\nfour";
        assert_eq!(of_lines(text, &(5..8)), of_words("two three"));
        assert_eq!(of_lines(text, &(0..19)), of_words(text));
    }
}
