//! The comments `fmt: off`, `fmt: on` and `fmt: skip`.

use std::ops::Range;

use pg_ast::Version;

/// Which statements a user's comments keep as they are.
pub(crate) struct Switches<'a> {
    version: Version,
    script: &'a str,
    /// Whether there is any such comment.
    is_used: bool,
    is_off: bool,
}

impl<'a> Switches<'a> {
    pub(crate) fn new(version: Version, script: &'a str) -> Self {
        Self { version, script, is_used: script.contains("fmt:"), is_off: false }
    }

    /// Whether the next statement stays as it is: after `fmt: off`, up to `fmt: on`, or with `fmt: skip` before it, in it,
    /// or behind it on its last line.
    pub(crate) fn is_off(
        &mut self,
        before: Range<usize>,
        stmt: &Range<usize>,
        behind: Range<usize>,
    ) -> bool {
        if !self.is_used {
            return false;
        }
        // What is on the line of the statement before is about that.
        let line_end =
            self.script[before.clone()].find('\n').map_or(before.end, |end| before.start + end);
        let own = if before.start == 0 { 0 } else { line_end };
        let mut skips = self.words(own..before.end).contains(&"skip");
        for word in self.words(before) {
            match word {
                "off" => self.is_off = true,
                "on" => self.is_off = false,
                _ => {}
            }
        }
        let line = &self.script[behind.clone()];
        let line = line.find('\n').map_or(line.len(), |end| end);
        skips |= self.words(behind.start..behind.start + line).contains(&"skip");
        skips || self.is_off || !self.words(stmt.clone()).is_empty()
    }

    /// Returns what follows `fmt:` in the comments of a range.
    fn words(&self, range: Range<usize>) -> Vec<&'a str> {
        let text = &self.script[range];
        if !text.contains("fmt:") {
            return Vec::new();
        }
        let tokens = self.version.scan_lossy(text).tokens;
        let comments = tokens
            .iter()
            .filter(|token| token.is_comment())
            .map(|token| &text[token.range.clone()]);
        let words = comments.filter_map(|comment| {
            let comment =
                comment.trim_start_matches("--").trim_start_matches("/*").trim_end_matches("*/");
            let word = comment.trim().strip_prefix("fmt:")?.split_whitespace().next()?;
            matches!(word, "off" | "on" | "skip").then_some(word)
        });
        words.collect()
    }
}
