//! Splits a psql script into pieces, as far as the text alone tells.

mod command;
pub(crate) mod data;
// Public for the tests of this crate, and for pg_ast_syntax.
#[allow(clippy::must_use_candidate)]
pub mod lex;
mod setting;

use core::ops::Range;

use command::{Command, Effect};
use lex::{
    Bodies, blank_lines, colons, comment, dollar_quoted, is_word, line, line_comment, quoted,
    string, word,
};

pub use setting::Setting;

/// A reader of the pieces of a script.
// The flags are independent of each other.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct ScriptPieces<'a> {
    script: &'a str,
    /// The script, with blanks in place of text that is not for the parser: psql commands, `COPY` data. So
    /// a place in it is one in the script.
    text: String,
    /// The ranges in which the text differs from the script, since the last mark.
    changed: Vec<Range<usize>>,
    /// The byte that is a blank for the parser, before the last piece.
    replaced: Option<usize>,
    at: usize,
    /// The end of the text to read: its length, or less.
    end: usize,
    /// The end of psql's current line, with the data that it reads after it. It is unknown once
    /// `at` is beyond.
    line_end: usize,
    /// Where the data of a `COPY` begins that no line ends.
    open_data: Option<usize>,
    /// From any place in this range on, no data of a wrong `COPY` is found.
    without_data: Range<usize>,
    /// True if a backslash is an escape in `'..'`: `standard_conforming_strings` is off.
    pub(crate) backslash_escapes: bool,
    /// True if `\v` is a blank, as it is since PostgreSQL 16.
    vertical_tab: bool,
    /// True if a psql command has begun a new session since the last piece.
    pub(crate) reconnected: bool,
    /// What is not for the parser, until somebody takes it. In order, but for data: it is noted before what else is on the line of
    /// its `COPY`.
    pub(crate) extras: Vec<ScriptExtra>,
    /// Nothing from here on has been looked at yet; beyond the text if its end has been.
    pub(crate) looked: usize,
}

/// A part of a script that is not for the parser.
#[derive(Clone, Debug)]
pub struct ScriptExtra {
    /// Its range in the script.
    pub range: Range<usize>,
    /// What it is.
    pub kind: ExtraKind,
}

/// The kinds of what is not for the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraKind {
    /// A byte order mark.
    ByteOrderMark,
    /// A psql command.
    Command,
    /// The data of a `COPY`.
    CopyData,
    /// The backslashes of the token behind them: `\;`, `\:`.
    Backslash,
}

/// A piece, with the places in it where a wrong statement may end.
#[derive(Default)]
pub(crate) struct ScriptPiece {
    /// The start of its first token, if it has one, and the end of its last.
    pub(crate) range: Option<Range<usize>>,
    pub(crate) ended: PieceEnd,
    /// The tokens that begin a line, and whether each follows a semicolon.
    pub(crate) lines: Vec<(usize, bool)>,
    /// The semicolons that do not end it.
    pub(crate) semicolons: Vec<usize>,
    /// Quotes of several lines, and a comment that does not end.
    pub(crate) literals: Vec<Range<usize>>,
    begins_line: bool,
    parentheses: usize,
    bodies: Bodies,
    /// True if something has been read that is rare in correct statements.
    is_doubtful: bool,
    /// The length at which it is checked again.
    next_look: usize,
}

/// The way in which a piece ends.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PieceEnd {
    /// By a semicolon, or a psql command.
    Sent,
    /// By the end of the text.
    #[default]
    WithText,
    /// It does not end yet, but nothing that follows can make it correct.
    Refused,
}

/// A state to go back to.
pub(crate) struct Mark {
    line_end: usize,
    backslash_escapes: bool,
    reconnected: bool,
    extras: usize,
}

impl ScriptPiece {
    /// Returns whether a semicolon ends it.
    fn can_end(&self) -> bool {
        self.parentheses == 0 && self.bodies.none_open()
    }

    /// Returns where it begins: with a token, or an unterminated comment.
    pub(crate) fn start(&self) -> Option<usize> {
        let comment = self.literals.first().map(|literal| literal.start);
        self.range.as_ref().map(|range| range.start).or(comment)
    }

    /// Returns whether there are places after its first token at which it may end.
    pub(crate) fn has_places(&self) -> bool {
        let start = self.start();
        self.lines.last().is_some_and(|(line, _)| Some(*line) > start)
            || !self.semicolons.is_empty()
            || !self.literals.is_empty()
    }

    fn add_literal(&mut self, range: Range<usize>) {
        self.literals.push(range);
        // Many functions contain one.
        self.is_doubtful |= self.literals.len() > 1;
    }
}

/// The effect of a token on its piece.
enum TokenRole {
    Within,
    End,
    /// The piece is not sent.
    Dropped,
}

