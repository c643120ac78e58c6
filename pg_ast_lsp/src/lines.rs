//! The text of a document, and its lines as counted by the protocol.

use core::ops::{Range, RangeInclusive};

use lsp_types::Position;

/// A text with an index of its lines. A column counts code units of UTF-16.
pub(crate) struct Lines {
    text: String,
    /// The offset at which each line starts.
    starts: Vec<usize>,
    /// The number of code units before each block; empty if all of the text is ASCII.
    blocks: Vec<usize>,
}

/// The bytes per block, so that a look-up in a long line takes no longer than in a short one.
const BLOCK: usize = 128;

/// Returns the number of code units of the characters that begin with these bytes of UTF-8.
fn units(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .map(|byte| match byte {
            0x80..0xC0 => 0,
            0xF0.. => 2,
            _ => 1,
        })
        .sum()
}

impl Lines {
    pub(crate) fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at + 1);
            }
        }
        let mut blocks = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for block in bytes.chunks(BLOCK) {
                blocks.push(before);
                before += units(block);
            }
        }
        Self { text, starts, blocks }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of code units before an offset.
    fn width(&self, offset: usize) -> usize {
        match self.blocks.get((offset / BLOCK).min(self.blocks.len().saturating_sub(1))) {
            None => offset,
            Some(before) => {
                let block = (offset / BLOCK).min(self.blocks.len() - 1) * BLOCK;
                before + units(&self.text.as_bytes()[block..offset])
            }
        }
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        self.position_on(self.line(offset), offset)
    }

    /// Returns the position of an offset in a line.
    pub(crate) fn position_on(&self, line: usize, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let column = self.width(offset) - self.width(self.starts[line]);
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(column) }
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> lsp_types::Range {
        let lines = self.lines(range);
        lsp_types::Range {
            start: self.position_on(*lines.start(), range.start),
            end: self.position_on(*lines.end(), range.end),
        }
    }

    /// Returns the first and the last line of a range.
    pub(crate) fn lines(&self, range: &Range<usize>) -> RangeInclusive<usize> {
        let first = self.line(range.start);
        // Most ranges are within a line.
        let is_one = self.starts.get(first + 1).is_none_or(|next| range.end < *next);
        first..=if is_one { first } else { self.line(range.end) }
    }

    /// Returns the line of an offset.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns the line of an offset that is not before a line, in as many steps as there are lines between.
    pub(crate) fn line_from(&self, first: usize, offset: usize) -> usize {
        let next = &self.starts[first + 1..];
        first + next.iter().take_while(|start| **start <= offset).count()
    }

    /// Returns the offset at which a line begins.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// Returns the offset at which a line ends, without its line break.
    pub(crate) fn line_end(&self, line: usize) -> usize {
        let Some(next) = self.starts.get(line + 1) else { return self.text.len() };
        let start = self.starts[line];
        start + self.text[start..*next].trim_end_matches(['\r', '\n']).len()
    }

    /// Returns the offset of a position. One after the end of its line counts as the end of the line, one after the end of the text as
    /// the end of the text.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let column = usize::try_from(position.character).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else { return self.text.len() };
        let end = self.line_end(line);
        let wanted = self.width(start).saturating_add(column);
        let mut offset = if self.blocks.is_empty() {
            wanted.min(end)
        } else {
            let block = self.blocks.partition_point(|before| *before <= wanted).saturating_sub(1);
            let mut at = (block * BLOCK).clamp(start, end);
            let mut width = self.width(at);
            while at < end {
                width += units(&self.text.as_bytes()[at..=at]);
                if width > wanted {
                    break;
                }
                at += 1;
            }
            at
        };
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    pub(crate) fn offsets(&self, range: lsp_types::Range) -> Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn positions_and_offsets_agree() {
        let long = format!("SELECT '{}', 1;\nSELECT 2", "ä🐘x".repeat(200));
        for text in ["", "a", "a\nb", "a\r\nb\rc\n", "ä🐘\n🐘", &long] {
            let lines = Lines::new(text.to_owned());
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let position = lines.position(at);
                // Between the two characters of a line break there is no position.
                if !text[..at].ends_with('\r') || !text[at..].starts_with('\n') {
                    assert_eq!(lines.offset(position), at, "{text:?} {at}");
                }
            }
            let before: usize = text.lines().last().unwrap_or("").encode_utf16().count();
            if text.ends_with(['a', 'b', '2', '🐘']) {
                assert_eq!(lines.position(text.len()).character as usize, before);
            }
        }
    }
}
