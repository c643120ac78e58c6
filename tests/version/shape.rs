//! Shapes, against the tokens of PostgreSQL's scanner.

use std::ops::Range;

use pg_ast::{ConstantKind, ParserOptions, ShapeOptions};

use super::pg::protobuf::Token;
use super::pg::{self, Shape};
use crate::common::corpus;

/// A comment that only the scanner understands.
const ODD: &str = " /* /* */ */";

fn statements() -> Vec<String> {
    corpus::own_statements()
        .into_iter()
        .chain(corpus::statements())
        .chain(corpus::benches().into_iter().map(|(_, sql)| sql))
        .collect()
}

/// The constants by the scanner's tokens; `None` if it rejects the SQL.
fn expected(sql: &str) -> Option<Vec<(ConstantKind, Range<usize>)>> {
    let tokens = pg::scan(sql).ok()?.tokens;
    let constant = |token: &pg::ScanToken| {
        let kind = match token.token {
            Token::Iconst => ConstantKind::Integer,
            Token::Fconst => ConstantKind::Number,
            Token::Sconst => ConstantKind::String,
            Token::Bconst => ConstantKind::BitString,
            Token::Xconst => ConstantKind::HexString,
            Token::Param => ConstantKind::Parameter,
            _ => return None,
        };
        let Range { start, end } = token.range();
        Some((kind, start..start + sql[start..end].trim_ascii_end().len()))
    };
    Some(tokens.iter().filter_map(constant).collect())
}

/// Checks a shape, by the fast rules and by the scanner. Returns whether there is one.
#[track_caller]
fn check(sql: &str) -> bool {
    let expected = expected(sql);
    for options in [true, false].map(|runs| ShapeOptions::default().runs(runs)) {
        let shape = Shape::of_with(sql, options).ok();
        let found = shape.as_ref().map(|shape| shape.constants().filter_map(token).collect());
        assert_eq!(found, expected, "{sql:?}");
        for options in [options, options.ignore_layout(true)] {
            let Ok(shape) = Shape::of_with(sql, options) else { continue };
            let odd = format!("{sql}{ODD}");
            let Ok(scanned) = Shape::of_with(&odd, options) else { continue };
            // The comment may continue a line that is one.
            let Ok(blank) = Shape::of_with(&odd[..=sql.len()], options) else { continue };
            let layout = sql.ends_with(|last: char| last.is_ascii_whitespace());
            if !options_ignore(&shape) {
                let key = [shape.key(), ODD.as_bytes()].concat();
                assert_eq!(key, scanned.key(), "{sql:?}");
            } else if !layout && !sql.contains("--") {
                assert_eq!(blank.key(), scanned.key(), "{sql:?}");
            }
        }
    }
    expected.is_some()
}

/// The token of a constant without its sign; `None` for a keyword.
fn token(constant: pg::ConstantToken<'_>) -> Option<(ConstantKind, Range<usize>)> {
    let (kind, Range { start, end }, text) = (constant.kind(), constant.range(), constant.text());
    if matches!(kind, ConstantKind::Null | ConstantKind::Boolean) {
        assert!(["null", "true", "false"].contains(&&*text.to_lowercase()), "{text}");
        return None;
    }
    let number = text.strip_prefix('-').map_or(text, |rest| rest.trim_ascii_start());
    assert!(
        number.len() == text.len()
            || number.starts_with(|digit: char| ".0123456789".contains(digit))
    );
    Some((kind, start + text.len() - number.len()..end))
}

fn options_ignore(shape: &Shape<'_>) -> bool {
    shape.options() != shape.options().ignore_layout(false)
}

#[test]
fn constants_are_those_of_the_scanner() {
    let statements = statements();
    let count = statements.iter().filter(|sql| check(sql)).count();
    println!("{count} of {} statements", statements.len());
    assert!(count > 30_000, "{count}");
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("small")
    }
}

const PIECES: [&str; 56] = [
    "'",
    "''",
    "\"",
    "E'",
    "e'\\'",
    "U&'",
    "U&\"",
    "B'1",
    "x'",
    "N'",
    "n 'a'",
    "$$",
    "$a$",
    "$1",
    "$12a",
    "1",
    "1.",
    ".5",
    "1e5",
    "1..2",
    "0x1F",
    "1_000",
    "2147483647",
    "2147483648",
    "00000000000001",
    "--",
    "/*",
    "*/",
    "/* a */",
    "\n",
    "\r",
    "\t",
    "\x0b",
    " ",
    "\\",
    "+",
    "-",
    "/",
    "*",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    " IN (",
    " in (1, 2)",
    "ARRAY[",
    "VALUES (1, 'a'), (2, 'b')",
    "values",
    "é",
    "\u{a0}",
    "'a'\n'b'",
    "'a' -- b\n 'c'",
    ":",
    "'a' 'b'",
];

#[test]
fn mutated_statements() {
    let mut random = Random(37);
    let mut count = 0;
    for sql in statements().iter().filter(|sql| sql.len() < 1_000) {
        for _ in 0..2 {
            let mut changed = sql.clone();
            for _ in 0..=random.below(3) {
                let at = (0..=random.below(changed.len() + 1)).rev();
                let at = at.into_iter().find(|at| changed.is_char_boundary(*at)).unwrap_or(0);
                changed.insert_str(at, PIECES[random.below(PIECES.len())]);
            }
            count += usize::from(check(&changed));
        }
    }
    println!("{count} statements");
    assert!(count > 30_000, "{count}");
}

