//! Text in a string of the script, such as the body of a function: where each of its bytes was written.

use core::ops::Range;

/// The notation of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `$$..$$`: the text as it is.
    Dollars,
    /// `'..'`.
    Plain,
    /// `E'..'`, and `'..'` without standard_conforming_strings.
    Escapes,
    /// `U&'..'`.
    Unicode,
}

impl Notation {
    /// Returns the notation of a string by what is written before its content.
    pub(crate) fn of(before: &str, has_escapes: bool) -> Self {
        let Some(before) = before.strip_suffix('\'') else { return Self::Dollars };
        if before.ends_with(['e', 'E']) || has_escapes {
            return Self::Escapes;
        }
        if before.ends_with("u&") || before.ends_with("U&") { Self::Unicode } else { Self::Plain }
    }

    /// Returns the notation of the string in a statement that contains a place at which a backslash is an escape.
    pub(crate) fn at(stmt: &str, place: usize) -> Self {
        let tokens = pg_ast::scan_lossy(stmt).scan.tokens;
        let token = tokens.iter().rev().find(|token| token.range().start <= place);
        let text = token.and_then(|token| stmt.get(token.range())).unwrap_or_default();
        match text.as_bytes().first() {
            Some(b'u' | b'U') => Self::Unicode,
            Some(b'$') => Self::Dollars,
            _ => Self::Escapes,
        }
    }

    /// Returns the first character of some text in a string of this notation, and the length in which it is written.
    pub(crate) fn first_char(self, written: &str) -> Option<(char, usize)> {
        let (_, len) = next(written, self)?;
        let first = written.chars().next()?;
        let Some(escaped) = written.get(1..len).filter(|_| first == '\\') else {
            return Some((first, len));
        };
        let second = escaped.chars().next()?;
        let code = match second {
            '0'..='7' if self == Self::Escapes => u32::from_str_radix(escaped, 8),
            _ => u32::from_str_radix(escaped.trim_start_matches(['x', 'u', 'U', '+']), 16),
        };
        let is_code = escaped.len() > second.len_utf8() || (second.is_ascii_digit() && len > 1);
        let c = match (second, code) {
            (_, Ok(code)) if is_code => char::from_u32(code)?,
            ('n' | 't' | 'r' | 'b' | 'f', _) => ' ',
            _ => second,
        };
        Some((c, len))
    }
}

/// The places of text in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextMap {
    /// It is written there as it is: its start.
    AsIs(usize),
    /// What each byte is written as.
    Bytes(Vec<Range<usize>>),
    /// Only the place of the whole is known.
    Whole(Range<usize>),
}

impl TextMap {
    /// Finds the places of text of a length, which is written in a range of the script, within a string.
    pub(crate) fn new(script: &str, place: Range<usize>, len: usize, notation: Notation) -> Self {
        // Whatever is not written as it is, is longer.
        if notation == Notation::Dollars || place.len() == len {
            return Self::AsIs(place.start);
        }
        let written = script.get(place.clone()).unwrap_or_default();
        let mut bytes = Vec::with_capacity(len);
        let mut at = 0;
        while bytes.len() < len {
            let rest = &written[at..];
            let Some((text_len, written_len)) = next(rest, notation) else {
                return Self::Whole(place);
            };
            let start = place.start + at;
            bytes.extend((0..text_len).map(|_| start..start + written_len));
            at += written_len;
        }
        let is_all = bytes.len() == len && at == written.len();
        if is_all { Self::Bytes(bytes) } else { Self::Whole(place) }
    }

    /// Returns the range of the script for one of the text.
    pub(crate) fn range(&self, range: &Range<usize>) -> Range<usize> {
        match self {
            Self::AsIs(start) => start + range.start..start + range.end,
            Self::Bytes(bytes) => {
                let last = |end: usize| end.checked_sub(1).and_then(|last| bytes.get(last));
                let start = match bytes.get(range.start) {
                    Some(first) if !range.is_empty() || range.start == 0 => first.start,
                    _ => last(range.start).map_or(0, |before| before.end),
                };
                let end = last(range.end).filter(|_| !range.is_empty());
                start..end.map_or(start, |last| last.end.max(start))
            }
            Self::Whole(place) => place.clone(),
        }
    }

    /// Returns the change of the script for one of the text; `None` if it cannot be made exactly there.
    pub(crate) fn change(&self, range: &Range<usize>, by: &str) -> Option<(Range<usize>, String)> {
        let is_plain = !by.contains(['\'', '\\', '$']);
        let place = self.range(range);
        let is_as_it_is = !matches!(self, Self::Whole(_)) && place.len() == range.len();
        (is_plain && is_as_it_is).then(|| (place, by.to_owned()))
    }
}

