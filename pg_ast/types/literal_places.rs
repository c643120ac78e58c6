//! The places of a string constant's value in the SQL that it is written in: the same for all versions.

use core::ops::Range;

/// A map from byte offsets in the value of a string constant to byte offsets in the SQL with the constant.
///
/// It knows all notations: quotes in quotes, the escapes of `E'..'` and `U&'..'`, constants that continue on another line, and
/// `$$..$$`. With it, what is found in the body of a function is shown, and changed, where it was written.
///
/// ```
/// use pg_ast::LiteralPlaces;
///
/// let sql = r"DO E'BEGIN\n  a := \'b\'; END'";
/// let value = "BEGIN\n  a := 'b'; END";
/// let places = LiteralPlaces::new(sql, 3, value, true).unwrap();
/// assert_eq!(&sql[places.content()], r"BEGIN\n  a := \'b\'; END");
///
/// let quoted = value.find("'b'").unwrap()..value.find(';').unwrap();
/// assert_eq!(&sql[places.range(&quoted)], r"\'b\'");
/// assert_eq!(places.outer(quoted.start), sql.find(r"\'b").unwrap());
/// assert_eq!(places.inner(sql.find('b').unwrap()), value.find('b'));
///
/// // The letter can be changed, the quotes would have to be escaped.
/// let letter = quoted.start + 1..quoted.end - 1;
/// let place = places.change(&letter, "c").unwrap();
/// assert_eq!(&sql[place], "b");
/// assert_eq!(places.change(&quoted, "c"), None);
/// assert_eq!(places.change(&letter, "'"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralPlaces {
    /// In order. The last one begins at the end.
    pieces: Vec<Piece>,
    /// The character that escapes others, where one does.
    escape: u8,
    is_verbatim: bool,
}

