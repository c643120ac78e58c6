//! Tokens, comments and statements of SQL that the scanner rejects in part.

use std::ops::Range;

use pg_ast::ErrorKind;

use super::pg::{self, LossyScan, comments, comments_lossy, scan, scan_lossy, split_lossy};
use crate::common::{corpus, on_thread};

fn tokens<'a>(sql: &'a str, lossy: &LossyScan) -> Vec<&'a str> {
    lossy.scan.tokens.iter().map(|token| &sql[token.range()]).collect()
}

fn errors<'a>(sql: &'a str, lossy: &'a LossyScan) -> Vec<(&'a str, &'a str)> {
    lossy.errors.iter().map(|error| (&sql[error.range.clone()], error.error.message())).collect()
}

#[test]
fn the_scan_goes_on() {
    // The tokens, separated by `|`, and each error's range and message.
    for (sql, expected, mistakes) in [
        ("SELECT 1", "SELECT|1", &[][..]),
        (
            "SELECT 'a, b -- c\nFROM t",
            "SELECT|FROM|t",
            &[("'a, b -- c", "unterminated quoted string at or near \"'a, b -- c\"")][..],
        ),
        (
            "SELECT \"é\r\nFROM t",
            "SELECT|FROM|t",
            &[("\"é", "unterminated quoted identifier at or near \"\"é\"")],
        ),
        (
            "a $x$ b\nc $x $$ d",
            "a|c|$|x",
            &[
                ("$x$ b", "unterminated dollar-quoted string at or near \"$x$ b\""),
                ("$$ d", "unterminated dollar-quoted string at or near \"$$ d\""),
            ],
        ),
        (
            "a /* b /* c */\nd -- e",
            "a|d|-- e",
            &[("/* b /* c */", "unterminated /* comment at or near \"/* b /* c */\"")],
        ),
        ("b'1\n2", "2", &[("b'1", "unterminated bit string literal at or near \"b'1\"")]),
        ("x'1\n2", "2", &[("x'1", "unterminated hexadecimal string literal at or near \"x'1\"")]),
        ("U&'1\n2", "2", &[("U&'1", "unterminated quoted string at or near \"U&'1\"")]),
        (
            "1x, 2y \"\" ''",
            ",|''",
            &[
                ("1x", "trailing junk after numeric literal at or near \"1x\""),
                ("2y", "trailing junk after numeric literal at or near \"2y\""),
                ("\"\"", "zero-length delimited identifier at or near \"\"\"\""),
            ],
        ),
        // In a terminated string: its first error counts.
        (
            r"SELECT E'a\u12 b\uD800 c''d' 'x', 1",
            "SELECT|'x'|,|1",
            &[(r"E'a\u12 b\uD800 c''d'", "invalid Unicode escape")],
        ),
        (
            "SELECT E'\\uD800\\n' \n 'a' \"b\"",
            "SELECT|\"b\"",
            &[("E'\\uD800\\n' \n 'a'", "invalid Unicode surrogate pair at or near \"\\\"")],
        ),
        ("SELECT E'\\u12\n1", "SELECT|1", &[("E'\\u12", "invalid Unicode escape")]),
        (r"E'\xff' 1", "1", &[(r"E'\xff'", "invalid byte sequence for encoding \"UTF8\": 0xff")]),
        (
            "a\0d'\0'c",
            "a|d",
            &[
                ("\0", "the SQL contains a NUL byte"),
                ("'", "unterminated quoted string at or near \"'\""),
                ("\0", "the SQL contains a NUL byte"),
                ("'c", "unterminated quoted string at or near \"'c\""),
            ],
        ),
        ("'", "", &[("'", "unterminated quoted string at or near \"'\"")]),
    ] {
        if super::MAJOR < 16 && sql.starts_with("1x") {
            // There, it is a number and a name.
            continue;
        }
        let lossy = scan_lossy(sql);
        assert_eq!(tokens(sql, &lossy).join("|"), expected, "{sql}");
        assert_eq!(errors(sql, &lossy), mistakes, "{sql}");
    }
}

