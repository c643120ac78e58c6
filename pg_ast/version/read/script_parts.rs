//! Scripts that are split part by part, in bounded memory.

use core::ops::Range;

use super::ffi::raw_parse;
use super::names::raw;
use super::recover::Recovery;
use super::script::Reader;
use crate::text::psql::lex::{line, word};
use crate::text::psql::{PieceEnd, ScriptPieces};
use crate::types::options::ParserOptions;
use crate::types::script_part::{PartEnd, ScriptPart, ScriptState, SplitStmt};

/// How far to look for the end of the data of a wrong `COPY`, in bytes: without an end it is not data.
const DATA: usize = 16 << 20;

/// The text that is needed after a wrong statement, to find its end.
const BEHIND_WRONG: usize = 128 << 10;

/// The first words of the statements that change how the following text is read.
const WITH_EFFECT: &[&str] = &[
    "ABORT",
    "BEGIN",
    "COMMIT",
    "COPY",
    "DISCARD",
    "END",
    "PREPARE",
    "RELEASE",
    "RESET",
    "ROLLBACK",
    "SAVEPOINT",
    "SET",
    "START",
];

/// Splits a part of a script into statements, without trees.
///
/// Most statements need no parser: only if one may end elsewhere when it is wrong, or has an effect on what follows.
pub(crate) fn split_part(text: &str, end: PartEnd, state: &mut ScriptState) -> ScriptPart {
    let mut part = ScriptPart::default();
    let start = skip(text, end, state, &mut part);
    if state.is_in_data || state.is_in_long_stmt {
        return part;
    }
    let mut pieces = ScriptPieces::new(text, raw::PG_VERSION_NUM >= 160_000);
    if start > 0 {
        let mark = pieces.mark();
        pieces.go_back(&mark, start);
    }
    pieces.backslash_escapes = !state.conforming_strings.is_on();
    let mut reader = Reader {
        pieces,
        options: ParserOptions::default(),
        conforming_strings: core::mem::take(&mut state.conforming_strings),
        recovery: Recovery::new(text),
        sent: None,
    };
    reader.take_stmts(text, end, state, &mut part);
    state.conforming_strings = reader.conforming_strings;
    part.text = reader.pieces.into_text();
    part
}

/// Skips data, or a statement, that began in an earlier part. Returns where what follows begins.
fn skip(text: &str, end: PartEnd, state: &mut ScriptState, part: &mut ScriptPart) -> usize {
    let is_end: fn(&str) -> bool = match (state.is_in_data, state.is_in_long_stmt) {
        (true, _) => |row| row == "\\.",
        (false, true) => |row| row.trim_end().ends_with(';'),
        (false, false) => return 0,
    };
    let mut at = 0;
    let mut is_over = false;
    while at < text.len() && !is_over {
        let length = line(&text[at..]);
        // The rest of the line may still come.
        if at + length == text.len() && end == PartEnd::More {
            break;
        }
        let row = &text[at..at + length];
        is_over = is_end(row.strip_suffix('\r').unwrap_or(row));
        at = (at + length + 1).min(text.len());
    }
    let skipped = (at > 0).then_some(0..at);
    if state.is_in_data {
        part.data = skipped;
        state.is_in_data = !is_over;
    } else {
        part.too_long = skipped;
        state.is_in_long_stmt = !is_over && end != PartEnd::End;
    }
    part.taken = at;
    at
}

/// What came of reading a statement.
enum Taken {
    Stmt(SplitStmt),
    /// It needs more text than there is.
    Open,
    /// There is no other one.
    None,
}

