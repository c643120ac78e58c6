//! Takes a script for psql apart into pieces, as far as the text alone tells.

mod command;
// Public for the tests of this crate alone.
#[allow(clippy::must_use_candidate)]
pub mod lex;
mod setting;

use core::ops::Range;

use command::{Command, Effect};
use lex::{
    Bodies, colons, comment, dollar_quoted, is_word, line, line_comment, quoted, string, word,
};

pub(crate) use setting::Setting;

/// The pieces of a script, one after the other.
// Each of them is a fact of its own.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Pieces {
    /// The script, with blanks where it is not for the parser: commands of psql's, data of `COPY`. So
    /// a place in it is one in the script.
    text: String,
    at: usize,
    /// Where psql's current line ends, with the data that it reads after it. It is unknown once
    /// `at` is beyond.
    line_end: usize,
    /// No line from here on ends the data of a `COPY`.
    no_end_of_data: bool,
    /// Whether a backslash escapes in `'..'`: `standard_conforming_strings` is off.
    pub(crate) backslash_escapes: bool,
    /// Whether `\v` is a blank, as it is from PostgreSQL 16 on.
    vertical_tab: bool,
    /// A command of psql's has begun a new session since the last piece.
    pub(crate) reconnected: bool,
}

/// The piece that is being read.
#[derive(Default)]
struct Piece {
    /// Where its first token is, if it has one, and where its last ends.
    range: Option<Range<usize>>,
    parentheses: usize,
    bodies: Bodies,
}

impl Piece {
    /// Whether a semicolon ends it.
    fn can_end(&self) -> bool {
        self.parentheses == 0 && self.bodies.none_open()
    }
}

/// What a token means for its piece.
enum Step {
    Within,
    End,
    /// The piece is not sent.
    Dropped,
}

impl Pieces {
    pub(crate) fn new(script: &str, vertical_tab: bool) -> Self {
        let mut pieces = Self {
            text: script.to_owned(),
            at: 0,
            line_end: 0,
            no_end_of_data: false,
            backslash_escapes: false,
            vertical_tab,
            reconnected: false,
        };
        if script.starts_with('\u{FEFF}') {
            pieces.at = '\u{FEFF}'.len_utf8();
            pieces.blank(0..pieces.at);
        }
        pieces
    }

    /// The text of a piece for the parser, and where it begins in the script: with a blank
    /// before the first token, unless that is the script's first byte. So nothing is at place 0
    /// of it, which is what the grammar leaves where there is no place.
    pub(crate) fn for_parser(&mut self, piece: &Range<usize>) -> (&str, usize) {
        // What is before a token is ASCII: all else is part of a token, or blank by now.
        let start = piece.start.saturating_sub(1);
        if start < piece.start {
            self.blank(start..piece.start);
        }
        (&self.text[start..piece.end], start)
    }

    /// Passes over the data of a `COPY .. FROM STDIN` that has just been read: from the next line on, up
    /// to a line that is `\.`, unless there is none. The rest of the current line stays.
    pub(crate) fn skip_copy_data(&mut self) {
        if self.no_end_of_data {
            return;
        }
        if self.line_end < self.at {
            self.line_end = self.at + line(&self.text[self.at..]);
        }
        let mut end = self.line_end;
        while end < self.text.len() {
            let next = end + 1;
            end = next + line(&self.text[next..]);
            let row = &self.text[next..end];
            if row.strip_suffix('\r').unwrap_or(row) == "\\." {
                self.blank(self.line_end..end);
                self.line_end = end;
                return;
            }
        }
        self.no_end_of_data = true;
    }

    /// The next piece: from its first token to its last, without the semicolon.
    pub(crate) fn next(&mut self) -> Option<Range<usize>> {
        let mut piece = Piece::default();
        while self.at < self.text.len() {
            let start = self.at;
            match self.token(&mut piece) {
                Step::End if piece.range.is_some() => return piece.range,
                Step::End | Step::Dropped => piece = Piece::default(),
                // No token is empty; but this must end.
                Step::Within if self.at == start => break,
                Step::Within => {}
            }
        }
        piece.range
    }

    /// Reads a token.
    fn token(&mut self, piece: &mut Piece) -> Step {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let length = match bytes[0] {
            b'-' if rest.starts_with("--") => return self.pass(line_comment(rest)),
            b'/' if rest.starts_with("/*") => return self.pass(comment(rest)),
            b'\x0b' if self.vertical_tab => return self.pass(1),
            byte if byte.is_ascii_whitespace() => return self.pass(1),
            b';' if piece.can_end() => {
                self.pass(1);
                return Step::End;
            }
            b'\\' if rest.starts_with("\\;") => {
                // A semicolon for the server.
                self.blank(self.at..self.at + 1);
                return self.pass(1);
            }
            b'\\' if !rest.starts_with("\\:") => return self.command(),
            b':' | b'\\' => {
                let length = colons(rest);
                self.pass(length);
                // Colons for the server. Those of `\:\:` are one token, so blanks go before.
                let backslashes = self.text[self.at - length..self.at].matches('\\').count();
                if backslashes > 0 {
                    let colons = ":".repeat(length - backslashes);
                    let blanks = " ".repeat(backslashes);
                    self.text.replace_range(self.at - length..self.at, &(blanks + &colons));
                }
                return self.end_token(piece, length - backslashes);
            }
            b'\'' => quoted(rest, b'\'', self.backslash_escapes),
            b'"' => quoted(rest, b'"', false),
            b'$' => dollar_quoted(rest),
            b'(' => {
                piece.parentheses += 1;
                1
            }
            b')' => {
                piece.parentheses = piece.parentheses.saturating_sub(1);
                1
            }
            byte if is_word(byte) => string(rest).unwrap_or_else(|| {
                let length = word(rest);
                if !byte.is_ascii_digit() {
                    piece.bodies.word(&rest[..length], piece.parentheses);
                }
                length
            }),
            _ => 1,
        };
        self.pass(length);
        self.end_token(piece, length)
    }

    /// Adds a token that has just been passed.
    fn end_token(&self, piece: &mut Piece, length: usize) -> Step {
        let start = piece.range.as_ref().map_or(self.at - length, |range| range.start);
        piece.range = Some(start..self.at);
        Step::Within
    }

    /// Reads a command of psql's.
    fn command(&mut self) -> Step {
        let Command { length, effect } = Command::read(&self.text[self.at..]);
        self.blank(self.at..self.at + length);
        self.pass(length);
        match effect {
            Effect::None => Step::Within,
            Effect::Send => Step::End,
            Effect::Reset => Step::Dropped,
            Effect::Connect => {
                self.reconnected = true;
                self.backslash_escapes = false;
                Step::Within
            }
            Effect::CopyFromStdin => {
                self.skip_copy_data();
                Step::Within
            }
        }
    }

    fn pass(&mut self, length: usize) -> Step {
        self.at += length;
        Step::Within
    }

    /// Puts blanks in place of a part of the text.
    fn blank(&mut self, range: Range<usize>) {
        let blanks = " ".repeat(range.len());
        self.text.replace_range(range, &blanks);
    }
}