#[test]
fn comments_and_statements_are_found_as_well() {
    let sql = "SELECT 'a; -- b\n/* c */ FROM t; -- d\nSELECT 1x;;\n SELECT /* e";
    assert_eq!(
        split_lossy(sql),
        ["SELECT 'a; -- b\n/* c */ FROM t", " -- d\nSELECT 1x", "\n SELECT /* e"]
    );
    let found = comments_lossy(sql);
    assert_eq!(found.iter().map(|comment| &comment.text).collect::<Vec<_>>(), ["/* c */", "-- d"]);
    assert_eq!((found[0].match_location, found[0].newlines_before), (15, 1));
}

/// Tokens and errors are ordered and disjoint, with only blanks between them.
fn is_whole(sql: &str) {
    let lossy = scan_lossy(sql);
    let tokens = lossy.scan.tokens.iter().map(|token| token.range());
    let mut all: Vec<Range<usize>> =
        tokens.chain(lossy.errors.iter().map(|error| error.range.clone())).collect();
    all.sort_by_key(|range| range.start);
    let mut end = 0;
    for range in all {
        assert!(end <= range.start && range.start < range.end, "{range:?} of {sql:?}");
        let between = &sql[end..range.start];
        assert!(between.bytes().all(|byte| b" \t\n\r\x0b\x0c".contains(&byte)), "{sql:?}");
        assert!(sql.get(range.clone()).is_some(), "{range:?} of {sql:?}");
        end = range.end;
    }
    let cursors = lossy.errors.iter().filter_map(|error| error.error.cursor());
    assert!(cursors.into_iter().all(|cursor| sql.is_char_boundary(cursor)), "{sql:?}");
    match scan(sql) {
        Ok(scan) => assert!(lossy.scan == scan && lossy.errors.is_empty(), "{sql:?}"),
        Err(error) => {
            let first = &lossy.errors.first().expect("an error").error;
            assert_eq!((first.kind(), first.cursor()), (error.kind(), error.cursor()), "{sql:?}");
        }
    }
}

#[test]
fn without_errors_it_is_the_scan() {
    let (mut right, mut wrong) = (0, 0);
    for sql in corpus::own_statements().into_iter().chain(corpus::statements()) {
        let lossy = scan_lossy(&sql);
        match scan(&sql) {
            Ok(scan) => {
                assert!(lossy.scan == scan && lossy.errors.is_empty(), "{sql}");
                assert_eq!(comments_lossy(&sql), comments(&sql).expect("it scans"));
                assert_eq!(split_lossy(&sql), pg::split_with_scanner(&sql).expect("it scans"));
                right += 1;
            }
            Err(_) => {
                is_whole(&sql);
                wrong += 1;
            }
        }
    }
    assert!(right > 10_000 && wrong >= 10, "{right} and {wrong}");
}

#[test]
fn every_byte_is_in_a_token_or_an_error() {
    for sql in corpus::own_statements().iter().step_by(7).filter(|sql| sql.len() < 200) {
        for end in (0..sql.len()).filter(|end| sql.is_char_boundary(*end)) {
            is_whole(&sql[..end]);
            is_whole(&format!("{}'{}", &sql[..end], &sql[end..]));
        }
    }
    for sql in ["", " ", "\0", "é'", "E'\\", "E'\\u", "U&\"", "$é$", "/*/*", "\u{b}'", "1é", "$1a"]
    {
        is_whole(sql);
    }
}

#[test]
fn errors_of_any_number_take_little() {
    on_thread(256 * 1024, || {
        for (piece, errors) in [
            ("1x ", 3_000),
            ("E'\\u' ", 3_000),
            ("/*\n", 17),
            ("$a$\n", 0),
            ("'\n", 0),
            ("\0", 3_000),
        ] {
            let sql = piece.repeat(3_000);
            let lossy = scan_lossy(&sql);
            let errors = if super::MAJOR < 16 && piece == "1x " { 0 } else { errors };
            assert_eq!(lossy.errors.len(), errors, "{piece:?}");
            assert!(lossy.errors.iter().all(|error| error.error.kind() != ErrorKind::TooDeep));
        }
    });
    // Each has its own tag.
    let sql = (0..1_000).map(|number| format!("$a{number}$\n")).collect::<Vec<_>>().concat();
    let lossy = scan_lossy(&sql);
    assert_eq!((lossy.errors.len(), lossy.scan.tokens.len()), (17, 0));
    assert_eq!(lossy.errors[16].range.end, sql.len());
}
