//! The places of a string constant's value in the SQL that it is written in.

/// A map from byte offsets in the value to byte offsets in the constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralPlaces {
    /// Where a part of the value that is written as it is begins: in the value, and in the constant.
    pieces: Vec<(usize, usize)>,
}

/// How characters are escaped.
#[derive(Clone, Copy, PartialEq)]
enum LiteralEscapes {
    /// By another quote alone.
    None,
    /// As in `E'..'`.
    Backslash,
    /// As in `U&'..'`.
    Unicode,
}

impl LiteralPlaces {
    /// Finds the places of a constant's value; `None` if the constant does not have that value. In `U&'..'`, the character
    /// escapes others.
    #[must_use]
    pub fn new(literal: &str, value: &str, unicode_escape: u8) -> Option<Self> {
        let bytes = literal.as_bytes();
        if bytes.first() == Some(&b'$') {
            let tag = literal[1..].find('$')? + 2;
            let is_value = literal.get(tag..tag + value.len()) == Some(value);
            return is_value.then(|| Self { pieces: vec![(0, tag)] });
        }
        let escapes = match bytes.first()? {
            b'E' | b'e' => LiteralEscapes::Backslash,
            b'U' | b'u' => LiteralEscapes::Unicode,
            _ => LiteralEscapes::None,
        };
        let escape_with = if escapes == LiteralEscapes::Unicode { unicode_escape } else { b'\\' };
        let mut at = literal.find('\'')? + 1;
        let mut pieces = vec![(0, at)];
        let mut inner = 0;
        loop {
            match *bytes.get(at)? {
                b'\'' if bytes.get(at + 1) == Some(&b'\'') => {
                    at += 2;
                    inner += 1;
                }
                b'\'' => match continuation(literal, at + 1) {
                    Some(after) => at = after,
                    None => break,
                },
                byte if byte == escape_with && escapes != LiteralEscapes::None => {
                    let rest = value.as_bytes().get(inner..)?;
                    let (written, length) = escape(&bytes[at + 1..], rest, escapes);
                    at += 1 + written;
                    inner += length;
                    if length == 0 {
                        // The character begins with the first half of a pair.
                        continue;
                    }
                }
                byte => {
                    if value.as_bytes().get(inner) != Some(&byte) {
                        return None;
                    }
                    at += 1;
                    inner += 1;
                    continue;
                }
            }
            pieces.push((inner, at));
        }
        (inner == value.len()).then_some(Self { pieces })
    }

    /// Returns the offset in the constant of an offset in the value.
    #[must_use]
    pub fn outer(&self, inner: usize) -> usize {
        let next = self.pieces.partition_point(|(start, _)| *start <= inner);
        let (start, outer) = self.pieces[next.saturating_sub(1)];
        outer + (inner - start)
    }
}

/// Returns the place after the quote that continues a constant, which begins another line.
fn continuation(literal: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = literal.get(at..)?;
        let blanks = rest.len() - rest.trim_start().len();
        let rest = &rest[blanks..];
        at += blanks;
        if rest.starts_with("--") {
            at += rest.find(['\n', '\r'])?;
        } else if rest.starts_with("/*") {
            at += comment(rest.as_bytes())?;
        } else {
            return rest.starts_with('\'').then_some(at + 1);
        }
    }
}

/// Returns the length of a comment in which others may be.
fn comment(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0);
    loop {
        match bytes.get(at..at + 2)? {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Returns the lengths of an escape after its backslash, and of the text that it stands for.
fn escape(bytes: &[u8], value: &[u8], escapes: LiteralEscapes) -> (usize, usize) {
    let digits = |skip: usize, most: usize, base: u32| {
        let digits = bytes.iter().skip(skip).take(most);
        digits.take_while(|byte| char::from(**byte).is_digit(base)).count()
    };
    let code = |skip: usize, length: usize| {
        let digits = bytes.get(skip..skip + length).and_then(|it| core::str::from_utf8(it).ok());
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
    };
    let first = bytes.first().copied().unwrap_or_default();
    let (skip, length) = match (escapes, first) {
        (LiteralEscapes::Backslash, b'u') => (1, 4),
        (LiteralEscapes::Backslash, b'U') => (1, 8),
        (LiteralEscapes::Backslash, b'x') if digits(1, 2, 16) > 0 => {
            return (1 + digits(1, 2, 16), 1);
        }
        (LiteralEscapes::Backslash, b'0'..=b'7') => return (digits(0, 3, 8), 1),
        (LiteralEscapes::Unicode, b'+') => (1, 6),
        (LiteralEscapes::Unicode, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => (0, 4),
        _ => {
            let length = char_length(first);
            return (length, length_of_escaped(first, length));
        }
    };
    // The first half of a pair stands for nothing without the second one.
    let is_half = (0xD800..0xDC00).contains(&code(skip, length));
    let of_value = char_length(value.first().copied().unwrap_or_default());
    (skip + length, if is_half { 0 } else { of_value })
}

/// Returns the length in the value of a character after a backslash.
fn length_of_escaped(first: u8, length: usize) -> usize {
    if first.is_ascii() { 1 } else { length }
}

/// Returns the length of a character by its first byte.
fn char_length(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns, for each character of the value, two characters that the constant has there.
    fn chars(literal: &str, value: &str) -> Vec<String> {
        let places =
            LiteralPlaces::new(literal, value, b'\\').unwrap_or_else(|| panic!("{literal}"));
        let places = value.char_indices().map(|(at, _)| places.outer(at));
        places.map(|at| literal[at..].chars().take(2).collect()).collect()
    }

    #[test]
    fn all_kinds_of_constants() {
        assert_eq!(chars("$$ab$$", "ab"), ["ab", "b$"]);
        assert_eq!(chars("$x$a$$x$", "a$"), ["a$", "$$"]);
        assert_eq!(chars("'a''b'", "a'b"), ["a'", "''", "b'"]);
        assert_eq!(chars("'a' -- '\n /* '/**/' */ 'b'", "ab"), ["a'", "b'"]);
        let found = chars(r"E'a\nb\\c\'\x41\101é\é'", "a\nb\\c'AAéé");
        let expected = [r"a\", r"\n", r"b\", r"\\", r"c\", r"\'", r"\x", r"\1", r"é\", r"\é"];
        assert_eq!(found, expected);
        assert_eq!(
            chars(r"e'\u00e9x\U0001F600y\uD83D\uDE00z'", "éx😀y😀z"),
            [r"\u", r"x\", r"\U", r"y\", r"\u", "z'"]
        );
        assert_eq!(chars(r"U&'\00e9x\+01F600y\\'", "éx😀y\\"), [r"\0", r"x\", r"\+", r"y\", r"\\"]);
        assert_eq!(LiteralPlaces::new("'a'", "b", b'\\'), None);
        assert_eq!(LiteralPlaces::new("'a", "a", b'\\'), None);
        assert_eq!(LiteralPlaces::new("", "", b'\\'), None);
    }
}