/// Returns how many bytes of text come next, and how many bytes they are written as; `None` if that is not known.
fn next(written: &str, notation: Notation) -> Option<(usize, usize)> {
    let first = written.chars().next()?;
    match (first, notation) {
        ('\'', _) if written.starts_with("''") => Some((1, 2)),
        // A quote, blanks with a line break, and a quote, in between which there is no text.
        ('\'', _) => {
            let mut rest = written[1..].trim_start();
            while rest.starts_with("--") {
                rest = rest[rest.find(['\n', '\r'])?..].trim_start();
            }
            Some((0, written.len() - rest.strip_prefix('\'')?.len()))
        }
        ('\\', Notation::Escapes) => escape(written),
        ('\\', Notation::Unicode) => unicode_escape(written),
        _ => Some((first.len_utf8(), first.len_utf8())),
    }
}

/// Returns the lengths of a character and of its escape, which begins with a backslash in `E'..'`.
fn escape(written: &str) -> Option<(usize, usize)> {
    let digits = |from: usize, most: usize, radix: u32| {
        let digits = written[from..].chars().take(most);
        digits.take_while(|digit| digit.is_digit(radix)).count()
    };
    let second = written.chars().nth(1)?;
    match second {
        '0'..='7' => Some((1, 1 + digits(1, 3, 8))),
        'x' if digits(2, 2, 16) > 0 => Some((1, 2 + digits(2, 2, 16))),
        'u' => code_point(written, 2, 4),
        'U' => code_point(written, 2, 8),
        _ => Some((second.len_utf8(), 1 + second.len_utf8())),
    }
}

/// Returns the lengths of a character and of its escape in `U&'..'` without `UESCAPE`.
fn unicode_escape(written: &str) -> Option<(usize, usize)> {
    match written.as_bytes().get(1)? {
        b'\\' => Some((1, 2)),
        b'+' => code_point(written, 2, 6),
        _ => code_point(written, 1, 4),
    }
}

/// Returns the lengths of a character and of its escape by hexadecimal digits; none for one half of a surrogate pair.
fn code_point(written: &str, from: usize, digits: usize) -> Option<(usize, usize)> {
    let number = u32::from_str_radix(written.get(from..from + digits)?, 16).ok()?;
    Some((char::from_u32(number)?.len_utf8(), from + digits))
}

#[cfg(test)]
mod tests {
    use super::{Notation, TextMap};

    /// The text that each place of the content stands for, in the order of the text.
    fn places(before: &str, content: &str, text: &str) -> Vec<(char, String)> {
        let script = format!("{before}{content}'");
        let place = before.len()..before.len() + content.len();
        let map = TextMap::new(&script, place, text.len(), Notation::of(before, false));
        let place =
            |(at, c): (usize, char)| (c, script[map.range(&(at..at + c.len_utf8()))].to_owned());
        text.char_indices().map(place).collect()
    }

    fn pairs(expected: &[(char, &str)]) -> Vec<(char, String)> {
        expected.iter().map(|(c, place)| (*c, (*place).to_owned())).collect()
    }

    #[test]
    fn each_notation() {
        assert_eq!(places("AS '", "a''b", "a'b"), pairs(&[('a', "a"), ('\'', "''"), ('b', "b")]));
        for content in ["a'\n  'b", "a' -- it's\r\n--\n 'b"] {
            assert_eq!(places("AS '", content, "ab"), pairs(&[('a', "a"), ('b', "b")]));
        }
        assert_eq!(
            places("AS e'", r"\'\n\x41\101\u00e4ä\\", "'\nAAää\\"),
            pairs(&[
                ('\'', r"\'"),
                ('\n', r"\n"),
                ('A', r"\x41"),
                ('A', r"\101"),
                ('ä', r"\u00e4"),
                ('ä', "ä"),
                ('\\', r"\\"),
            ])
        );
        assert_eq!(
            places("AS U&'", r"\0041\+00004a\\", "AJ\\"),
            pairs(&[('A', r"\0041"), ('J', r"\+00004a"), ('\\', r"\\")])
        );
        // A custom escape is not known: all of it is the place.
        assert_eq!(places("AS U&'", "!0041", "A"), pairs(&[('A', "!0041")]));
    }

    #[test]
    fn changes_are_exact_or_none() {
        let map = TextMap::new("'a''bc'", 1..6, 4, Notation::Plain);
        assert_eq!(map.change(&(2..3), "x"), Some((4..5, "x".to_owned())));
        assert_eq!(map.change(&(4..4), " x"), Some((6..6, " x".to_owned())));
        assert_eq!(map.change(&(0..0), "x "), Some((1..1, "x ".to_owned())));
        // The quote, and a text with one.
        assert_eq!(map.change(&(0..2), "x"), None);
        assert_eq!(map.change(&(2..3), "'x'"), None);
        assert_eq!(TextMap::Whole(1..6).change(&(0..5), "x"), None);
    }
}
