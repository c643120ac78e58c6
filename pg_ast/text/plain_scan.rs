//! Finds the constants of plain SQL: of what PostgreSQL's scanners of all versions take alike, and can be told from a few
//! characters. Everything else is left to the version's own scanner.

use crate::text::skeleton::{Skeleton, comment, line_comment, skip_layout};
use crate::text::skeleton_builder::{ListWord, SkeletonBuilder};
use crate::types::shape_options::{ConstantForm, ConstantKind, ShapeOptions};

/// What a token can begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenStart {
    /// A token or a part of an operator.
    Other,
    Blank,
    Word,
    Digit,
    Quote,
    DoubleQuote,
    Dollar,
    Open,
    Close,
    Comma,
    Minus,
    Slash,
    Dot,
    /// Only the scanner knows.
    Odd,
}

const STARTS: [TokenStart; 256] = {
    let mut starts = [TokenStart::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation)]
        let is = byte as u8;
        starts[byte] = match is {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => TokenStart::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => TokenStart::Word,
            b'0'..=b'9' => TokenStart::Digit,
            b'\'' => TokenStart::Quote,
            b'"' => TokenStart::DoubleQuote,
            b'$' => TokenStart::Dollar,
            b'(' | b'[' => TokenStart::Open,
            b')' | b']' => TokenStart::Close,
            b',' => TokenStart::Comma,
            b'-' => TokenStart::Minus,
            b'/' => TokenStart::Slash,
            b'.' => TokenStart::Dot,
            // A vertical tab is a blank since 16.
            0 | b'\x0b' => TokenStart::Odd,
            _ => TokenStart::Other,
        };
        byte += 1;
    }
    starts
};

/// The bytes that a word continues with.
const IN_WORD: [bool; 256] = {
    let mut in_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        in_word[byte] =
            matches!(STARTS[byte], TokenStart::Word | TokenStart::Digit | TokenStart::Dollar);
        byte += 1;
    }
    in_word
};

/// Returns whether a word continues with the byte.
#[inline]
pub(crate) fn is_in_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|&byte| IN_WORD[usize::from(byte)])
}

/// The bytes that are looked at together.
const STEP: usize = 8;

/// Returns the next bytes, if there are so many.
#[inline]
fn step(sql: &[u8], at: usize) -> Option<&[u8; STEP]> {
    sql.get(at..)?.first_chunk()
}

/// Returns the end of the word at a place.
#[inline]
pub(crate) fn word_end(sql: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = step(sql, at) {
        match bytes.iter().position(|byte| !IN_WORD[usize::from(*byte)]) {
            Some(length) => return at + length,
            None => at += STEP,
        }
    }
    while is_in_word(sql.get(at)) {
        at += 1;
    }
    at
}

/// Returns the next place of a byte; `None` if there is none, or a NUL before it.
#[inline]
fn find(sql: &[u8], mut at: usize, byte: u8) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; STEP]);
    // The lowest bit that is set belongs to a byte that is zero; those above it may not.
    let zeroes = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & (ONES << 7);
    while let Some(bytes) = step(sql, at) {
        let bytes = u64::from_le_bytes(*bytes);
        let found = zeroes(bytes ^ (ONES * u64::from(byte))) | zeroes(bytes);
        if found != 0 {
            at += (found.trailing_zeros() / 8) as usize;
            return (sql.get(at) == Some(&byte)).then_some(at);
        }
        at += STEP;
    }
    at += sql.get(at..)?.iter().position(|other| *other == byte || *other == 0)?;
    (sql.get(at) == Some(&byte)).then_some(at)
}

/// Returns whether a part has a NUL.
fn has_nul(sql: &[u8], start: usize, end: usize) -> bool {
    sql.get(start..end).is_some_and(|part| part.contains(&0))
}