impl<'a> ScriptPieces<'a> {
    pub(crate) fn new(script: &'a str, vertical_tab: bool) -> Self {
        let mut pieces = Self {
            script,
            text: script.to_owned(),
            changed: Vec::new(),
            replaced: None,
            at: 0,
            end: script.len(),
            line_end: 0,
            open_data: None,
            without_data: 0..0,
            backslash_escapes: false,
            vertical_tab,
            reconnected: false,
            extras: Vec::new(),
            looked: '\u{FEFF}'.len_utf8(),
        };
        if script.starts_with('\u{FEFF}') {
            pieces.at = '\u{FEFF}'.len_utf8();
            pieces.blank(0..pieces.at);
            pieces.note(0..pieces.at, ExtraKind::ByteOrderMark);
        }
        pieces
    }

    /// Goes on at a place of a script; the text before it has been read.
    pub(crate) fn resume(script: &'a str, read: &str, vertical_tab: bool) -> Self {
        let mut pieces = Self::new("", vertical_tab);
        pieces.text.reserve(script.len());
        pieces.text.push_str(read);
        pieces.text.push_str(&script[read.len()..]);
        (pieces.script, pieces.at, pieces.end) = (script, read.len(), script.len());
        pieces
    }

    /// Returns the text of a piece for the parser, and its offset in the script: with a blank
    /// before the first token, unless that is the script's first byte. So nothing is at offset 0
    /// of it, which the grammar uses for a missing location.
    pub(crate) fn for_parser(&mut self, piece: &Range<usize>) -> (&str, usize) {
        // The text before a token is ASCII: the rest is part of a token, or blank by now.
        let start = piece.start.saturating_sub(1);
        let before = self.text[start..piece.start].bytes().next();
        // A line break stays one: the indentation of what follows counts from there.
        if before.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.text.replace_range(start..piece.start, " ");
            self.replaced = Some(start);
        }
        (&self.text[start..piece.end], start)
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns the text, with blanks in place of text that was read and is not for the parser.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the offset up to which it has been read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Marks the current state, up to the next mark.
    pub(crate) fn mark(&mut self) -> Mark {
        self.changed.clear();
        Mark {
            line_end: self.line_end,
            backslash_escapes: self.backslash_escapes,
            reconnected: self.reconnected,
            extras: self.extras.len(),
        }
    }

    /// Goes back to read again from a place after the mark.
    pub(crate) fn go_back(&mut self, mark: &Mark, to: usize) {
        // They are in order.
        while let Some(changed) = self.changed.pop_if(|changed| changed.end > to) {
            let again = changed.start.max(to)..changed.end;
            self.text.replace_range(again.clone(), &self.script[again]);
            if changed.start < to {
                self.changed.push(changed.start..to);
            }
        }
        while self.extras.len() > mark.extras
            && let Some(extra) = self.extras.pop_if(|extra| extra.range.end > to)
        {
            if extra.range.start < to {
                self.extras.push(ScriptExtra { range: extra.range.start..to, ..extra });
                break;
            }
        }
        if let Some(at) = self.replaced.take_if(|at| *at >= to) {
            self.text.replace_range(at..=at, &self.script[at..=at]);
        }
        self.at = to;
        self.end = self.text.len();
        self.line_end = mark.line_end;
        self.open_data.take_if(|data| *data > to);
        self.backslash_escapes = mark.backslash_escapes;
        self.reconnected = mark.reconnected;
    }

    /// Reads no further than about to this place, until it goes back.
    pub(crate) fn read_before(&mut self, end: usize) {
        self.end = (end..self.text.len())
            .find(|end| self.text.is_char_boundary(*end))
            .unwrap_or(self.text.len());
    }

    /// Reads the next piece of the text before `end`, if there is one; reading then continues at `next`.
    pub(crate) fn next_before(&mut self, end: usize, next: usize) -> Option<ScriptPiece> {
        self.end = end;
        let piece = self.next(&mut |_| true);
        (self.end, self.at) = (self.text.len(), next);
        piece
    }

    /// Reads the next piece: from its first token to its last, without the semicolon.
    ///
    /// `viable` tells whether a statement may begin with a text. It is asked about what seldom is in a correct one, with
    /// texts that double in length.
    pub(crate) fn next(&mut self, viable: &mut dyn FnMut(&str) -> bool) -> Option<ScriptPiece> {
        let mut piece = ScriptPiece { begins_line: true, ..ScriptPiece::default() };
        while self.at < self.end {
            let start = self.at;
            let role = self.token(&mut piece);
            self.look(start);
            match role {
                TokenRole::End if piece.range.is_some() => {
                    piece.ended = PieceEnd::Sent;
                    return Some(piece);
                }
                TokenRole::End | TokenRole::Dropped => {
                    piece =
                        ScriptPiece { begins_line: piece.begins_line, ..ScriptPiece::default() };
                }
                // No token is empty; but this must end.
                TokenRole::Within if self.at == start => break,
                TokenRole::Within if piece.is_doubtful && self.is_refused(&mut piece, viable) => {
                    piece.ended = PieceEnd::Refused;
                    return Some(piece);
                }
                TokenRole::Within => {}
            }
        }
        (piece.range.is_some() || !piece.literals.is_empty()).then_some(piece)
    }