/// A part of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the value.
    inner: usize,
    /// Where it begins in the SQL.
    outer: usize,
    kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    /// It is written as it is.
    Text,
    /// A character that is written in another way.
    Escape,
    /// An escape of which a digit after it would be a part.
    OpenEscape,
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
    /// Finds the places of the value of the constant that begins at an offset of some SQL; `None` if there is none, or if it does not
    /// have that value. What comes behind the constant does not matter, other than `UESCAPE`.
    ///
    /// Without `standard_conforming_strings`, a backslash in `'..'` is an escape, as in `E'..'`.
    #[must_use]
    pub fn new(
        sql: &str,
        start: usize,
        value: &str,
        standard_conforming_strings: bool,
    ) -> Option<Self> {
        let bytes = sql.as_bytes();
        let piece = |inner, outer, kind| Piece { inner, outer, kind };
        let text = |inner, outer| piece(inner, outer, PieceKind::Text);
        let rest = sql.get(start..)?;
        let escapes = match rest.as_bytes().first()? {
            b'$' => {
                let first = start + rest[1..].find('$')? + 2;
                let end = first + value.len();
                let is_value =
                    sql.get(first..end)? == value && sql[end..].starts_with(&sql[start..first]);
                let pieces = vec![text(0, first), text(value.len(), end)];
                return is_value.then_some(Self { pieces, escape: b'\\', is_verbatim: true });
            }
            b'E' | b'e' => LiteralEscapes::Backslash,
            b'U' | b'u' => LiteralEscapes::Unicode,
            _ if standard_conforming_strings => LiteralEscapes::None,
            _ => LiteralEscapes::Backslash,
        };
        let mut at = start + rest.find('\'')? + 1;
        let escape_with = match escapes {
            LiteralEscapes::Unicode => unicode_escape(sql, at).unwrap_or(b'\\'),
            _ => b'\\',
        };
        let mut pieces = vec![text(0, at)];
        let mut inner = 0;
        let mut is_half = false;
        loop {
            match *bytes.get(at)? {
                b'\'' if bytes.get(at + 1) == Some(&b'\'') => {
                    pieces.push(piece(inner, at, PieceKind::Escape));
                    at += 2;
                    inner += 1;
                }
                b'\'' => match continuation(sql, at + 1) {
                    Some(after) => at = after,
                    None => break,
                },
                byte if byte == escape_with && escapes != LiteralEscapes::None => {
                    let rest = value.as_bytes().get(inner..)?;
                    let (written, length) = escape(&bytes[at + 1..], rest, escapes);
                    if !is_half {
                        let first = bytes.get(at + 1);
                        let is_open = matches!(first, Some(b'x' | b'0'..=b'7')) && written < 3;
                        let kind = if is_open { PieceKind::OpenEscape } else { PieceKind::Escape };
                        pieces.push(piece(inner, at, kind));
                    }
                    at += 1 + written;
                    inner += length;
                    // The character begins with the first half of a pair.
                    is_half = length == 0;
                    if is_half {
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
            pieces.push(text(inner, at));
        }
        pieces.push(text(inner, at));
        (inner == value.len()).then_some(Self { pieces, escape: escape_with, is_verbatim: false })
    }

    /// Returns whether the constant is `$$..$$`, in which everything is written as it is.
    #[must_use]
    pub fn is_verbatim(&self) -> bool {
        self.is_verbatim
    }

    /// Returns the range of the SQL between the first and the last quote.
    #[must_use]
    pub fn content(&self) -> Range<usize> {
        let outer = |piece: Option<&Piece>| piece.map_or(0, |piece| piece.outer);
        outer(self.pieces.first())..outer(self.pieces.last())
    }

    /// Returns the offset in the SQL of an offset in the value: where its character begins.
    #[must_use]
    pub fn outer(&self, inner: usize) -> usize {
        let piece = self.pieces[self.piece_at(inner)];
        match piece.kind {
            PieceKind::Text => piece.outer.saturating_add(inner - piece.inner),
            PieceKind::Escape | PieceKind::OpenEscape => piece.outer,
        }
    }

    /// Returns the offset in the value of an offset in the SQL; `None` outside of the [content](Self::content).
    #[must_use]
    pub fn inner(&self, outer: usize) -> Option<usize> {
        let next = self.pieces.partition_point(|piece| piece.outer <= outer);
        let piece = self.pieces[next.checked_sub(1)?];
        let next = self.pieces.get(next);
        if next.is_none() && outer > piece.outer {
            return None;
        }
        Some(match piece.kind {
            // Between two lines of a constant there is nothing.
            PieceKind::Text => {
                let inner = piece.inner + (outer - piece.outer);
                next.map_or(inner, |next| inner.min(next.inner))
            }
            PieceKind::Escape | PieceKind::OpenEscape => piece.inner,
        })
    }

    /// Returns the range of the SQL in which a range of the value is written.
    #[must_use]
    pub fn range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.outer(range.start);
        let Some(last) = range.end.checked_sub(1) else { return start..start };
        let index = self.piece_at(last);
        let piece = self.pieces[index];
        let end = match piece.kind {
            PieceKind::Text => piece.outer.saturating_add(range.end - piece.inner),
            PieceKind::Escape | PieceKind::OpenEscape => {
                self.pieces.get(index + 1).map_or(piece.outer, |next| next.outer)
            }
        };
        if range.is_empty() { end..end } else { start..end.max(start) }
    }

    /// Returns the range of the SQL that text has to replace so that it replaces a range of the value; `None` if the value would not
    /// change in that way alone. Text that some notation needs an escape for is refused in all of them.
    #[must_use]
    pub fn change(&self, range: &Range<usize>, by: &str) -> Option<Range<usize>> {
        let place = self.range(range);
        let is_special = |byte| matches!(byte, b'\'' | b'\\' | b'$') || byte == self.escape;
        let before = range.start.checked_sub(1).map(|before| self.pieces[self.piece_at(before)]);
        let is_before = |piece: Piece| piece.kind == PieceKind::OpenEscape;
        let may_join = by.bytes().next().is_none_or(|byte| byte.is_ascii_hexdigit());
        // Whatever is not written as it is, is longer.
        let is_exact = place.len() == range.len()
            && !by.bytes().any(is_special)
            && !(may_join && before.is_some_and(is_before));
        is_exact.then_some(place)
    }

    /// Returns the index of the piece with an offset in the value.
    fn piece_at(&self, inner: usize) -> usize {
        let next = self.pieces.partition_point(|piece| piece.inner <= inner);
        next.saturating_sub(1)
    }
}

/// Returns the character of the `UESCAPE` behind a constant with content at an offset.
fn unicode_escape(sql: &str, mut at: usize) -> Option<u8> {
    const WORD: &str = "UESCAPE";
    loop {
        at += sql.get(at..)?.find('\'')? + 1;
        if sql[at..].starts_with('\'') {
            at += 1;
        } else if let Some(after) = continuation(sql, at) {
            at = after;
        } else {
            break;
        }
    }
    let word = after_blanks(sql, at)?;
    let behind = word + WORD.len();
    let is_word = sql.get(word..behind)?.eq_ignore_ascii_case(WORD);
    // Its only character is between the quotes.
    let quote = after_blanks(sql, behind).filter(|_| is_word)?;
    sql.as_bytes().get(quote + 1).copied()
}

/// Returns the place after the quote that continues a constant, which begins another line.
fn continuation(sql: &str, at: usize) -> Option<usize> {
    let quote = after_blanks(sql, at)?;
    let is_quote = sql[quote..].starts_with('\'');
    (is_quote && sql[at..quote].contains(['\n', '\r'])).then_some(quote + 1)
}

/// Returns the place after blanks and comments.
fn after_blanks(sql: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = sql.get(at..)?;
        let blanks = rest.len() - rest.trim_start().len();
        let rest = &rest[blanks..];
        at += blanks;
        if rest.starts_with("--") {
            at += rest.find(['\n', '\r'])?;
        } else if rest.starts_with("/*") {
            at += comment(rest.as_bytes())?;
        } else {
            return Some(at);
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
            LiteralPlaces::new(literal, 0, value, true).unwrap_or_else(|| panic!("{literal}"));
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
        assert_eq!(LiteralPlaces::new("'a'", 0, "b", true), None);
        assert_eq!(LiteralPlaces::new("'a", 0, "a", true), None);
        assert_eq!(LiteralPlaces::new("", 0, "", true), None);
        assert_eq!(LiteralPlaces::new("'a'", 4, "a", true), None);
        assert_eq!(LiteralPlaces::new("$x$a$$", 0, "a", true), None);
    }

    /// Returns how each character of the value is written.
    fn written(sql: &str, start: usize, value: &str) -> Vec<String> {
        let places = LiteralPlaces::new(sql, start, value, true).unwrap_or_else(|| panic!("{sql}"));
        let written = value.char_indices().map(|(at, c)| {
            let place = places.range(&(at..at + c.len_utf8()));
            assert_eq!(places.inner(place.start), Some(at), "{sql}");
            sql[place].to_owned()
        });
        written.collect()
    }

    #[test]
    fn ranges_of_each_notation() {
        assert_eq!(written("AS 'a''b', 'c'", 3, "a'b"), ["a", "''", "b"]);
        for content in ["a'\n  'b", "a' -- it's\r\n--\n 'b"] {
            assert_eq!(written(&format!("AS '{content}'"), 3, "ab"), ["a", "b"]);
        }
        let found = written(r"e'\'\n\x41\101\u00e4ä\\'", 0, "'\nAAää\\");
        assert_eq!(found, [r"\'", r"\n", r"\x41", r"\101", r"\u00e4", "ä", r"\\"]);
        assert_eq!(written(r"E'\uD83D\uDE00z'", 0, "😀z"), [r"\uD83D\uDE00", "z"]);
        let found = written(r"U&'\0041\+00004a\\'", 0, "AJ\\");
        assert_eq!(found, [r"\0041", r"\+00004a", r"\\"]);
        for uescape in ["UESCAPE '!'", " uescape -- '\n /* ' */ '!'"] {
            let sql = format!(r"U&'!0041\b''!!'{uescape}");
            assert_eq!(written(&sql, 0, r"A\b'!"), ["!0041", r"\", "b", "''", "!!"]);
        }
        let places = LiteralPlaces::new(r"'it\'s'", 0, "it's", false).unwrap();
        assert_eq!(places.range(&(2..3)), 3..5);
    }

    #[test]
    fn places_at_the_ends() {
        let sql = "DO 'a'\n''";
        let places = LiteralPlaces::new(sql, 3, "a", true).unwrap();
        assert_eq!((places.content(), places.range(&(1..1))), (4..8, 5..5));
        assert_eq!(
            [3, 4, 5, 7, 8, 9].map(|at| places.inner(at)),
            [None, Some(0), Some(1), Some(1), Some(1), None]
        );
        let empty = LiteralPlaces::new("''", 0, "", true).unwrap();
        assert_eq!((empty.content(), empty.range(&(0..0)), empty.inner(1)), (1..1, 1..1, Some(0)));
    }

    #[test]
    fn changes_are_exact_or_none() {
        let places = LiteralPlaces::new("'a''bc'", 0, "a'bc", true).unwrap();
        assert_eq!(places.change(&(2..3), "x"), Some(4..5));
        assert_eq!(places.change(&(4..4), " x"), Some(6..6));
        assert_eq!(places.change(&(0..0), "x "), Some(1..1));
        // The quote, and a text with one.
        assert_eq!(places.change(&(0..2), "x"), None);
        assert_eq!(places.change(&(2..3), "'x'"), None);
        let places = LiteralPlaces::new("U&'ab' UESCAPE '!'", 0, "ab", true).unwrap();
        assert_eq!([places.change(&(0..1), "b!"), places.change(&(0..1), "b")], [None, Some(3..4)]);
        // A digit, or what is behind, would be a part of the escape.
        let places = LiteralPlaces::new(r"E'\x4zb'", 0, "\u{4}zb", true).unwrap();
        assert_eq!(places.change(&(1..2), "1"), None);
        assert_eq!(places.change(&(1..2), ""), None);
        assert_eq!(places.change(&(1..2), "y"), Some(5..6));
        assert_eq!(places.change(&(2..3), "1"), Some(6..7));
    }
}