/// Returns the end of the digits at a place.
#[inline]
fn digits(sql: &[u8], mut at: usize) -> usize {
    while sql.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Returns whether a whole number fits into 32 bits.
#[inline]
fn fits(digits: &[u8]) -> bool {
    let number =
        |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add((digit - b'0').into());
    digits.len() <= 9 || digits.iter().fold(0, number) <= i32::MAX.cast_unsigned().into()
}

/// Returns the end of a number and its kind; `None` if it is not plain.
#[inline]
pub(crate) fn number(sql: &[u8], start: usize) -> Option<(usize, ConstantKind)> {
    let mut end = digits(sql, start);
    let is_number = sql.get(end) == Some(&b'.') && sql.get(end + 1).is_some_and(u8::is_ascii_digit);
    if is_number {
        end = digits(sql, end + 1);
    }
    if is_in_word(sql.get(end)) || sql.get(end) == Some(&b'.') {
        return None;
    }
    let fits = !is_number && fits(&sql[start..end]);
    Some((end, if fits { ConstantKind::Integer } else { ConstantKind::Number }))
}

/// Returns the end of a number with a minus, which is all of the value of an item, and its kind; the outer `None` if only the
/// scanner knows.
///
/// The parser makes such a number one constant. It does not so with that of `-1::int`.
#[allow(clippy::option_option, reason = "another type would be read once")]
pub(crate) fn signed(sql: &[u8], minus: usize) -> Option<Option<(usize, ConstantKind)>> {
    let start = skip_blanks(sql, minus + 1);
    if !sql.get(start).is_some_and(u8::is_ascii_digit) {
        return Some(None);
    }
    let (end, kind) = number(sql, start)?;
    let ends = ends_value(sql.get(end)) || ends_value(sql.get(skip_layout(sql, end).ok()?));
    Some(ends.then_some((end, kind)))
}

/// Returns the end of the blanks at a place.
pub(crate) fn skip_blanks(sql: &[u8], mut at: usize) -> usize {
    while matches!(sql.get(at), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')) {
        at += 1;
    }
    at
}

/// Returns whether the value of an item ends at a byte.
pub(crate) fn ends_value(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b',' | b')' | b']'))
}

/// Returns whether a token is at a place, and neither a blank nor a comment.
#[inline]
pub(crate) fn is_gap_end(sql: &[u8], at: usize) -> bool {
    use TokenStart as Is;
    sql.get(at).is_some_and(|&byte| match STARTS[usize::from(byte)] {
        Is::Blank | Is::Odd => false,
        Is::Minus => sql.get(at + 1) != Some(&b'-'),
        Is::Slash => sql.get(at + 1) != Some(&b'*'),
        _ => true,
    })
}

/// Returns the end of a plain parameter.
#[inline]
pub(crate) fn parameter(sql: &[u8], start: usize) -> Option<usize> {
    if sql.get(start) != Some(&b'$') {
        return None;
    }
    let end = digits(sql, start + 1);
    ((1..=9).contains(&(end - start - 1)) && !is_in_word(sql.get(end))).then_some(end)
}

/// Returns the end of a string, and whether it has quotes in it; `None` if it does not end, or may continue on another line,
/// or if a backslash in it counts.
pub(crate) fn string(sql: &[u8], start: usize, backslashes: bool) -> Option<(usize, ConstantForm)> {
    let (mut at, mut form) = (start + 1, ConstantForm::Quoted);
    loop {
        at = find(sql, at, b'\'')?;
        if sql.get(at + 1) != Some(&b'\'') {
            break;
        }
        form = ConstantForm::Doubled;
        at += 2;
    }
    if backslashes && sql[start..at].contains(&b'\\') {
        return None;
    }
    let end = at + 1;
    // Whatever layout is between its parts.
    match sql.get(end) {
        Some(b',' | b')' | b';' | b':') | None => Some((end, form)),
        _ => match skip_layout(sql, end) {
            Ok(next) if sql.get(next) != Some(&b'\'') => Some((end, form)),
            _ => None,
        },
    }
}

