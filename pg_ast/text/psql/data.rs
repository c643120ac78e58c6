//! The data of `COPY .. FROM STDIN` in a script.

use core::ops::Range;

use super::lex::{comment, dollar_quoted, is_word, line, line_comment, quoted, string, word};
use super::{ExtraKind, ScriptPieces};

impl ScriptPieces<'_> {
    /// Skips the data of a `COPY .. FROM STDIN` that has just been read: from the next line on, up
    /// to a line that is `\.`, or to the end of the script. The rest of the current line stays. Returns the range of
    /// these lines, if there are any.
    pub(crate) fn skip_copy_data(&mut self) -> Option<Range<usize>> {
        let start = self.next_line();
        let last = self.find_row(start, is_end_of_data);
        if last.is_none() {
            self.open_data = Some(start);
        }
        self.look_to(last.as_ref().map_or(self.text.len(), |row| row.end));
        self.skip_data(start..last.map_or(self.text.len(), |row| row.end))
    }

    /// Skips the data of a `COPY .. FROM STDIN` that is wrong, but only if there is a line that is `\.`, and no other
    /// such statement before it.
    pub(crate) fn skip_data_of_wrong_copy(&mut self) -> Option<Range<usize>> {
        let start = self.next_line();
        if self.without_data.contains(&start) {
            self.look_to(self.text.len());
            return None;
        }
        let found = self.find_row(start, |row| is_end_of_data(row) || is_copy_from_stdin(row));
        let row = found.unwrap_or(self.text.len()..self.text.len());
        self.look_to(row.end);
        if is_end_of_data(&self.text[row.clone()]) {
            return self.skip_data(start..row.end);
        }
        self.without_data = start..row.start;
        None
    }

    /// Returns whether the text ends where a wrong `COPY` that has just been read may have data.
    pub(crate) fn may_have_data_behind(&self) -> bool {
        self.without_data.end == self.text.len()
    }

    /// Returns where the data of a `COPY` begins of which no end has been found.
    pub(crate) fn open_data(&self) -> Option<usize> {
        self.open_data
    }

    /// Returns whether the current line goes on, and data that has been skipped follows it.
    pub(crate) fn has_data_ahead(&self) -> bool {
        self.line_end > self.at
    }

    /// Goes on behind the data that follows the current line, if nothing but blanks is left before it.
    pub(crate) fn pass_data(&mut self) {
        if self.has_data_ahead() && self.text[self.at..self.line_end].trim_ascii().is_empty() {
            self.at = self.line_end;
        }
    }

    /// Returns where the line after the current one begins, and the data after that.
    fn next_line(&mut self) -> usize {
        if self.line_end < self.at {
            self.line_end = self.at + line(&self.text[self.at..]);
        }
        self.look_to(self.line_end);
        self.text.len().min(self.line_end + 1)
    }

    /// Returns the first line from a place on that is wanted, without its end.
    fn find_row(&self, mut start: usize, is_wanted: fn(&str) -> bool) -> Option<Range<usize>> {
        while start < self.text.len() {
            let end = start + line(&self.text[start..]);
            if is_wanted(&self.text[start..end]) {
                return Some(start..end);
            }
            start = end + 1;
        }
        None
    }

    fn skip_data(&mut self, data: Range<usize>) -> Option<Range<usize>> {
        // With the line break before it, so that the current line goes on after it.
        self.blank(self.line_end..data.end);
        self.line_end = data.end;
        if data.is_empty() {
            return None;
        }
        self.note(data.clone(), ExtraKind::CopyData);
        Some(data)
    }
}

/// Returns whether a line ends the data of a `COPY`.
fn is_end_of_data(row: &str) -> bool {
    row.strip_suffix('\r').unwrap_or(row) == "\\."
}

/// Returns whether a text seems to begin with a `COPY .. FROM STDIN`, or `\copy`, whatever else is wrong in it.
pub(crate) fn is_copy_from_stdin(text: &str) -> bool {
    let text = text.trim_ascii_start();
    let mut rest = text.strip_prefix('\\').unwrap_or(text);
    let (first, behind) = rest.split_at(word(rest));
    if !first.eq_ignore_ascii_case("copy") {
        return false;
    }
    rest = behind;
    while let Some(&first) = rest.as_bytes().first() {
        let length = match first {
            b'\'' | b'"' => quoted(rest, first, false),
            b'$' => dollar_quoted(rest),
            b'-' if rest.starts_with("--") => line_comment(rest),
            b'/' if rest.starts_with("/*") => comment(rest).unwrap_or(rest.len()),
            byte if is_word(byte) => string(rest).unwrap_or_else(|| word(rest)),
            // Other characters have one byte each.
            _ => 1,
        };
        let (token, behind) = rest.split_at(length);
        if token.eq_ignore_ascii_case("stdin") {
            return true;
        }
        rest = behind;
    }
    false
}
