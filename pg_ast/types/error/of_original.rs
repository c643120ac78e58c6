//! Errors in parts of texts, and in texts that are written in another way for the parser.

use std::sync::Arc;

use super::Error;
use crate::types::written_text::WrittenText;

impl Error {
    /// Moves the position with a part of a text that was at `from`.
    pub(crate) fn moved_from(mut self, from: usize, to: usize) -> Self {
        let moved = |at: usize| (at + to).saturating_sub(from);
        self.0.cursor = self.0.cursor.map(moved);
        if let Some(grammar) = &mut self.0.grammar {
            grammar.start = moved(grammar.start);
        }
        self
    }

    /// Makes it an error of the original of a text that has tokens in place of variables.
    pub(crate) fn of_original(mut self, written: WrittenText, original: &str) -> Self {
        const NEAR: &str = "syntax error at or near \"";
        let Some(cursor) = self.0.cursor else { return self };
        let quoted = self.0.message.strip_prefix(NEAR).and_then(|it| it.strip_suffix('"'));
        let range = written.original(&(cursor..cursor + quoted.map_or(0, str::len)));
        if let Some(token) = original.get(range.clone()).filter(|_| quoted.is_some()) {
            self.0.message = format!("{NEAR}{token}\"");
        }
        self.0.cursor = Some(range.start);
        if let Some(grammar) = &mut self.0.grammar {
            grammar.written = Some(Arc::new(written));
        }
        self
    }
}
