//! Ranges of nodes in SQL, edits of SQL, unfinished SQL, and scripts with such SQL.

use std::ops::Range;

use pg_ast::{ColumnUnit, Edits, ErrorKind, Expected, LineIndex, ParserOptions, Ranges, view};

use super::verbs::is_refusal;
use super::{Source, split};

/// The maximum number of changes of an input.
const MOST_EDITS: usize = 12;

/// SQL, followed by the bytes that select changes and positions.
pub fn run(data: &[u8]) {
    let (text, rest) = split(data);
    let sql: &str = &Box::<str>::from(text);
    let source = &mut Source::new(rest);
    for _ in 0..3 {
        complete(sql, source.below(sql.len() + 3));
    }
    lossy(sql);
    scan_lossy(sql);
    recovery(sql, source);
    let options = ParserOptions::default();
    let ranges = match (pg_ast::parse_with_ranges(sql, options), pg_ast::parse(sql)) {
        (Ok((tree, ranges)), Ok(plain)) => {
            assert!(tree == plain, "{sql:?}");
            ranges
        }
        (Err(error), Err(plain)) => {
            assert_eq!(error, plain, "{sql:?}");
            return is_refusal(&error, sql);
        }
        (with, plain) => panic!("{with:?} with ranges, {plain:?} without, for {sql:?}"),
    };
    let viewed = view::parse_with_ranges(sql, options).expect("it parses");
    assert!(viewed.ranges().is_some_and(|of_view| of_view.iter().eq(ranges.iter())), "{sql:?}");
    inside_of_each_other(sql, &ranges);
    edits(sql, &ranges, source);
}

/// Each range is in the SQL, and contains those of the nodes below.
fn inside_of_each_other(sql: &str, ranges: &Ranges) {
    let tree = view::parse(sql).expect("it parses");
    assert_eq!(tree.nodes().count(), ranges.len(), "{sql:?}");
    let mut above: Vec<Range<usize>> = Vec::new();
    for ((node, depth), range) in tree.nodes().with_depth().zip(ranges) {
        above.truncate(depth);
        let parent = above.last().cloned().unwrap_or(0..sql.len());
        let Some(range) = range else {
            above.push(parent);
            continue;
        };
        assert!(sql.get(range.clone()).is_some(), "{} at {range:?} of {sql:?}", node.name());
        let holds = parent.start <= range.start && range.end <= parent.end;
        assert!(holds, "{} at {range:?}, in one at {parent:?}, of {sql:?}", node.name());
        above.push(range);
    }
    let lines = LineIndex::new(sql);
    for range in ranges.iter().flatten().take(8) {
        for unit in [ColumnUnit::Bytes, ColumnUnit::Characters, ColumnUnit::Utf16] {
            let place = lines.line_column(range.end, unit);
            assert_eq!(lines.offset(place, unit), Some(range.end), "{sql:?}");
        }
    }
}

/// SQL outside of the edits is unchanged, and no edit causes a panic.
fn edits(sql: &str, ranges: &Ranges, source: &mut Source<'_>) {
    let tree = pg_ast::parse(sql).expect("it parses");
    let nodes: Vec<_> = tree.nodes().zip(ranges).collect();
    if nodes.is_empty() {
        return;
    }
    let mut edits = Edits::new(sql);
    for _ in 0..source.below(MOST_EDITS) {
        let (node, range) = &nodes[source.below(nodes.len())];
        let range = match (range, source.below(8)) {
            (Some(range), 1..) => range.clone(),
            // Any place, which may be invalid, or inside of a character.
            _ => {
                let start = source.below(sql.len() + 2);
                start..start + source.below(8)
            }
        };
        match source.below(5) {
            0 => edits.replace(range, "x"),
            1 => edits.insert_before(range.start, "/* before */ "),
            2 => edits.insert_behind(range.end, " /* behind */"),
            3 => edits.remove_item(range),
            _ => {
                // Some nodes have no SQL of their own.
                let Ok(edits) = edits.replace_node(range, node.to_enum()) else { continue };
                edits
            }
        };
    }
    let changes = match edits.changes() {
        Ok(changes) => changes,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Edit), "{error:?} for {sql:?}");
            return assert!(edits.apply() == Err(error), "{sql:?}");
        }
    };
    let text = edits.apply().expect("changes that can be made");
    let (mut end, mut at) = (0, 0);
    for (range, new) in &changes {
        assert!(end <= range.start, "{changes:?} of {sql:?}");
        let stays = &sql[end..range.start];
        assert_eq!(text.get(at..at + stays.len()), Some(stays), "{changes:?} of {sql:?}");
        at += stays.len();
        assert_eq!(text.get(at..at + new.len()), Some(new.as_str()), "{changes:?} of {sql:?}");
        at += new.len();
        end = range.end;
    }
    assert_eq!(text.get(at..), sql.get(end..), "{changes:?} of {sql:?}");
    if let Err(error) = edits.apply_and_parse(ParserOptions::default()) {
        is_refusal(&error, &text);
    }
}