impl Reader<'_> {
    fn take_stmts(
        &mut self,
        text: &str,
        end: PartEnd,
        state: &mut ScriptState,
        part: &mut ScriptPart,
    ) {
        // Those up to here have been read with all that belongs to them.
        let mut kept = 0;
        loop {
            let at = self.pieces.at();
            let taken = self.take(end);
            match taken {
                Taken::Stmt(stmt) => part.stmts.push(stmt),
                Taken::Open | Taken::None if self.begins_data(text, end, &taken) => {
                    let data = self.pieces.open_data().unwrap_or(text.len());
                    if matches!(taken, Taken::Open) {
                        part.too_long = Some(at..data);
                    }
                    kept = part.stmts.len();
                    part.taken = data;
                    state.is_in_data = true;
                    if end == PartEnd::End {
                        part.data = Some(data..text.len()).filter(|data| !data.is_empty());
                        part.taken = text.len();
                    }
                    break;
                }
                Taken::Open if end == PartEnd::TooLong && kept == 0 => {
                    kept = part.stmts.len();
                    let start = part.too_long.as_ref().map_or(at, |skipped| skipped.start);
                    part.too_long = Some(start..text.len());
                    part.taken = text.len();
                    state.is_in_long_stmt = !ends_stmt(text);
                    break;
                }
                Taken::Open => break,
                Taken::None => {
                    if end == PartEnd::End {
                        kept = part.stmts.len();
                        part.taken = text.len();
                    } else if end == PartEnd::TooLong && kept == 0 {
                        // It consists of comments, or ends with data.
                        kept = part.stmts.len();
                        part.taken = text.rfind('\n').map_or(text.len(), |end| end + 1);
                    }
                    break;
                }
            }
            if !self.pieces.has_data_ahead() {
                kept = part.stmts.len();
                part.taken = self.pieces.at();
            }
        }
        part.stmts.truncate(kept);
    }

    /// Returns whether all that follows is the data of a `COPY`. A statement that began on its line would go on after it.
    fn begins_data(&self, text: &str, end: PartEnd, taken: &Taken) -> bool {
        self.pieces.open_data().is_some_and(|data| match (end, taken) {
            // The rest of the line may still come.
            (PartEnd::More, Taken::None) => text[..data].ends_with('\n'),
            (PartEnd::More, _) => false,
            (PartEnd::TooLong | PartEnd::End, _) => true,
        })
    }

    /// Reads the next statement.
    fn take(&mut self, end: PartEnd) -> Taken {
        let mark = self.pieces.mark();
        let at = self.pieces.at();
        let Some(piece) = self.read(self.recovery.is_on()) else { return Taken::None };
        let is_plain = piece.ended == PieceEnd::Sent
            && piece.range.as_ref().is_some_and(|range| {
                !self.has_effect(range)
                    && (!self.recovery.may_cut(&self.pieces, &piece)
                        || raw_parse(&self.pieces.text()[range.clone()], self.options()).is_ok())
            });
        if is_plain && let Some(range) = piece.range {
            if end != PartEnd::End && self.pieces.at() >= self.pieces.text().len() {
                return Taken::Open;
            }
            let options = self.options();
            self.begin_session();
            return Taken::Stmt(SplitStmt { range, options, error: None });
        }
        if end == PartEnd::More && piece.ended == PieceEnd::WithText {
            return Taken::Open;
        }
        self.pieces.go_back(&mark, at);
        let Some(stmt) = self.next() else { return Taken::None };
        let options = self.options();
        let behind = self.pieces.text().len() - self.pieces.at();
        let needed = match (end, &stmt.result) {
            (PartEnd::End, _) => 0,
            (PartEnd::TooLong, _) | (PartEnd::More, Ok(_)) => 1,
            (PartEnd::More, Err(_)) => BEHIND_WRONG,
        };
        if behind < needed {
            return Taken::Open;
        }
        let may_have_data = end == PartEnd::More && behind < DATA && self.is_wrong_copy(&stmt);
        let data = self.follow(&stmt);
        if may_have_data && data.is_none() && self.pieces.may_have_data_behind() {
            return Taken::Open;
        }
        // Each wrong statement is parsed once more, by itself.
        let text = &self.pieces.text()[stmt.range.clone()];
        let error = stmt.result.err().filter(|_| raw_parse(text, options).is_ok());
        Taken::Stmt(SplitStmt { range: stmt.range, options, error })
    }

    pub(crate) fn has_effect(&self, range: &Range<usize>) -> bool {
        let stmt = &self.pieces.text()[range.clone()];
        let first = &stmt[..word(stmt)];
        WITH_EFFECT.iter().any(|word| word.eq_ignore_ascii_case(first))
    }
}

/// Returns whether a text ends with the end of a statement.
fn ends_stmt(text: &str) -> bool {
    text.trim_end().ends_with(';')
}
