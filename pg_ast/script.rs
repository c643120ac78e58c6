//! Takes a script for psql apart into pieces, as far as the text alone tells.

mod lex;

use core::ops::Range;

use lex::{Bodies, comment, dollar_quoted, is_word, line, quoted};

/// The pieces of a script, one after the other.
pub(crate) struct Pieces<'a> {
    script: &'a str,
    at: usize,
    /// Whether a backslash escapes in `'..'`: `standard_conforming_strings` is off.
    pub(crate) backslash_escapes: bool,
}

/// The piece that is being read.
#[derive(Default)]
struct Piece {
    /// Where its first token is, if it has one, and where its last ends.
    range: Option<Range<usize>>,
    parentheses: usize,
    bodies: Bodies,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(script: &'a str) -> Self {
        Self { script, at: 0, backslash_escapes: false }
    }

    /// Passes over the data of a `COPY .. FROM STDIN` that has just been read: the lines up to
    /// one that is `\.`, unless there is none.
    pub(crate) fn skip_copy_data(&mut self) {
        let rest = &self.script[self.at..];
        let mut end = line(rest);
        while end < rest.len() {
            let next = end + 1;
            end = next + line(&rest[next..]);
            if rest[next..end].trim_end_matches('\r') == "\\." {
                self.at += end;
                return;
            }
        }
    }

    /// The next piece: from its first token to its last, without the semicolon.
    pub(crate) fn next(&mut self) -> Option<Range<usize>> {
        let mut piece = Piece::default();
        while self.at < self.script.len() {
            let start = self.at;
            let end_of_piece = self.token(&mut piece);
            if end_of_piece {
                if piece.range.is_some() {
                    return piece.range;
                }
                piece = Piece::default();
            } else if self.at == start {
                // No token is empty; but this must end.
                break;
            }
        }
        piece.range
    }

    /// Reads a token; true if it ends the piece.
    fn token(&mut self, piece: &mut Piece) -> bool {
        let rest = &self.script[self.at..];
        let bytes = rest.as_bytes();
        let length = match bytes[0] {
            b'-' if rest.starts_with("--") => return self.pass(line(rest)),
            b'/' if rest.starts_with("/*") => return self.pass(comment(rest)),
            byte if byte.is_ascii_whitespace() => return self.pass(1),
            b'\\' => {
                let separator = rest.starts_with("\\;");
                self.pass(if separator { 2 } else { line(rest) });
                return true;
            }
            b';' if piece.parentheses == 0 && piece.bodies.none_open() => {
                self.pass(1);
                return true;
            }
            b'\'' => quoted(rest, b'\'', self.backslash_escapes),
            b'"' => quoted(rest, b'"', false),
            b'e' | b'E' if bytes.get(1) == Some(&b'\'') => 1 + quoted(&rest[1..], b'\'', true),
            b'$' => dollar_quoted(rest),
            b'(' => {
                piece.parentheses += 1;
                1
            }
            b')' => {
                piece.parentheses = piece.parentheses.saturating_sub(1);
                1
            }
            byte if is_word(byte) => {
                let length =
                    bytes.iter().take_while(|&&byte| is_word(byte) || byte == b'$').count();
                piece.bodies.word(&rest[..length], piece.parentheses);
                length
            }
            _ => 1,
        };
        let start = piece.range.as_ref().map_or(self.at, |range| range.start);
        self.at += length;
        piece.range = Some(start..self.at);
        false
    }

    fn pass(&mut self, length: usize) -> bool {
        self.at += length;
        false
    }
}
