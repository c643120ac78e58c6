//! Formatting of documents.

use core::ops::Range;

use lsp_types::TextEdit;
use pg_ast::LineIndex;
use pg_ast_fmt::format_range;

use crate::{Settings, to_lsp};

/// Returns the edits that format a document, or the statements in a range of it: none if it is already formatted.
pub(crate) fn edits(
    lines: &LineIndex<'_>,
    settings: &Settings,
    range: Option<Range<usize>>,
    tab_size: u32,
) -> Vec<TextEdit> {
    let options = settings.format.clone().indent(tab_size.clamp(1, 16) as usize);
    let text = lines.text();
    let range = range.unwrap_or(0..text.len());
    change(lines, &format_range(settings.version, text, range, &options).text)
}

/// Returns the edit from one text to another: only of the lines that differ, so that cursors elsewhere stay in place.
pub(crate) fn change(old_lines: &LineIndex<'_>, new: &str) -> Vec<TextEdit> {
    let old = old_lines.text();
    if old == new {
        return Vec::new();
    }
    let same = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
    // A byte of a line break is never part of another character.
    let start =
        old.as_bytes()[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let [old_rest, new_rest] = [&old[start..], &new[start..]];
    let same = old_rest.bytes().rev().zip(new_rest.bytes().rev());
    let same = same.take_while(|(old, new)| old == new).count();
    let end = old_rest.as_bytes()[old_rest.len() - same..].iter().position(|byte| *byte == b'\n');
    let kept = end.map_or(0, |at| same - at - 1);
    let range = start..old.len() - kept;
    let new_text = new_rest[..new_rest.len() - kept].to_owned();
    vec![to_lsp::edit(old_lines, (range, new_text))]
}

#[cfg(test)]
mod tests {
    use super::{LineIndex, change};

    #[test]
    fn only_lines_that_differ_change() {
        let cases = [
            ("a\nb\nc\n", "a\nx\nc\n", (1, 2), "x\n"),
            ("a\n", "a\nb\n", (1, 1), "b\n"),
            ("a\na\n", "a\n", (1, 2), ""),
            ("ä", "ö", (0, 0), "ö"),
            ("", "a", (0, 0), "a"),
        ];
        for (old, new, (start, end), text) in cases {
            let edits = change(&LineIndex::new(old), new);
            let range = edits[0].range;
            assert_eq!((range.start.line, range.end.line), (start, end), "{old:?} {new:?}");
            assert_eq!(edits[0].new_text, text);
        }
        assert!(change(&LineIndex::new("a\n"), "a\n").is_empty());
    }
}