/// Returns the word that a list may follow.
#[inline]
fn list_word(word: &[u8]) -> Option<ListWord> {
    let is = |other| word.eq_ignore_ascii_case(other);
    match word {
        [b'i' | b'I', b'n' | b'N'] => Some(ListWord::In),
        [b'a' | b'A', _, _, _, _] if is(b"array") => Some(ListWord::Array),
        [b'v' | b'V', _, _, _, _, _] if is(b"values") => Some(ListWord::Values),
        _ => None,
    }
}

/// Returns the skeleton of plain SQL.
pub(crate) fn plain_skeleton(sql: &str, options: ShapeOptions) -> Option<Skeleton> {
    let text = sql.as_bytes();
    let ignores_layout = options.ignore_layout;
    let backslashes = !options.parser.standard_conforming_strings;
    let mut out = SkeletonBuilder::new(sql, options);
    let mut at = 0;
    loop {
        // Most blanks are single ones between two tokens.
        if text.get(at) == Some(&b' ') && (!ignores_layout || is_gap_end(text, at + 1)) {
            at += 1;
        }
        let Some(&byte) = text.get(at) else {
            match out.end() {
                Some(again) => at = again,
                None => return Some(out.finish()),
            }
            continue;
        };
        match STARTS[usize::from(byte)] {
            TokenStart::Word => {
                let start = at;
                at = word_end(text, at + 1);
                if at - start == 1 {
                    // The start of a string or of a name, such as E'..' or U&"..".
                    match (byte, text.get(at)) {
                        (_, Some(b'\'')) | (b'u' | b'U', Some(b'&')) => return None,
                        _ => {}
                    }
                } else if out.in_run() && matches!(byte, b'n' | b'N' | b't' | b'T' | b'f' | b'F') {
                    out.word(start, at);
                } else if let Some(word) = list_word(&text[start..at]) {
                    out.list_word(word, at);
                }
            }
            TokenStart::Blank if !ignores_layout => at += 1,
            TokenStart::Blank => {
                let end = skip_layout(text, at).ok()?;
                if end - at > 1 && has_nul(text, at, end) {
                    return None;
                }
                out.gap(at, end);
                at = end;
            }
            // Without a name it is an error, and two quotes are one in a name.
            TokenStart::DoubleQuote if text.get(at + 1) == Some(&b'"') => return None,
            TokenStart::DoubleQuote => {
                at = find(text, at + 1, b'"')? + 1;
            }
            TokenStart::Dot if text.get(at + 1).is_some_and(u8::is_ascii_digit) => return None,
            TokenStart::Dot | TokenStart::Other => at += 1,
            TokenStart::Comma => at = if out.in_run() { out.comma(at) } else { at + 1 },
            TokenStart::Open => at = if out.watches() { out.open(at) } else { at + 1 },
            TokenStart::Close => at = if out.in_run() { out.close(at) } else { at + 1 },
            TokenStart::Digit => {
                let (end, kind) = number(text, at)?;
                out.constant(kind, ConstantForm::Digits, at, end);
                at = end;
            }
            TokenStart::Dollar => {
                let end = parameter(text, at)?;
                out.constant(ConstantKind::Parameter, ConstantForm::Digits, at, end);
                at = end;
            }
            TokenStart::Quote => {
                let (end, form) = string(text, at, backslashes)?;
                out.constant(ConstantKind::String, form, at, end);
                at = end;
            }
            TokenStart::Minus | TokenStart::Slash => {
                let end = match text.get(at + 1) {
                    Some(b'-') if byte == b'-' => line_comment(text, at),
                    Some(b'*') if byte == b'/' => comment(text, at).ok()?,
                    _ if byte == b'-' && out.is_cell(at) => {
                        match signed(text, at)? {
                            Some((end, kind)) => {
                                out.constant(kind, ConstantForm::Negative, at, end);
                                at = end;
                            }
                            None => at += 1,
                        }
                        continue;
                    }
                    _ => {
                        at += 1;
                        continue;
                    }
                };
                let end = if ignores_layout { skip_layout(text, end).ok()? } else { end };
                if has_nul(text, at, end) {
                    return None;
                }
                if ignores_layout {
                    out.gap(at, end);
                }
                at = end;
            }
            TokenStart::Odd => return None,
        }
    }
}
