//! Takes a script for psql apart into pieces, as far as the text alone tells.

use core::ops::Range;

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
    /// Its first words, in lower case; psql looks at four of them.
    words: Vec<String>,
    parentheses: usize,
    /// `BEGIN` and `CASE` that await their `END`, in the body of an SQL function.
    bodies: usize,
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
            b';' if piece.parentheses == 0 && piece.bodies == 0 => {
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
                piece.word(&rest[..length]);
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

impl Piece {
    /// Follows the bodies of SQL functions, by the rule of psql's scanner.
    fn word(&mut self, word: &str) {
        let word = word.to_ascii_lowercase();
        if self.words.len() < 4 {
            self.words.push(word.clone());
        }
        let head: Vec<_> = self.words.iter().map(String::as_str).collect();
        let creates = matches!(
            head[..],
            ["create", "function" | "procedure", ..]
                | ["create", "or", "replace", "function" | "procedure"]
        );
        if !creates || self.parentheses > 0 {
            return;
        }
        match &*word {
            "begin" => self.bodies += 1,
            "case" if self.bodies > 0 => self.bodies += 1,
            "end" => self.bodies = self.bodies.saturating_sub(1),
            _ => {}
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of the line, without its end.
fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of a comment, with those in it.
fn comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a quoted token. A doubled quote needs no care: it ends one and begins another.
fn quoted(text: &str, quote: u8, escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            // What is escaped may be a character of several bytes; none of the others is a quote.
            b'\\' if escapes => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The length of a `$tag$ .. $tag$`, or of the `$` alone if it is none.
fn dollar_quoted(text: &str) -> usize {
    let bytes = text.as_bytes();
    let tag = bytes[1..].iter().take_while(|&&byte| is_word(byte)).count();
    let numbered = bytes.get(1).is_some_and(u8::is_ascii_digit);
    if numbered || bytes.get(1 + tag) != Some(&b'$') {
        return 1;
    }
    let quote = &text[..tag + 2];
    text[quote.len()..].find(quote).map_or(text.len(), |end| end + 2 * quote.len())
}