/// A token that is expected in a place is not a syntax error there.
fn complete(sql: &str, offset: usize) {
    let found = pg_ast::complete(sql, offset);
    let word = found.word.clone();
    assert!(sql.get(word.clone()).is_some(), "{word:?} for {sql:?} at {offset}");
    let parsed = sql.get(..word.start).map(|before| (before, pg_ast::check(before)));
    // The SQL before has no error.
    let Some((before, Ok(_))) = parsed else { return };
    for keyword in &found.expected {
        let Expected::Keyword(keyword) = keyword else { continue };
        let refused = with_next(keyword).iter().all(|next| {
            let Err(error) = pg_ast::check(&format!("{before} {keyword}{next}")) else {
                return false;
            };
            error.message() == format!("syntax error at or near \"{keyword}\"")
                && error.cursor() == Some(before.len() + 1)
        });
        assert!(!refused, "{keyword} behind {before:?}");
    }
}

/// Tokens after a keyword that PostgreSQL's scanner distinguishes by the next token.
fn with_next(keyword: &str) -> &'static [&'static str] {
    match keyword {
        "NOT" => &["", " IN"],
        "NULLS" => &["", " FIRST"],
        "WITH" => &["", " TIME", " ORDINALITY"],
        "WITHOUT" => &["", " TIME"],
        "FORMAT" => &["", " JSON"],
        _ => &[""],
    }
}

/// The parsed SQL is the input with the reported changes.
fn lossy(sql: &str) {
    let Ok(found) = pg_ast::parse_lossy(sql) else { return };
    let mut edits = Edits::new(sql);
    for change in &found.changes {
        edits.replace(change.range.clone(), change.text.as_str());
    }
    assert_eq!(edits.apply().as_deref(), Ok(found.sql.as_str()), "{sql:?}");
    assert!(pg_ast::parse(&found.sql).as_ref() == Ok(&found.tree), "{sql:?}");
    assert!(!found.changes.is_empty() || found.sql == sql, "{sql:?}");
}

/// Tokens and errors are ordered and disjoint, and equal those of the scan, if it succeeds.
fn scan_lossy(sql: &str) {
    let lossy = pg_ast::scan_lossy(sql);
    let tokens = lossy.scan.tokens.iter().map(|token| token.range());
    let mut all: Vec<_> =
        tokens.chain(lossy.errors.iter().map(|error| error.range.clone())).collect();
    all.sort_by_key(|range| range.start);
    let mut end = 0;
    for range in all {
        assert!(end <= range.start && range.start < range.end, "{range:?} of {sql:?}");
        assert!(sql.get(range.clone()).is_some(), "{range:?} of {sql:?}");
        let is_blank = |byte| b" \t\n\r\x0b\x0c".contains(&byte);
        assert!(sql[end..range.start].bytes().all(is_blank), "{end} of {sql:?}");
        end = range.end;
    }
    match pg_ast::scan(sql) {
        Ok(scan) => {
            assert!(lossy.errors.is_empty() && lossy.scan == scan, "{sql:?}");
            assert_eq!(Ok(pg_ast::comments_lossy(sql)), pg_ast::comments(sql), "{sql:?}");
            assert_eq!(Ok(pg_ast::split_lossy(sql)), pg_ast::split_with_scanner(sql), "{sql:?}");
        }
        Err(error) => {
            let mut cursors = lossy.errors.iter().map(|error| error.error.cursor());
            // An unterminated token before a NUL is another error.
            let found = match error.kind() {
                ErrorKind::Nul => cursors.any(|cursor| cursor == error.cursor()),
                _ => cursors.next() == Some(error.cursor()),
            };
            assert!(found, "{error:?} of {sql:?}");
            assert!(pg_ast::split_lossy(sql).iter().all(|stmt| !stmt.is_empty()), "{sql:?}");
        }
    }
}

/// A script with the SQL as one of its statements keeps the statements before
/// and after it, if it is one statement; and ranges are ordered in any case.
fn recovery(sql: &str, source: &mut Source<'_>) {
    const NEAR: &str = "SELECT 'x', \"y\"";
    // Without its end, the SQL may have an open construct.
    let cut = (0..=source.below(sql.len() + 1)).rev().find(|end| sql.is_char_boundary(*end));
    for text in [sql, &sql[..cut.unwrap_or(0)]] {
        let script = format!("{NEAR};\n{text};\n{NEAR};\n");
        let stmts = pg_ast::parse_script(&script);
        let mut end = 0;
        for stmt in &stmts {
            assert!(end <= stmt.range.start && stmt.range.start < stmt.range.end, "{script:?}");
            assert!(!stmt.text(&script).is_empty());
            end = stmt.range.end;
        }
        assert!(stmts[0].result.is_ok() && stmts[0].text(&script) == NEAR, "{script:?}");
    }
}
