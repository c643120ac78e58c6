//! Lines and columns, which are the same for all versions.

use pg_ast::{ColumnUnit, LineColumn, LineIndex};

const UNITS: [ColumnUnit; 3] = [ColumnUnit::Bytes, ColumnUnit::Characters, ColumnUnit::Utf16];

/// A slow and simple reference implementation.
fn slow(text: &str, offset: usize, unit: ColumnUnit) -> LineColumn {
    let before = &text[..offset];
    let breaks = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    // `\r\n` is one break, also where the offset is between the two.
    let before_break = before.ends_with('\r') && text[offset..].starts_with('\n');
    let lines = if before_break { &before[..offset - 1] } else { before };
    let line = breaks(lines).matches('\n').count();
    let start = lines.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let column = match unit {
        ColumnUnit::Bytes => offset - start,
        ColumnUnit::Characters => text[start..offset].chars().count(),
        ColumnUnit::Utf16 => text[start..offset].encode_utf16().count(),
    };
    LineColumn { line, column }
}

#[test]
fn columns_are_those_that_counting_gives() {
    // Miri takes some hundred times as long.
    let times = if cfg!(miri) { 5 } else { 100 };
    let long = format!("{}\n{}", "aä🐘".repeat(2 * times), "x".repeat(3 * times));
    for text in ["", "a", "\n", "a\r\nb\rc\n\nd\r", "ä🐘\r\n🐘ä", "\r\r\n\r", &long] {
        let index = LineIndex::new(text);
        let offsets = (0..=text.len()).filter(|offset| text.is_char_boundary(*offset));
        for (offset, unit) in offsets.flat_map(|offset| UNITS.map(|unit| (offset, unit))) {
            let place = index.line_column(offset, unit);
            assert_eq!(place, slow(text, offset, unit), "{offset} of {text:?}");
            let line = index.line(place.line).unwrap();
            // The place between `\r` and `\n` is after the line.
            assert_eq!(index.offset(place, unit), Some(offset.min(line.end)), "{text:?}");
        }
    }
}

#[test]
fn places_within_a_character_and_behind_the_end() {
    let index = LineIndex::new("a🐘b\nc");
    for offset in 1..5 {
        let place = index.line_column(offset, ColumnUnit::Bytes);
        assert_eq!(place, LineColumn { line: 0, column: 1 });
    }
    let end = LineColumn { line: 1, column: 1 };
    assert_eq!(index.line_column(usize::MAX, ColumnUnit::Utf16), end);

    let offset = |line, column, unit| index.offset(LineColumn { line, column }, unit);
    assert_eq!(offset(0, 3, ColumnUnit::Bytes), Some(1));
    assert_eq!(offset(0, 2, ColumnUnit::Utf16), Some(1));
    assert_eq!(offset(0, 3, ColumnUnit::Utf16), Some(5));
    for unit in UNITS {
        assert_eq!(offset(0, usize::MAX, unit), Some(6));
        assert_eq!(offset(1, 9, unit), Some(8));
        assert_eq!(offset(2, 0, unit), None);
    }
}

#[test]
fn lines_have_no_breaks() {
    let text = "a\r\nb\rc\n\n";
    let index = LineIndex::new(text);
    let lines: Vec<_> = (0..index.line_count()).map(|n| &text[index.line(n).unwrap()]).collect();
    assert_eq!(lines, ["a", "b", "c", "", ""]);
    assert_eq!(index.line(5), None);
}