    /// Notes how far the text must have been read to know the token that begins at `start`.
    fn look(&mut self, start: usize) {
        // Up to two more characters tell where it ends.
        let mut end = self.at + 2;
        if self.at >= self.end {
            // So does the end of the text.
            end = self.end + 1;
        } else if self.text[..self.at].ends_with('\'') {
            // It may continue on another line.
            end += blank_lines(&self.text[self.at..]);
        } else if self.text[start..self.at] == *"$" {
            end += word(&self.text[self.at..]);
        }
        self.looked = self.looked.max(end);
    }

    /// Notes that the text has been looked at up to a place, and the character there.
    fn look_to(&mut self, end: usize) {
        self.looked = self.looked.max(end + 1);
    }

    fn note(&mut self, range: Range<usize>, kind: ExtraKind) {
        self.extras.push(ScriptExtra { range, kind });
    }

    fn is_refused(&self, piece: &mut ScriptPiece, viable: &mut dyn FnMut(&str) -> bool) -> bool {
        piece.is_doubtful = false;
        let text = piece.range.as_ref().map_or("", |range| &self.text[range.clone()]);
        if text.len() < piece.next_look {
            return false;
        }
        piece.next_look = 2 * text.len();
        !viable(text)
    }

    /// Reads a token.
    fn token(&mut self, piece: &mut ScriptPiece) -> TokenRole {
        let rest = &self.text[self.at..self.end];
        let bytes = rest.as_bytes();
        let mut is_literal = matches!(bytes[0], b'\'' | b'"' | b'$');
        let length = match bytes[0] {
            b'-' if rest.starts_with("--") => return self.pass(line_comment(rest)),
            b'/' if rest.starts_with("/*") => {
                let length = comment(rest);
                if length.is_none() {
                    piece.add_literal(self.at..self.end);
                }
                return self.pass(length.unwrap_or(rest.len()));
            }
            b'\n' => {
                piece.begins_line = true;
                return self.pass(1);
            }
            b'\x0b' if self.vertical_tab => return self.pass(1),
            byte if byte.is_ascii_whitespace() => return self.pass(1),
            b';' if piece.can_end() => {
                self.pass(1);
                return TokenRole::End;
            }
            b';' => {
                // One after a backslash deliberately ends nothing.
                if !self.script[..self.at].ends_with('\\') {
                    piece.semicolons.push(self.at);
                    piece.is_doubtful = true;
                }
                1
            }
            b'\\' if rest.starts_with("\\;") => {
                // A semicolon for the server.
                self.blank(self.at..self.at + 1);
                self.note(self.at..self.at + 1, ExtraKind::Backslash);
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
                    let range = self.at - length..self.at;
                    self.text.replace_range(range.clone(), &(blanks + &colons));
                    self.note(range.start..range.start + backslashes, ExtraKind::Backslash);
                    self.changed.push(range);
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
            byte if is_word(byte) => match string(rest) {
                Some(length) => {
                    is_literal = true;
                    length
                }
                None => {
                    let length = word(rest);
                    if !byte.is_ascii_digit() {
                        piece.bodies.word(&rest[..length], piece.parentheses);
                    }
                    length
                }
            },
            _ => 1,
        };
        if is_literal && rest[..length].contains('\n') {
            piece.add_literal(self.at..self.at + length);
        }
        self.pass(length);
        self.end_token(piece, length)
    }

    /// Adds a token that has just been passed.
    fn end_token(&self, piece: &mut ScriptPiece, length: usize) -> TokenRole {
        let token = self.at - length;
        if core::mem::take(&mut piece.begins_line) {
            let last = piece.range.as_ref().and_then(|range| range.end.checked_sub(1));
            let behind_semicolon = last.is_some() && piece.semicolons.last().copied() == last;
            piece.lines.push((token, behind_semicolon));
        }
        let start = piece.range.as_ref().map_or(token, |range| range.start);
        piece.range = Some(start..self.at);
        TokenRole::Within
    }

    /// Reads a psql command.
    fn command(&mut self) -> TokenRole {
        let Command { length, effect } = Command::read(&self.text[self.at..self.end]);
        self.look_to(self.at + line(&self.text[self.at..]));
        self.blank(self.at..self.at + length);
        let name = self.script[self.at..self.at + length].trim_end();
        self.note(self.at..self.at + name.len(), ExtraKind::Command);
        self.pass(length);
        match effect {
            Effect::None => TokenRole::Within,
            Effect::Send => TokenRole::End,
            Effect::Reset => TokenRole::Dropped,
            Effect::Connect => {
                self.reconnected = true;
                self.backslash_escapes = false;
                TokenRole::Within
            }
            Effect::CopyFromStdin => {
                self.skip_copy_data();
                TokenRole::Within
            }
        }
    }

    fn pass(&mut self, length: usize) -> TokenRole {
        self.at += length;
        TokenRole::Within
    }

    /// Replaces a part of the text by blanks.
    fn blank(&mut self, range: Range<usize>) {
        let blanks = " ".repeat(range.len());
        self.text.replace_range(range.clone(), &blanks);
        self.changed.push(range);
    }
}
