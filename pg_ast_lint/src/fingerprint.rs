//! What tells a finding again in a changed script.

use core::ops::Range;

/// Returns the fingerprint of a statement, which depends neither on constants nor on layout; that of its words if it is wrong.
pub(crate) fn of_stmt(script: &str, range: &Range<usize>, is_correct: bool) -> u64 {
    let sql = script.get(range.clone()).unwrap_or_default();
    // The text is parsed in less time than the tree becomes one of C.
    let fingerprint = is_correct.then(|| pg_ast::fingerprint(sql).ok()).flatten();
    fingerprint.map_or_else(|| of_words(sql), |fingerprint| fingerprint.value)
}

/// Returns that of the lines around a range: of a long function, only they matter. Of long ones, only a part does: there may be
/// many findings in one.
pub(crate) fn of_lines(script: &str, range: &Range<usize>) -> u64 {
    let end = range.end.min(range.start + behind(script, range.start).len());
    let before = before(script, range.start);
    let behind = behind(script, end);
    let start = before
        .rfind('\n')
        .map_or(range.start - before.len(), |at| range.start - before.len() + at + 1);
    let end = end + behind.find('\n').unwrap_or(behind.len());
    of_words(script.get(start..end).unwrap_or_default())
}

/// The number of bytes of a line to look at, before and behind a place.
const AROUND: usize = 128;

/// Returns some text before a place.
pub(crate) fn before(script: &str, place: usize) -> &str {
    let start = (place.saturating_sub(AROUND)..=place).find(|at| script.is_char_boundary(*at));
    script.get(start.unwrap_or(place)..place).unwrap_or_default()
}

/// Returns some text behind a place.
pub(crate) fn behind(script: &str, place: usize) -> &str {
    let most = script.len().min(place + AROUND);
    let end = (place..=most).rev().find(|at| script.is_char_boundary(*at));
    script.get(place..end.unwrap_or(place)).unwrap_or_default()
}

/// Returns the hash of the words of a text: 64-bit FNV-1a, which stays the same in files.
fn of_words(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut is_behind_word = false;
    for &byte in text.as_bytes() {
        if !byte.is_ascii_whitespace() {
            add(byte);
        } else if is_behind_word {
            add(b' ');
        }
        is_behind_word = !byte.is_ascii_whitespace();
    }
    if is_behind_word {
        add(b' ');
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{before, behind, of_lines, of_words};

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

    #[test]
    fn long_lines_are_cut() {
        let line = "ä ".repeat(1_000);
        assert_eq!(before(&line, 900).len(), 127);
        assert_eq!(behind(&line, 900).len(), 128);
        assert_ne!(of_lines(&line, &(900..902)), of_words(&line));
        assert_eq!(of_lines("", &(0..0)), of_words(""));
    }
}