#[test]
fn pieces_next_to_each_other() {
    let mut count = 0;
    for a in PIECES {
        for b in PIECES {
            for c in ["", " ", "'", "1", "\n'"] {
                count += usize::from(check(&format!("SELECT {a}{b}{c}")));
            }
        }
    }
    println!("{count} texts");
    assert!(count > 3_000, "{count}");
}

#[track_caller]
fn same(a: &str, b: &str, options: ShapeOptions) -> bool {
    let [a, b] = [a, b].map(|sql| Shape::of_with(sql, options).expect("a shape"));
    a == b
}

#[test]
fn equal_shapes() {
    let options = ShapeOptions::default();
    for (a, b) in [
        ("SELECT 'a'", "SELECT E'\\n'"),
        ("SELECT 'a'", "SELECT $x$ it's $x$"),
        ("SELECT $1", "SELECT $20"),
        ("SELECT 2147483648", "SELECT 1.5e10"),
        ("SELECT x IN (1)", "SELECT x IN ( 2,3 , 4 )"),
        ("SELECT x IN (-1)", "SELECT x IN (-2, -3)"),
        ("SELECT x in ('a'::uuid)", "SELECT x in ('a'::uuid, E'b'::uuid)"),
        ("SELECT ARRAY[$1]", "SELECT ARRAY[$1, $2, $3]"),
        (
            "INSERT INTO t VALUES (1, 'a', now())",
            "INSERT INTO t VALUES (1, '', now()),(2, 'b', now())",
        ),
        ("SELECT (a, b) IN ((1, 2))", "SELECT (a, b) IN ((1, 2), (3, 4))"),
        ("SELECT x IN (1), y IN ('a', 'b')", "SELECT x IN (1, 2), y IN ('a')"),
        ("SELECT x IN (1)", "SELECT x IN (1, '2')"),
        ("SELECT x IN (1)", "SELECT x IN (1, -1)"),
        ("VALUES (1, 2, 'a', $1)", "VALUES (null, True, - 5, $1), (B'1', -.5, FALSE, $2)"),
        ("SELECT x IN (NULL::int)", "SELECT x IN ('a'::int, NULL::int)"),
        ("SELECT x IN ((1, 'a'))", "SELECT x IN ((NULL, -1), (TRUE, 1.5))"),
        ("SELECT x IN (ROW(1, 'a'))", "SELECT x IN (ROW(NULL, -1), ROW(TRUE, 1.5))"),
        ("SELECT x IN (now())", "SELECT x IN (now(), now(), now())"),
        ("SELECT x IN (a, a)", "SELECT x IN (a)"),
    ] {
        assert!(same(a, b, options), "{a} {b}");
        assert!(
            a.contains("$20")
                || a.len() == b.len()
                || !same(a, b, options.runs(false))
                || !b.contains(',')
        );
    }
    for (a, b) in [
        ("SELECT 1", "SELECT 1.5"),
        ("SELECT 1", "SELECT '1'"),
        ("SELECT 1", "SELECT  1"),
        ("SELECT B'1'", "SELECT X'1'"),
        ("SELECT t1", "SELECT t2"),
        ("SELECT \"a 1\"", "SELECT \"a 2\""),
        ("SELECT f(1)", "SELECT f(1, 2)"),
        ("SELECT x IN (1)", "SELECT x IN (1, y)"),
        ("SELECT x IN (1)", "SELECT x IN (1, +1)"),
        ("SELECT x IN (1)", "SELECT x IN (1, - -1)"),
        ("SELECT x IN (1)", "SELECT x IN (1, -'a')"),
        ("SELECT x IN (1)", "SELECT x IN (1, -(1))"),
        ("SELECT x IN (1)", "SELECT x IN (1, $1)"),
        ("SELECT x IN (1::int)", "SELECT x IN (-1::int)"),
        ("SELECT x IN (1)", "SELECT x IN (\"null\")"),
        ("SELECT x IN (f(1))", "SELECT x IN (f(NULL))"),
        ("SELECT x IN (-(1))", "SELECT x IN (-(NULL))"),
        ("SELECT x = 1", "SELECT x = NULL"),
        ("SELECT 1 -- 1", "SELECT 1 -- 2"),
        ("INSERT INTO t VALUES (1, 2)", "INSERT INTO t VALUES (1, 2), (1)"),
        ("SELECT U&'a'", "SELECT U&'b'"),
    ] {
        assert!(!same(a, b, options), "{a} {b}");
    }
    let options = options.ignore_layout(true);
    for (a, b) in [
        ("SELECT 1 + 2", "SELECT\n1 /* a */ + -- b\n 2"),
        ("SELECT x IN (1, 2)", "SELECT  x IN ( 1/**/,2 /* c */)"),
        ("VALUES (1,2)", "VALUES  (1,2) , (3,4)"),
    ] {
        assert!(same(a, b, options), "{a} {b}");
    }
    assert!(!same("SELECT 1+2", "SELECT 1 + 2", options));
}

#[test]
fn options_count() {
    let off =
        ShapeOptions::default().parser(ParserOptions::default().standard_conforming_strings(false));
    let sql = "SELECT 'a'";
    assert_ne!(Shape::of_with(sql, off).expect("a shape"), Shape::of(sql).expect("a shape"));
    // A backslash counts: this is the shape of nothing else.
    let (a, b) = ("SELECT 'a\\n'", "SELECT 'b\\n'");
    assert_ne!(Shape::of_with(a, off).expect("a shape"), Shape::of_with(b, off).expect("a shape"));
    assert!(Shape::of("SELECT 'a").is_err() && Shape::of("SELECT '\0'").is_err());
}
